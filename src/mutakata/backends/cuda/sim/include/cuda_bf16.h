// bfloat16 for the simulation: the subset of CUDA's names that kernels use, with CUDA's rounding.
#pragma once
#include "low_precision.h"
#include "vector_types.h"

CUSIM_NUMBER(__nv_bfloat16, bfloat16_from_float, float_from_bfloat16)
CUSIM_NUMBER2(__nv_bfloat162, __nv_bfloat16)
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

CUSIM_INLINE __nv_bfloat16 __float2bfloat16(float f) { return f; }
CUSIM_INLINE __nv_bfloat16 __float2bfloat16_rn(float f) { return f; }
CUSIM_INLINE __nv_bfloat16 __double2bfloat16(double d) { return d; }
CUSIM_INLINE __nv_bfloat16 __int2bfloat16_rn(int i) { return i; }
CUSIM_INLINE float __bfloat162float(__nv_bfloat16 h) { return h; }
CUSIM_INLINE unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.bits; }
CUSIM_INLINE __nv_bfloat16 __ushort_as_bfloat16(unsigned short u) { return __nv_bfloat16::of(u); }
CUSIM_INLINE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
CUSIM_INLINE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
CUSIM_INLINE __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
CUSIM_INLINE __nv_bfloat162 __float2bfloat162_rn(float f) { return {__nv_bfloat16(f), __nv_bfloat16(f)}; }
CUSIM_INLINE __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
CUSIM_INLINE __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)}; }
CUSIM_INLINE float2 __bfloat1622float2(__nv_bfloat162 v) { return {v.x, v.y}; }
CUSIM_INLINE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
CUSIM_INLINE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
CUSIM_INLINE float __low2float(__nv_bfloat162 v) { return v.x; }
CUSIM_INLINE float __high2float(__nv_bfloat162 v) { return v.y; }
