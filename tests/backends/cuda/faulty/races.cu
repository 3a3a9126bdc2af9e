// Races inside a block. Either party may come first, so both lines are marked.

// expect: race of part; launch: 1, 256; x: 256; y: 1; n: 256
extern "C" __global__ void no_barrier_before_read(const float* x, float* y, int n) {
    __shared__ float part[8];
    float v = x[threadIdx.x];
    if (threadIdx.x < 8) part[threadIdx.x] = 0.0f;
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;  // FAULT
    if (threadIdx.x == 255) y[0] = part[0] + part[7];  // FAULT
}

__device__ float block_sum_without_second_barrier(float v) {
    __shared__ float part[8];
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;  // FAULT
    __syncthreads();
    float sum = 0.0f;
    for (int w = 0; w < 8; w++) sum += part[w];  // FAULT
    return sum;
}

// expect: race of part; launch: 1, 256; x: 256; y: 256; n: 256
extern "C" __global__ void helper_called_twice(const float* x, float* y, int n) {
    float mean = block_sum_without_second_barrier(x[threadIdx.x]) / n;
    float d = x[threadIdx.x] - mean;
    y[threadIdx.x] = block_sum_without_second_barrier(d * d);
}

// expect: race of tree; launch: 1, 256; x: 256; y: 1; n: 256
extern "C" __global__ void tree_without_barrier(const float* x, float* y, int n) {
    __shared__ float tree[256];
    tree[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int o = 128; o > 0; o /= 2)
        if (threadIdx.x < o) tree[threadIdx.x] += tree[threadIdx.x + o];  // FAULT
    if (threadIdx.x == 0) y[0] = tree[0];
}

// expect: race of y; launch: 1, 64; x: 64; y: 1; n: 64
extern "C" __global__ void all_write_one(const float* x, float* y, int n) {
    y[0] = x[threadIdx.x] * threadIdx.x;  // FAULT
}

// expect: race of swap; launch: 1, 32; x: 32; y: 32; n: 32
extern "C" __global__ void warp_without_syncwarp(const float* x, float* y, int n) {
    __shared__ float swap[32];
    swap[threadIdx.x] = 0.0f;
    __syncwarp();
    swap[threadIdx.x] = x[threadIdx.x];  // FAULT
    y[threadIdx.x] = swap[threadIdx.x ^ 1];  // FAULT
}

// expect: race of y; launch: 1, 64; x: 64; y: 1; n: 64
extern "C" __global__ void plain_add_for_atomic(const float* x, float* y, int n) {
    y[0] += x[threadIdx.x];  // FAULT
}

// expect: race of total; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void plain_read_of_atomic(const float* x, float* y, int n) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0.0f;
    __syncthreads();
    atomicAdd(&total, x[threadIdx.x]);  // FAULT
    y[threadIdx.x] = total;  // FAULT
}

// expect: race of buffer; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void scan_in_one_buffer(const float* x, float* y, int n) {
    __shared__ float buffer[64];
    int i = threadIdx.x;
    buffer[i] = x[i];
    for (int o = 1; o < n; o *= 2) {
        __syncthreads();
        float v = i >= o ? buffer[i - o] : 0.0f;  // FAULT
        buffer[i] += v;  // FAULT
    }
    y[i] = buffer[i];
}

// expect: race of mean; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void broadcast_without_barrier(const float* x, float* y, int n) {
    __shared__ float mean;
    for (int r = 0; r < 4; r++) {
        if (threadIdx.x == 0) mean = x[r];  // FAULT
        __syncthreads();
        y[threadIdx.x] = x[threadIdx.x] - mean;  // FAULT
    }
}

// expect: race of y; launch: 1, 64; x: 64; y: 64; n: 64
extern "C" __global__ void neighbour_in_place(const float* x, float* y, int n) {
    int i = threadIdx.x;
    if (i + 1 < n) y[i] = y[i] + y[i + 1];  // FAULT
}

// expect: race-between-blocks of y; launch: 4, 32; x: 32; y: 32; n: 32
extern "C" __global__ void blocks_write_one_row(const float* x, float* y, int n) {
    y[threadIdx.x] = x[threadIdx.x] + blockIdx.x;  // FAULT
}

// expect: race-between-blocks of y; launch: 4, 1; x: 4; y: 1; n: 4
extern "C" __global__ void blocks_add_without_atomic(const float* x, float* y, int n) {
    y[0] += x[blockIdx.x];  // FAULT
}

// expect: race-between-blocks of y; launch: 4, 32; x: 128; y: 128; n: 128
extern "C" __global__ void halo_in_place(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float right = threadIdx.x == 31 && i + 1 < n ? y[i + 1] : 0.0f;  // FAULT
    __syncthreads();
    y[i] = x[i] + right;  // FAULT
}

// expect: race-between-blocks of y; launch: 4, 32; x: 128; y: 5; n: 4
extern "C" __global__ void partials_read_in_same_launch(const float* x, float* y, int n) {
    if (threadIdx.x == 0) y[1 + blockIdx.x] = x[blockIdx.x * 32];  // FAULT
    if (blockIdx.x == 3 && threadIdx.x == 0) y[0] = y[1] + y[2] + y[3] + y[4];  // FAULT
}

// expect: race-between-blocks of y; launch: 2, 32; x: 64; y: 1; n: 64
extern "C" __global__ void reset_beside_atomics(const float* x, float* y, int n) {
    if (threadIdx.x == 0 && blockIdx.x == 0) y[0] = 0.0f;  // FAULT
    __syncthreads();
    atomicAdd(y, x[blockIdx.x * 32 + threadIdx.x]);  // FAULT
}
