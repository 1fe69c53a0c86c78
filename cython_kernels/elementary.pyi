"""The elementary functions of the engine for Python, as ufuncs of numpy: the same bits on every machine."""

import numpy as np

sin: np.ufunc
cos: np.ufunc
tan: np.ufunc
asin: np.ufunc
acos: np.ufunc
atan: np.ufunc
exp: np.ufunc
expm1: np.ufunc
log: np.ufunc
log10: np.ufunc
cbrt: np.ufunc
sinh: np.ufunc
cosh: np.ufunc
tanh: np.ufunc
atan2: np.ufunc
pow: np.ufunc
