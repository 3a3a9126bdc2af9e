// Arithmetic and memory functions of CUDA's device library. The fast ones (__expf ...) are exact here: their
// error on a GPU is part of the contract a test allows, not something to imitate.
#pragma once

using std::max;
using std::min;
#define CUSIM_MIXED(name, T, A, B) inline T name(A a, B b) { return std::name((T)a, (T)b); }
CUSIM_MIXED(min, unsigned, int, unsigned)
CUSIM_MIXED(min, unsigned, unsigned, int)
CUSIM_MIXED(max, unsigned, int, unsigned)
CUSIM_MIXED(max, unsigned, unsigned, int)
CUSIM_MIXED(min, long long, int, long long)
CUSIM_MIXED(min, long long, long long, int)
CUSIM_MIXED(max, long long, int, long long)
CUSIM_MIXED(max, long long, long long, int)
CUSIM_MIXED(min, double, float, double)
CUSIM_MIXED(min, double, double, float)
CUSIM_MIXED(max, double, float, double)
CUSIM_MIXED(max, double, double, float)

#define CUSIM_LOAD(name) template <class T> CUSIM_INLINE T name(const T* p) { return *p; }
#define CUSIM_STORE(name) template <class T> CUSIM_INLINE void name(T* p, std::type_identity_t<T> v) { *p = v; }
CUSIM_LOAD(__ldg) CUSIM_LOAD(__ldca) CUSIM_LOAD(__ldcg) CUSIM_LOAD(__ldcs) CUSIM_LOAD(__ldlu) CUSIM_LOAD(__ldcv)
CUSIM_STORE(__stwb) CUSIM_STORE(__stcg) CUSIM_STORE(__stcs) CUSIM_STORE(__stwt)

#define CUSIM_FLOAT1(name, expression) CUSIM_INLINE float name(float x) { return expression; }
#define CUSIM_FLOAT2(name, expression) CUSIM_INLINE float name(float x, float y) { return expression; }
CUSIM_FLOAT1(rsqrtf, (float)(1.0 / std::sqrt((double)x)))
CUSIM_FLOAT1(__frsqrt_rn, (float)(1.0 / std::sqrt((double)x)))
CUSIM_FLOAT1(__frcp_rn, 1.0f / x)
CUSIM_FLOAT1(__fsqrt_rn, std::sqrt(x))
CUSIM_FLOAT1(cusim_expf, std::exp(x))
CUSIM_FLOAT1(cusim_logf, std::log(x))
CUSIM_FLOAT1(cusim_log2f, std::log2(x))
CUSIM_FLOAT1(cusim_log10f, std::log10(x))
CUSIM_FLOAT1(cusim_sinf, std::sin(x))
CUSIM_FLOAT1(cusim_cosf, std::cos(x))
CUSIM_FLOAT1(__exp10f, (float)std::pow(10.0, (double)x))
CUSIM_FLOAT1(__saturatef, x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f)
CUSIM_FLOAT1(normcdff, (float)(0.5 * std::erfc(-(double)x * 0.70710678118654752440)))
CUSIM_FLOAT2(cusim_powf, std::pow(x, y))
CUSIM_FLOAT2(__fdividef, x / y)
CUSIM_FLOAT2(__fadd_rn, x + y)
CUSIM_FLOAT2(__fsub_rn, x - y)
CUSIM_FLOAT2(__fmul_rn, x * y)
CUSIM_FLOAT2(__fdiv_rn, x / y)
CUSIM_INLINE float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
CUSIM_INLINE double rsqrt(double x) { return 1.0 / std::sqrt(x); }
// glibc has functions of these names.
#define __expf cusim_expf
#define __logf cusim_logf
#define __log2f cusim_log2f
#define __log10f cusim_log10f
#define __sinf cusim_sinf
#define __cosf cusim_cosf
#define __powf cusim_powf

CUSIM_INLINE int __float_as_int(float x) { return std::bit_cast<int>(x); }
CUSIM_INLINE unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
CUSIM_INLINE float __int_as_float(int x) { return std::bit_cast<float>(x); }
CUSIM_INLINE float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
CUSIM_INLINE long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
CUSIM_INLINE double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
CUSIM_INLINE float __int2float_rn(int x) { return (float)x; }
CUSIM_INLINE float __uint2float_rn(unsigned x) { return (float)x; }
CUSIM_INLINE int __float2int_rn(float x) { return (int)std::nearbyint(x); }
CUSIM_INLINE int __float2int_rz(float x) { return (int)x; }
CUSIM_INLINE int __float2int_rd(float x) { return (int)std::floor(x); }
CUSIM_INLINE int __float2int_ru(float x) { return (int)std::ceil(x); }
CUSIM_INLINE float __double2float_rn(double x) { return (float)x; }

CUSIM_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
CUSIM_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUSIM_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
CUSIM_INLINE int __ffs(int x) { return __builtin_ffs(x); }
CUSIM_INLINE int __mul24(int a, int b) { return a * b; }
CUSIM_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((uint64_t)a * b) >> 32); }
CUSIM_INLINE int __mulhi(int a, int b) { return (int)(((int64_t)a * b) >> 32); }
