namespace ethash {}
