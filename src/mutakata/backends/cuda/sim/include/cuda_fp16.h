// Half precision for the simulation: the subset of CUDA's names that kernels use, with CUDA's rounding.
#pragma once
#include "low_precision.h"
#include "vector_types.h"

CUSIM_NUMBER(__half, half_from_float, float_from_half)
CUSIM_NUMBER2(__half2, __half)
using half = __half;
using half2 = __half2;

CUSIM_INLINE __half __float2half(float f) { return f; }
CUSIM_INLINE __half __float2half_rn(float f) { return f; }
CUSIM_INLINE __half __double2half(double d) { return d; }
CUSIM_INLINE __half __int2half_rn(int i) { return i; }
CUSIM_INLINE float __half2float(__half h) { return h; }
CUSIM_INLINE int __half2int_rn(__half h) { return (int)std::nearbyint((float)h); }
CUSIM_INLINE unsigned short __half_as_ushort(__half h) { return h.bits; }
CUSIM_INLINE __half __ushort_as_half(unsigned short u) { return __half::of(u); }
CUSIM_INLINE __half2 __halves2half2(__half a, __half b) { return {a, b}; }
CUSIM_INLINE __half2 __half2half2(__half a) { return {a, a}; }
CUSIM_INLINE __half2 make_half2(__half a, __half b) { return {a, b}; }
CUSIM_INLINE __half2 __float2half2_rn(float f) { return {__half(f), __half(f)}; }
CUSIM_INLINE __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
CUSIM_INLINE __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
CUSIM_INLINE float2 __half22float2(__half2 v) { return {v.x, v.y}; }
CUSIM_INLINE __half __low2half(__half2 v) { return v.x; }
CUSIM_INLINE __half __high2half(__half2 v) { return v.y; }
CUSIM_INLINE float __low2float(__half2 v) { return v.x; }
CUSIM_INLINE float __high2float(__half2 v) { return v.y; }
