// Three passes: the maximum, the sum, the quotients. Both reductions are trees in shared memory.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

template <typename F>
__device__ float block_reduce(float value, F combine) {
    __shared__ float tree[1024];
    const int me = threadIdx.x, threads = blockDim.x;
    __syncthreads();  // the last call's result has been read
    tree[me] = value;
    int half = 1;
    while (2 * half < threads) half *= 2;  // largest power of two below the block's size
    for (; half > 0; half /= 2) {
        __syncthreads();
        if (me < half && me + half < threads) tree[me] = combine(tree[me], tree[me + half]);
    }
    __syncthreads();
    return tree[0];
}

template <typename T>
__device__ void softmax_rows(const T* x, T* y, int rows, int width, long long row_stride) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float top = -CUDART_INF_F, sum = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) top = fmaxf(top, float(from[i]));
        top = block_reduce(top, [](float a, float b) { return fmaxf(a, b); });
        if (top == -CUDART_INF_F) top = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) sum += expf(float(from[i]) - top);
        sum = block_reduce(sum, [](float a, float b) { return a + b; });
        const float factor = sum == 0.0f ? 0.0f : 1.0f / sum;
        for (int i = threadIdx.x; i < width; i += blockDim.x) to[i] = T(expf(float(from[i]) - top) * factor);
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
