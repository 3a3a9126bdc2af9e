// One kernel per conversion and operation of the 16-bit types.
#include <cuda_bf16.h>
#include <cuda_fp16.h>


extern "C" __global__ void half_to_float(const __half* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __half2float(x[i]);
}
extern "C" __global__ void bfloat16_to_float(const __nv_bfloat16* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __bfloat162float(x[i]);
}
extern "C" __global__ void float_to_half(const float* x, __half* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2half(x[i]);
}
extern "C" __global__ void float_to_bfloat16(const float* x, __nv_bfloat16* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2bfloat16(x[i]);
}
extern "C" __global__ void double_to_half(const double* x, __half* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __double2half(x[i]);
}
extern "C" __global__ void double_to_bfloat16(const double* x, __nv_bfloat16* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __double2bfloat16(x[i]);
}
extern "C" __global__ void half_arithmetic(const __half* a, const __half* b, const __half* c, __half* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] + b[i];
        y[n + i] = __hsub(a[i], b[i]);
        y[2 * n + i] = a[i] * b[i];
        y[3 * n + i] = a[i] / b[i];
        y[4 * n + i] = __hfma(a[i], b[i], c[i]);
    }
}
extern "C" __global__ void bfloat16_arithmetic(const __nv_bfloat16* a, const __nv_bfloat16* b,
                                               const __nv_bfloat16* c, __nv_bfloat16* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a[i] + b[i];
        y[n + i] = __hsub(a[i], b[i]);
        y[2 * n + i] = a[i] * b[i];
        y[3 * n + i] = a[i] / b[i];
        y[4 * n + i] = __hfma(a[i], b[i], c[i]);
    }
}
