"""Why a program is as fast as it is: instructions, samples, the hot loop and its model estimate, compiler remarks.

None of it is a time that is compared, so it is gathered once, not round by round. What a tool cannot give is Missing.
"""
