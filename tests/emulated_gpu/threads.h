// The threads of a block, one after the other on one core: each goes on until it must wait for others. Blocks are played
// in turn, so that one block plays all runs, the last one where threads go backwards or are shuffled. What CUDA calls by
// a name of its own is here a function that does the same.
//
// Threads that take turns in several orders find the same only if nothing depends on who is first: where a barrier is
// missing, or lanes of a warp do not meet at the same place, results differ or everybody waits for ever. What blocks do to
// each other is not seen, nor who reads what nobody has written in the shared memory of which a kernel knows the size.

#include <setjmp.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#define __device__
#define __global__
#define __constant__ static
#define __shared__ static
#define __grid_constant__
#define __noinline__
#define __forceinline__
#define __launch_bounds__(...)
#define __align__(n) alignas(n)

struct Place {
    unsigned x;
};

static Place threadIdx, blockIdx, blockDim;
static double* dynamic;  // the shared memory that the host asks for

namespace emulator {

typedef unsigned long long Bits;
enum Kind { SYNC, XOR, UP, FROM, BALLOT, MATCH };  // of what the lanes of a warp do together
const int WARP = 32, N_BARRIERS = 16, STACK = 1 << 18;

struct Thread {
    ucontext_t start;
    jmp_buf place;
    std::vector<char> stack;
    bool has_begun, is_over;
    const int* waits_for;  // a count of meetings, and what it was
    int seen;
};

// Those who have come so far, and how often all had come.
struct Meeting {
    int n_here, n_over;
};

struct Warp {
    Meeting meeting;
    Bits bits[2][WARP];
    Kind kinds[2][WARP];
};

static std::vector<Thread> threads;
static std::vector<Warp> warps;
static Meeting barriers[N_BARRIERS];
static jmp_buf scheduler;
static bool is_mixed_up;
static void (*work)(const void*);
static const void* given;

static void wait_for(Meeting& meeting, int n) {
    int before = meeting.n_over;
    if (++meeting.n_here == n) {
        meeting.n_here = 0, meeting.n_over++;
        return;
    }
    Thread& me = threads[threadIdx.x];
    me.waits_for = &meeting.n_over, me.seen = before;
    if (!_setjmp(me.place)) _longjmp(scheduler, 1);
}

// What the lanes of this warp gave, once all have come.
static const Bits* exchange(Kind kind, Bits mine) {
    Warp& warp = warps[threadIdx.x / WARP];
    int half = warp.meeting.n_over % 2, lane = threadIdx.x % WARP;
    warp.bits[half][lane] = mine, warp.kinds[half][lane] = kind;
    wait_for(warp.meeting, WARP);
    if (warp.kinds[half][0] != kind) is_mixed_up = true;
    return warp.bits[half];
}

static void begin() {
    work(given);
    threads[threadIdx.x].is_over = true;
    _longjmp(scheduler, 1);
}

static void go_on(Thread& thread) {
    thread.waits_for = nullptr;
    if (_setjmp(scheduler)) return;
    if (thread.has_begun) _longjmp(thread.place, 1);
    thread.has_begun = true;
    setcontext(&thread.start);
}

enum Order { FORWARDS, BACKWARDS, SHUFFLED };

static std::vector<int> in_turn(int n, Order order) {
    std::vector<int> turns(n);
    for (int k = 0; k < n; k++) turns[k] = order == BACKWARDS ? n - 1 - k : k;
    return turns;
}

// Whether a lane of this warp could go on.
static bool play_warp(int warp, const std::vector<int>& lanes) {
    bool is_moving = false;
    for (int lane : lanes) {
        Thread& thread = threads[threadIdx.x = warp * WARP + lane];
        if (thread.is_over || (thread.waits_for && *thread.waits_for == thread.seen)) continue;
        go_on(thread);
        is_moving = true;
    }
    return is_moving;
}

// Each warp goes on until it must wait for another one. 0; 1 if some wait for others who never come; 2 if lanes of a warp
// meet at different places.
static int play_block(int n_threads, Order order, std::mt19937& chance) {
    for (auto& each : barriers) each = {};
    warps.assign(n_threads / WARP, {});
    for (auto& each : threads) {
        getcontext(&each.start);
        each.stack.resize(STACK);
        each.start.uc_stack.ss_sp = each.stack.data(), each.start.uc_stack.ss_size = STACK;
        each.start.uc_link = nullptr;
        makecontext(&each.start, begin, 0);
        each.has_begun = each.is_over = false, each.waits_for = nullptr;
    }
    std::vector<int> turns = in_turn(n_threads / WARP, order), lanes = in_turn(WARP, order);
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        if (order == SHUFFLED) std::shuffle(turns.begin(), turns.end(), chance);
        for (int warp : turns)
            while (play_warp(warp, lanes)) {
                is_moving = true;
                if (order == SHUFFLED) std::shuffle(lanes.begin(), lanes.end(), chance);
            }
    }
    for (auto& each : threads)
        if (!each.is_over) return 1;
    return is_mixed_up ? 2 : 0;
}

static int play_blocks(void (*kernel)(const void*), const void* game, int n_blocks, int n_threads, int n_shared_bytes,
                       int order) {
    std::mt19937 chance(0);
    std::vector<double> shared(n_shared_bytes / sizeof(double) + 1);
    dynamic = shared.data();
    work = kernel, given = game, is_mixed_up = false;
    threads.resize(n_threads);
    blockDim.x = n_threads;
    int wrong = 0;
    for (int block = 0; block < n_blocks && !wrong; block++) {
        blockIdx.x = order == FORWARDS ? block : n_blocks - 1 - block;
        std::fill(shared.begin(), shared.end(), NAN);
        wrong = play_block(n_threads, (Order)order, chance);
    }
    threads.clear(), threads.shrink_to_fit();
    return wrong;
}

template <typename T>
Bits bits_of(T value) {
    Bits bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

template <typename T>
T value_of(Bits bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

}  // namespace emulator

inline void __syncwarp() { emulator::exchange(emulator::SYNC, 0); }

template <typename T>
T __shfl_xor_sync(unsigned, T mine, int step) {
    return emulator::value_of<T>(emulator::exchange(emulator::XOR, emulator::bits_of(mine))[threadIdx.x % 32 ^ step]);
}

template <typename T>
T __shfl_up_sync(unsigned, T mine, int step) {
    const emulator::Bits* all = emulator::exchange(emulator::UP, emulator::bits_of(mine));
    int lane = threadIdx.x % 32;
    return emulator::value_of<T>(all[lane < step ? lane : lane - step]);
}

template <typename T>
T __shfl_sync(unsigned, T mine, int lane) {
    return emulator::value_of<T>(emulator::exchange(emulator::FROM, emulator::bits_of(mine))[lane]);
}

inline unsigned __ballot_sync(unsigned, int mine) {
    const emulator::Bits* all = emulator::exchange(emulator::BALLOT, mine != 0);
    unsigned found = 0;
    for (int k = 0; k < 32; k++) found |= (unsigned)all[k] << k;
    return found;
}

inline int __any_sync(unsigned, int mine) { return __ballot_sync(0, mine) != 0; }

inline unsigned __match_any_sync(unsigned, int mine) {
    const emulator::Bits* all = emulator::exchange(emulator::MATCH, emulator::bits_of(mine));
    unsigned found = 0;
    for (int k = 0; k < 32; k++) found |= (unsigned)(all[k] == emulator::bits_of(mine)) << k;
    return found;
}

inline void meet_at(int barrier, int n) { emulator::wait_for(emulator::barriers[barrier], n); }

inline int atomicAdd(int* where, int more) { return (*where += more) - more; }
inline int atomicOr(int* where, int bits) {
    int before = *where;
    *where |= bits;
    return before;
}

inline double __longlong_as_double(long long bits) { return emulator::value_of<double>(bits); }
inline long long __double_as_longlong(double value) { return emulator::bits_of(value); }
inline float __int_as_float(int bits) { return emulator::value_of<float>(emulator::bits_of(bits)); }
inline int __float_as_int(float value) { return emulator::value_of<int>(emulator::bits_of(value)); }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned __int128)a * b >> 64;
}
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __clz(int bits) { return bits ? __builtin_clz(bits) : 32; }
inline double roughly_inverse(double x) {
    int power;
    double part = frexp(x, &power);
    return ldexp((double)(1.0f / (float)part), -power);
}

template <typename T>
T min(T a, T b) {
    return b < a ? b : a;
}

template <typename T>
T max(T a, T b) {
    return a < b ? b : a;
}
