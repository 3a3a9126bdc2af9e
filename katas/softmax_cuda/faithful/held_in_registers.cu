// Each thread reads its first columns once and keeps them; what is wider than that is read again. The sum is in double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

constexpr int HELD = 4;

template <typename T>
__device__ float score(const T* from, int i, int width) {
    return i < width ? float(from[i]) : -CUDART_INF_F;
}

template <typename T>
__device__ void softmax_rows(const T* x, T* y, int rows, int width, long long row_stride) {
    __shared__ float tops[1024];
    __shared__ double total;
    const int me = threadIdx.x, threads = blockDim.x, rounds = (width + threads - 1) / threads;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float held[HELD];
        float top = -CUDART_INF_F;
        for (int round = 0; round < rounds; round++) {
            const float value = score(from, round * threads + me, width);
            if (round < HELD) held[round] = value;
            top = fmaxf(top, value);
        }
        tops[me] = top;
        if (me == 0) total = 0.0;
        __syncthreads();
        for (int i = 0; i < threads; i++) top = fmaxf(top, tops[i]);
        if (top == -CUDART_INF_F) top = 0.0f;
        double sum = 0.0;
        for (int round = 0; round < rounds; round++) {
            const float value = round < HELD ? held[round] : score(from, round * threads + me, width);
            sum += expf(value - top);
        }
        atomicAdd(&total, sum);
        __syncthreads();
        const float divisor = total == 0.0 ? 1.0f : float(total);
        for (int round = 0; round < rounds; round++) {
            const int i = round * threads + me;
            const float value = round < HELD ? held[round] : score(from, i, width);
            if (i < width) to[i] = T(expf(value - top) / divisor);
        }
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
