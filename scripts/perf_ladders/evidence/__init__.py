"""Why a program is as fast as it is: instructions, samples, the hot loop and its model estimate, compiler remarks.

None of it is timed against anything, so it need not be measured in blocks. What a tool cannot give is Missing.
"""
