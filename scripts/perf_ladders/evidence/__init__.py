"""Why a program is as fast as it is: instructions, samples, the hot loop and its bound, what the compiler remarked.

None of it is timed against anything, so it need not be measured in blocks. What a tool cannot give is Missing.
"""

from __future__ import annotations


class Missing(Exception):
    """Evidence that cannot be had, and why: a sentence without its full stop."""
