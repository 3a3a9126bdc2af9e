// RMSNorm (Zhang and Sennrich, 2019) in one kernel: y = weight * x / sqrt(mean(x^2) + eps).
// A block takes a row at a time. Any grid and any block size will do; blockDim.x need not be a multiple of 32.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Sum over the first `lanes` lanes of the caller's warp; complete in lane 0 only.
__device__ float warp_sum(float value, int lanes) {
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    const int lane = threadIdx.x % 32;
    for (int offset = 16; offset > 0; offset /= 2) {
        const int from = lane + offset;
        // A lane that does not exist has no value to give, so nobody may ask it for one.
        const float other = __shfl_sync(mask, value, from < lanes ? from : lane);
        if (from < lanes) value += other;
    }
    return value;
}

// Sum over the block, the same in every thread.
__device__ float block_sum(float value) {
    __shared__ float partial[32];  // one for each warp of the largest block, 1024 threads
    const int threads = blockDim.x;
    const int warps = (threads + 31) / 32;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int lanes = min(32, threads - 32 * warp);  // the last warp may be partial
    value = warp_sum(value, lanes);
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = lane < warps ? partial[lane] : 0.0f;
        value = warp_sum(value, lanes);
        if (lane == 0) partial[0] = value;
    }
    __syncthreads();
    const float total = partial[0];
    __syncthreads();  // the next call writes partial again: nobody may still be reading it
    return total;
}

template <typename T>
__device__ void normalise_rows(
    const T* x, const T* weight, T* y, int rows, int width, long long row_stride, float eps) {
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * row_stride;
        T* to = y + (long long)row * width;
        float sum = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) {
            const float value = float(from[i]);
            sum += value * value;
        }
        const float mean_square = block_sum(sum) / width;
        const float rstd = rsqrtf(mean_square + eps);
        for (int i = threadIdx.x; i < width; i += blockDim.x) {
            const float normalised = float(from[i]) * rstd;
            to[i] = T(normalised * float(weight[i]));
        }
    }
}

// x: (rows, width), its rows row_stride elements apart; weight: (width,); y: (rows, width), contiguous.
extern "C" __global__ void rms_norm_float32(
    const float* x, const float* weight, float* y, int rows, int width, long long row_stride, float eps) {
    normalise_rows(x, weight, y, rows, width, row_stride, eps);
}

extern "C" __global__ void rms_norm_float16(
    const __half* x, const __half* weight, __half* y, int rows, int width, long long row_stride, float eps) {
    normalise_rows(x, weight, y, rows, width, row_stride, eps);
}

extern "C" __global__ void rms_norm_bfloat16(
    const __nv_bfloat16* x, const __nv_bfloat16* weight, __nv_bfloat16* y, int rows, int width,
    long long row_stride, float eps) {
    normalise_rows(x, weight, y, rows, width, row_stride, eps);
}
