// Each warp takes rows of its own, so the block never has to wait: no shared memory, no barrier.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

template <typename T>
__device__ void softmax_rows(const T* x, T* y, int rows, int width, long long row_stride) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int row = blockIdx.x * warps + warp; row < rows; row += gridDim.x * warps) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float top = -CUDART_INF_F, sum = 0.0f;
        for (int i = lane; i < width; i += 32) top = fmaxf(top, float(from[i]));
        for (int bit = 1; bit < 32; bit *= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, bit));
        if (top == -CUDART_INF_F) top = 0.0f;
        for (int i = lane; i < width; i += 32) sum += expf(float(from[i]) - top);
        for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
        if (sum == 0.0f) sum = 1.0f;
        for (int i = lane; i < width; i += 32) to[i] = T(expf(float(from[i]) - top) / sum);
    }
}

extern "C" __global__ void softmax_float32(
    const float* x, float* y, int rows, int width, long long row_stride) {
    softmax_rows(x, y, rows, width, row_stride);
}

extern "C" __global__ void softmax_float16(
    const __half* x, __half* y, int rows, int width, long long row_stride) {
    softmax_rows(x, y, rows, width, row_stride);
}

extern "C" __global__ void softmax_bfloat16(
    const __nv_bfloat16* x, __nv_bfloat16* y, int rows, int width, long long row_stride) {
    softmax_rows(x, y, rows, width, row_stride);
}
