// Powers of two in place of exponentials, as the hardware has them: scores are multiplied by log2(e) first. The sum is
// by atomic additions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

constexpr float LOG2_E = 1.4426950408889634f;

template <typename T>
__device__ void softmax_rows(const T* x, T* y, int rows, int width, long long row_stride) {
    __shared__ float tops[32];
    __shared__ float total;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float top = -CUDART_INF_F, sum = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) top = fmaxf(top, LOG2_E * float(from[i]));
        for (int bit = 16; bit > 0; bit /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, bit));
        if (lane == 0) tops[warp] = top;
        if (threadIdx.x == 0) total = 0.0f;
        __syncthreads();
        for (int i = 0; i < warps; i++) top = fmaxf(top, tops[i]);
        if (top == -CUDART_INF_F) top = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) sum += exp2f(LOG2_E * float(from[i]) - top);
        atomicAdd(&total, sum);
        __syncthreads();
        const float divisor = total == 0.0f ? 1.0f : total;
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            to[i] = T(exp2f(LOG2_E * float(from[i]) - top) / divisor);
        __syncthreads();  // the next row writes tops and total again
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
