// Rounding to 16-bit formats: to nearest, ties to even, once. NaN becomes 0x7fff, as CUDA's conversions give.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace cusim {

// Nearest float whose last bit remembers that something was lost, so that a second rounding is exact.
inline float to_odd(double d) {
    const float f = (float)d;
    if (!((double)f != d) || d != d) return f;
    uint32_t u = std::bit_cast<uint32_t>(f);
    if (std::fabs((double)f) > std::fabs(d)) u--;
    return std::bit_cast<float>(u | 1u);
}

// p + c rounded to odd, for p the exact product of two 16-bit numbers.
inline double sum_to_odd(double p, double c) {
    const double s = p + c, bb = s - p, error = (p - (s - bb)) + (c - bb);
    uint64_t u = std::bit_cast<uint64_t>(s);
    if (error == 0 || error != error || (u & 1)) return s;
    return std::bit_cast<double>((error > 0) == (s > 0) ? u | 1 : u - 1);
}

inline uint16_t half_from_float(float f) {
    const uint32_t u = std::bit_cast<uint32_t>(f), a = u & 0x7fffffffu;
    const uint16_t sign = (uint16_t)(u >> 16 & 0x8000u);
    if (a > 0x7f800000u) return 0x7fff;
    if (a >= 0x477ff000u) return sign | 0x7c00;                       // 65520 and above
    if (a < 0x38800000u)                                              // below 2^-14: 0.5 has the quantum 2^-24
        return sign | (uint16_t)(std::bit_cast<uint32_t>(std::bit_cast<float>(a) + 0.5f) - 0x3f000000u);
    return sign | (uint16_t)((a + 0xfffu + (a >> 13 & 1u) - 0x38000000u) >> 13);
}
inline float float_from_half(uint16_t h) {
    const uint32_t sign = (uint32_t)(h & 0x8000u) << 16, a = h & 0x7fffu;
    if (a < 0x0400u) return std::bit_cast<float>(std::bit_cast<uint32_t>((float)a * 0x1p-24f) | sign);
    if (a >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (a & 0x3ffu) << 13);
    return std::bit_cast<float>(sign | ((a << 13) + 0x38000000u));
}

inline uint16_t bfloat16_from_float(float f) {
    const uint32_t u = std::bit_cast<uint32_t>(f);
    if ((u & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return (uint16_t)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
inline float float_from_bfloat16(uint16_t h) { return std::bit_cast<float>((uint32_t)h << 16); }

}  // namespace cusim

// A 16-bit number: every operation is done in float and rounded, which equals the rounded exact result, as
// float has more than twice the digits.
#define CUSIM_INLINE inline __attribute__((always_inline))
#define CUSIM_NUMBER(T, FROM, TO)                                                                              \
    struct T {                                                                                                 \
        uint16_t bits;                                                                                         \
        T() = default;                                                                                         \
        CUSIM_INLINE T(float v) : bits(cusim::FROM(v)) {}                                                      \
        CUSIM_INLINE T(double v) : bits(cusim::FROM(cusim::to_odd(v))) {}                                      \
        CUSIM_INLINE T(int v) : T((double)v) {}                                                                \
        CUSIM_INLINE T(unsigned v) : T((double)v) {}                                                           \
        CUSIM_INLINE T(long v) : T((double)v) {}                                                               \
        CUSIM_INLINE T(unsigned long v) : T((double)v) {}                                                      \
        CUSIM_INLINE T(long long v) : T((double)v) {}                                                          \
        CUSIM_INLINE T(unsigned long long v) : T((double)v) {}                                                 \
        CUSIM_INLINE operator float() const { return cusim::TO(bits); }                                        \
        CUSIM_INLINE T& operator+=(T o) { return *this = T((float)*this + (float)o); }                         \
        CUSIM_INLINE T& operator-=(T o) { return *this = T((float)*this - (float)o); }                         \
        CUSIM_INLINE T& operator*=(T o) { return *this = T((float)*this * (float)o); }                         \
        CUSIM_INLINE T& operator/=(T o) { return *this = T((float)*this / (float)o); }                         \
        static CUSIM_INLINE T of(uint16_t b) { T t; t.bits = b; return t; }                                    \
    };                                                                                                         \
    CUSIM_INLINE T operator+(T a, T b) { return a += b; }                                                      \
    CUSIM_INLINE T operator-(T a, T b) { return a -= b; }                                                      \
    CUSIM_INLINE T operator*(T a, T b) { return a *= b; }                                                      \
    CUSIM_INLINE T operator/(T a, T b) { return a /= b; }                                                      \
    CUSIM_INLINE T operator-(T a) { return T::of(a.bits ^ 0x8000u); }                                          \
    CUSIM_INLINE bool operator<(T a, T b) { return (float)a < (float)b; }                                      \
    CUSIM_INLINE bool operator>(T a, T b) { return (float)a > (float)b; }                                      \
    CUSIM_INLINE bool operator<=(T a, T b) { return (float)a <= (float)b; }                                    \
    CUSIM_INLINE bool operator>=(T a, T b) { return (float)a >= (float)b; }                                    \
    CUSIM_INLINE bool operator==(T a, T b) { return (float)a == (float)b; }                                    \
    CUSIM_INLINE bool operator!=(T a, T b) { return (float)a != (float)b; }                                    \
    CUSIM_INLINE T __hadd(T a, T b) { return a + b; }                                                          \
    CUSIM_INLINE T __hsub(T a, T b) { return a - b; }                                                          \
    CUSIM_INLINE T __hmul(T a, T b) { return a * b; }                                                          \
    CUSIM_INLINE T __hdiv(T a, T b) { return a / b; }                                                          \
    CUSIM_INLINE T __hneg(T a) { return -a; }                                                                  \
    CUSIM_INLINE T __habs(T a) { return T::of(a.bits & 0x7fffu); }                                             \
    CUSIM_INLINE T __hfma(T a, T b, T c) {                                                                     \
        return T(cusim::sum_to_odd((double)(float)a * (float)b, (double)(float)c));                            \
    }                                                                                                          \
    CUSIM_INLINE bool __hisnan(T a) { return (float)a != (float)a; }                                           \
    CUSIM_INLINE bool __hlt(T a, T b) { return a < b; }                                                        \
    CUSIM_INLINE bool __hgt(T a, T b) { return a > b; }                                                        \
    CUSIM_INLINE bool __hle(T a, T b) { return a <= b; }                                                       \
    CUSIM_INLINE bool __hge(T a, T b) { return a >= b; }                                                       \
    CUSIM_INLINE bool __heq(T a, T b) { return a == b; }                                                       \
    CUSIM_INLINE T __hmax(T a, T b) { return T(std::fmax((float)a, (float)b)); }                               \
    CUSIM_INLINE T __hmin(T a, T b) { return T(std::fmin((float)a, (float)b)); }                               \
    CUSIM_INLINE T hsqrt(T a) { return T(std::sqrt((float)a)); }                                               \
    CUSIM_INLINE T hrsqrt(T a) { return T(1.0 / std::sqrt((double)(float)a)); }                                \
    CUSIM_INLINE T hrcp(T a) { return T(1.0 / (double)(float)a); }                                             \
    CUSIM_INLINE T hexp(T a) { return T(std::exp((double)(float)a)); }                                         \
    CUSIM_INLINE T hlog(T a) { return T(std::log((double)(float)a)); }

#define CUSIM_NUMBER2(T2, T)                                                                                   \
    struct alignas(4) T2 {                                                                                     \
        T x, y;                                                                                                \
        T2() = default;                                                                                        \
        CUSIM_INLINE T2(T a, T b) : x(a), y(b) {}                                                              \
    };                                                                                                         \
    CUSIM_INLINE T2 operator+(T2 a, T2 b) { return {a.x + b.x, a.y + b.y}; }                                   \
    CUSIM_INLINE T2 operator-(T2 a, T2 b) { return {a.x - b.x, a.y - b.y}; }                                   \
    CUSIM_INLINE T2 operator*(T2 a, T2 b) { return {a.x * b.x, a.y * b.y}; }                                   \
    CUSIM_INLINE T2 operator/(T2 a, T2 b) { return {a.x / b.x, a.y / b.y}; }                                   \
    CUSIM_INLINE T2 __hadd2(T2 a, T2 b) { return a + b; }                                                      \
    CUSIM_INLINE T2 __hsub2(T2 a, T2 b) { return a - b; }                                                      \
    CUSIM_INLINE T2 __hmul2(T2 a, T2 b) { return a * b; }                                                      \
    CUSIM_INLINE T2 __h2div(T2 a, T2 b) { return a / b; }                                                      \
    CUSIM_INLINE T2 __hfma2(T2 a, T2 b, T2 c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }       \
    CUSIM_INLINE T2 __hmax2(T2 a, T2 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
