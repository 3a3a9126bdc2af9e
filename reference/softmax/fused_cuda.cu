// Softmax in one kernel, online (Milakov and Gimelshein, 2018): maximum and sum are found in one pass, and the sum is
// rescaled when the maximum rises. A block takes a row at a time. Any grid; blockDim.x is a multiple of 32.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

// Some elements of a row: their maximum, and the sum of exp(element - maximum).
struct Part {
    float top, sum;
};

__device__ Part nothing() {
    return {-CUDART_INF_F, 0.0f};
}

// What to subtract. Where all is masked the maximum is minus infinity, and minus infinity less itself is NaN.
__device__ float level(float top) {
    return top == -CUDART_INF_F ? 0.0f : top;
}

__device__ Part merge(Part a, Part b) {
    const float top = fmaxf(a.top, b.top);
    const float from_a = a.sum * expf(a.top - level(top));
    const float from_b = b.sum * expf(b.top - level(top));
    return {top, from_a + from_b};
}

// All parts of the warp merged, the same in every lane.
__device__ Part warp_merge(Part part) {
    for (int bit = 16; bit > 0; bit /= 2) {
        const float top = __shfl_xor_sync(0xffffffffu, part.top, bit);
        const float sum = __shfl_xor_sync(0xffffffffu, part.sum, bit);
        part = merge(part, {top, sum});
    }
    return part;
}

// All parts of the block merged, the same in every thread.
__device__ Part block_merge(Part part) {
    __shared__ float tops[32], sums[32];  // one for each warp of the largest block, 1024 threads
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    part = warp_merge(part);
    if (lane == 0) {
        tops[warp] = part.top;
        sums[warp] = part.sum;
    }
    __syncthreads();
    part = nothing();
    if (lane < warps) part = {tops[lane], sums[lane]};
    part = warp_merge(part);
    __syncthreads();  // the next row's parts are written to the same arrays
    return part;
}

template <typename T>
__device__ void softmax_rows(const T* x, T* y, int rows, int width, long long row_stride) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        Part part = nothing();
        for (int i = threadIdx.x; i < width; i += blockDim.x) {
            const float score = float(from[i]);
            part = merge(part, {score, 1.0f});
        }
        part = block_merge(part);
        // Zero only where all is masked: then every y is 0. A NaN makes the sum NaN, and stays one.
        const float divisor = part.sum == 0.0f ? 1.0f : part.sum;
        for (int i = threadIdx.x; i < width; i += blockDim.x) {
            const float exponential = expf(float(from[i]) - level(part.top));
            to[i] = T(exponential / divisor);
        }
    }
}

// x: (rows, width), its rows row_stride elements apart; y: (rows, width), contiguous.
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
