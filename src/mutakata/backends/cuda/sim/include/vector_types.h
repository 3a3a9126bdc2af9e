// CUDA's vector types, with the alignment a GPU demands.
#pragma once

struct uint3 { unsigned x, y, z; };
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

#define CUSIM_VECTORS(T, name, align2, align4)                                                          \
    struct name##1 { T x; };                                                                            \
    struct alignas(align2) name##2 { T x, y; };                                                         \
    struct alignas(align4) name##4 { T x, y, z, w; };                                                   \
    constexpr name##1 make_##name##1(T x) { return {x}; }                                               \
    constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                                       \
    constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define CUSIM_VECTOR3(T, name)                                                                          \
    struct name##3 { T x, y, z; };                                                                      \
    constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }

CUSIM_VECTORS(signed char, char, 2, 4)
CUSIM_VECTORS(unsigned char, uchar, 2, 4)
CUSIM_VECTORS(short, short, 4, 8)
CUSIM_VECTORS(unsigned short, ushort, 4, 8)
CUSIM_VECTORS(int, int, 8, 16)
CUSIM_VECTORS(unsigned, uint, 8, 16)
CUSIM_VECTORS(float, float, 8, 16)
CUSIM_VECTORS(double, double, 16, 16)
CUSIM_VECTORS(long long, longlong, 16, 16)
CUSIM_VECTORS(unsigned long long, ulonglong, 16, 16)
CUSIM_VECTOR3(signed char, char)
CUSIM_VECTOR3(unsigned char, uchar)
CUSIM_VECTOR3(short, short)
CUSIM_VECTOR3(unsigned short, ushort)
CUSIM_VECTOR3(int, int)
CUSIM_VECTOR3(float, float)
CUSIM_VECTOR3(double, double)
constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
#undef CUSIM_VECTORS
#undef CUSIM_VECTOR3
