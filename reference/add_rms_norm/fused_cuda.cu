// Residual addition and RMSNorm in one kernel: residual += x, y = weight * residual / sqrt(mean(residual^2) + eps).
// A block takes a row at a time, 16 bytes at a time where it can. Any grid and any block size will do.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// What one instruction loads: four float32 or eight 16-bit numbers. Its address must be a multiple of 16.
template <typename T>
struct alignas(16) Vector {
    static constexpr int SIZE = 16 / sizeof(T);
    T at[SIZE];
};

template <typename T>
__device__ bool aligned(const T* p) {
    return (size_t)p % sizeof(Vector<T>) == 0;
}

template <typename T>
__device__ Vector<T> load(const T* p, int v) {
    return reinterpret_cast<const Vector<T>*>(p)[v];
}

template <typename T>
__device__ void store(T* p, int v, const Vector<T>& vector) {
    reinterpret_cast<Vector<T>*>(p)[v] = vector;
}

__device__ float square(float value) {
    return value * value;
}

// Sum over the block, the same in every thread. partial: one number for each warp.
__device__ float block_sum(float value, float* partial) {
    const int threads = blockDim.x, warps = (threads + 31) / 32;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int lanes = min(32, threads - 32 * warp);  // the last warp may be partial
    const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    for (int offset = 16; offset > 0; offset /= 2) {
        const int from = lane + offset;
        const float other = __shfl_sync(mask, value, from < lanes ? from : lane);
        if (from < lanes) value += other;
    }
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    float total = 0.0f;
    for (int i = 0; i < warps; i++) total += partial[i];
    __syncthreads();  // partial is written again for the next row: nobody may still be reading it
    return total;
}

template <typename T>
__device__ void add_and_normalise_rows(
    const T* x, T* residual, const T* weight, T* y, int rows, int width, long long x_stride, float eps) {
    constexpr int SIZE = Vector<T>::SIZE;
    __shared__ float partial[32];  // for the largest block, 1024 threads
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const T* from = x + row * x_stride;
        T* stream = residual + (long long)row * width;
        T* to = y + (long long)row * width;
        const bool fits = aligned(from) && aligned(stream) && aligned(to) && aligned(weight);
        const int vectors = fits ? width / SIZE : 0;
        float sum = 0.0f;
        for (int v = threadIdx.x; v < vectors; v += blockDim.x) {
            const Vector<T> update = load(from, v);
            Vector<T> total = load(stream, v);
            for (int k = 0; k < SIZE; k++) {
                // Rounded here, so that the norm sees exactly what the stream carries on.
                total.at[k] = T(float(update.at[k]) + float(total.at[k]));
                sum += square(float(total.at[k]));
            }
            store(stream, v, total);
        }
        for (int i = vectors * SIZE + threadIdx.x; i < width; i += blockDim.x) {
            const T total = T(float(from[i]) + float(stream[i]));
            sum += square(float(total));
            stream[i] = total;
        }
        const float mean_square = block_sum(sum, partial) / width;
        const float rstd = rsqrtf(mean_square + eps);
        for (int v = threadIdx.x; v < vectors; v += blockDim.x) {
            const Vector<T> total = load(stream, v), scale = load(weight, v);
            Vector<T> out;
            for (int k = 0; k < SIZE; k++) out.at[k] = T(float(total.at[k]) * rstd * float(scale.at[k]));
            store(to, v, out);
        }
        for (int i = vectors * SIZE + threadIdx.x; i < width; i += blockDim.x)
            to[i] = T(float(stream[i]) * rstd * float(weight[i]));
    }
}

// x: (rows, width), its rows x_stride elements apart; weight: (width,); y, residual: (rows, width), contiguous.
extern "C" __global__ void add_rms_norm_float32(
    const float* x, float* residual, const float* weight, float* y, int rows, int width, long long x_stride,
    float eps) {
    add_and_normalise_rows(x, residual, weight, y, rows, width, x_stride, eps);
}

extern "C" __global__ void add_rms_norm_float16(
    const __half* x, __half* residual, const __half* weight, __half* y, int rows, int width, long long x_stride,
    float eps) {
    add_and_normalise_rows(x, residual, weight, y, rows, width, x_stride, eps);
}

extern "C" __global__ void add_rms_norm_bfloat16(
    const __nv_bfloat16* x, __nv_bfloat16* residual, const __nv_bfloat16* weight, __nv_bfloat16* y, int rows,
    int width, long long x_stride, float eps) {
    add_and_normalise_rows(x, residual, weight, y, rows, width, x_stride, eps);
}
