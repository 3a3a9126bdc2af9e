// Unwritten shared memory, barriers and warps that do not agree.

// expect: unwritten-shared of part; launch: 1, 96; x: 96; y: 1; n: 96
extern "C" __global__ void more_lanes_than_warps(const float* x, float* y, int n) {
    __shared__ float part[32];
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        float v = part[threadIdx.x];  // FAULT
        for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
        if (threadIdx.x == 0) y[0] = v;
    }
}

// expect: unwritten-shared of sums; launch: 2, 64, 256; x: 64; y: 64; n: 64
extern "C" __global__ void accumulator_not_zeroed(const float* x, float* y, int n) {
    extern __shared__ float sums[];
    if (blockIdx.x == 0) sums[threadIdx.x] = 0.0f;
    sums[threadIdx.x] += x[threadIdx.x];  // FAULT
}

// expect: unwritten-shared of bins; launch: 1, 64; x: 64; y: 16; n: 64
extern "C" __global__ void histogram_not_zeroed(const float* x, float* y, int n) {
    __shared__ int bins[16];
    atomicAdd(&bins[threadIdx.x % 16], 1);  // FAULT
    __syncthreads();
    if (threadIdx.x < 16) y[threadIdx.x] = bins[threadIdx.x];
}

// expect: divergent-barrier; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void barrier_in_each_branch(const float* x, float* y, int n) {
    if (threadIdx.x < 32) {
        y[threadIdx.x] = x[threadIdx.x];
        __syncthreads();  // FAULT
    } else {
        y[threadIdx.x] = 0.0f;
        __syncthreads();  // FAULT
    }
}

// expect: divergent-barrier; launch: 1, 64; x: 200; y: 64; n: 200
extern "C" __global__ void barrier_in_ragged_loop(const float* x, float* y, int n) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += x[i];
        __syncthreads();  // FAULT
    }
    y[threadIdx.x] = sum;
}

// expect: divergent-barrier; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void count_against_plain_barrier(const float* x, float* y, int n) {
    int found = 0;
    if (threadIdx.x < 32) found = __syncthreads_count(x[threadIdx.x] > 0.0f);  // FAULT
    __syncthreads();  // FAULT
    y[threadIdx.x] = found;
}

// expect: warp-mask; launch: 1, 48; x: 48; y: 48; n: 48
extern "C" __global__ void full_mask_on_partial_warp(const float* x, float* y, int n) {
    float v = x[threadIdx.x];
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);  // FAULT
    y[threadIdx.x] = v;
}

// expect: warp-mask; launch: 1, 32; x: 32; y: 32; n: 32
extern "C" __global__ void caller_not_in_mask(const float* x, float* y, int n) {
    y[threadIdx.x] = __shfl_sync(0x0000ffffu, x[threadIdx.x], 0);  // FAULT
}

// expect: warp-mask; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void shuffle_in_half_a_warp(const float* x, float* y, int n) {
    float v = x[threadIdx.x];
    if (threadIdx.x % 32 < 16) v += __shfl_down_sync(0xffffffffu, v, 8);  // FAULT
    __syncthreads();  // FAULT
    y[threadIdx.x] = v;
}

// expect: warp-mask; launch: 1, 96; x: 96; y: 96; n: 3
extern "C" __global__ void width_not_a_power_of_two(const float* x, float* y, int n) {
    y[threadIdx.x] = __shfl_down_sync(0xffffffffu, x[threadIdx.x], 1, n);  // FAULT
}

// expect: warp-mask; launch: 1, 32; x: 32; y: 32; n: 20
extern "C" __global__ void shuffle_from_ended_lane(const float* x, float* y, int n) {
    if (threadIdx.x >= n) return;
    y[threadIdx.x] = __shfl_xor_sync(0xffffffffu, x[threadIdx.x], 16);  // FAULT
}

// expect: warp-mask; launch: 1, 32; x: 32; y: 32; n: 32
extern "C" __global__ void lanes_at_different_calls(const float* x, float* y, int n) {
    float v = x[threadIdx.x];
    if (threadIdx.x < 16) v += __shfl_xor_sync(0xffffffffu, v, 8);  // FAULT
    v += __shfl_xor_sync(0xffffffffu, v, 4);  // FAULT
    y[threadIdx.x] = v;
}

// expect: warp-mask; launch: 1, 32; x: 32; y: 32; n: 32
extern "C" __global__ void vote_in_a_branch(const float* x, float* y, int n) {
    if (threadIdx.x > 3) y[threadIdx.x] = __any_sync(0xffffffffu, x[threadIdx.x] > 0.0f);  // FAULT
    __syncwarp();  // FAULT
}
