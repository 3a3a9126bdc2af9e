// Online with one exponential for each element: either the element or the sum so far is rescaled. Each thread has a run
// of neighbouring columns, and thread 0 merges the runs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

__device__ void add(float& top, float& sum, float score, float weight) {
    if (score == -CUDART_INF_F) {
        sum += 0.0f * weight;  // nothing, unless the weight is NaN
    } else if (score > top) {
        sum = sum * (top == -CUDART_INF_F ? 1.0f : expf(top - score)) + weight;
        top = score;
    } else {
        sum += weight * expf(score - top);
    }
}

template <typename T>
__device__ void softmax_rows(const T* x, T* y, int rows, int width, long long row_stride) {
    __shared__ float tops[1024], sums[1024];
    const int me = threadIdx.x, threads = blockDim.x;
    const int length = (width + threads - 1) / threads;
    const int begin = min(width, me * length), end = min(width, begin + length);
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float top = -CUDART_INF_F, sum = 0.0f;
        for (int i = begin; i < end; i++) add(top, sum, float(from[i]), 1.0f);
        tops[me] = top;
        sums[me] = sum;
        __syncthreads();
        if (me == 0) {
            for (int i = 1; i < threads; i++) add(top, sum, tops[i], sums[i]);
            tops[0] = top == -CUDART_INF_F ? 0.0f : top;
            sums[0] = sum == 0.0f ? 1.0f : sum;
        }
        __syncthreads();
        for (int i = begin; i < end; i++) to[i] = T(expf(float(from[i]) - tops[0]) / sums[0]);
        __syncthreads();  // the next row's runs are written to the same arrays
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
