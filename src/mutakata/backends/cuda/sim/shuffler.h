// Orders drawn from a seed; seed 0 leaves the natural order.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace cusim {

struct Shuffler {
    uint64_t seed, state = seed * 0x9e3779b97f4a7c15ull + 1;

    uint64_t draw() {                        // xorshift64
        state ^= state << 13; state ^= state >> 7; state ^= state << 17;
        return state;
    }
    void operator()(std::vector<uint32_t>& order) {
        if (!seed) return;
        for (uint32_t i = (uint32_t)order.size(); i > 1; i--)
            std::swap(order[i - 1], order[((draw() & 0xffffffffu) * i) >> 32]);
    }
};

}  // namespace cusim
