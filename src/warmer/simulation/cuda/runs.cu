// Whole runs on a GPU: the loop of `simulation.plain`, one block of threads per run at a time.
//
// Compiled without contraction (--fmad=false), every addition, multiplication and comparison is the one that the plain
// loop makes; what several threads find is put together by minima, maxima and whole numbers alone, which no order
// changes. Only Thompson's weights are summed in another order. Evidence is summed in the order of
// `certification.kernels.vectors`, with its logarithms and exponentials.

typedef unsigned long long Word;

enum Rule { ANY, INDEX, LEAST_LOSS, LOSS_BALL, DISTANCE_BALL, DRAWN, SURVIVORS, LIFTED, TOPS, DISTANCE_TOPS };
enum Watching { NOTHING, SQUARES, COINS, BETS, ROUGH_SQUARES, ROUGH_COINS };
enum Noise { EXACT, COIN, UNIFORM, GAUSSIAN, MEAN, ADVERSARY, SIMULATED };
enum Strategy { TRUTHFUL, UP, DOWN, RANDOM };
enum Role { LEARNER, ENVIRONMENT };

const int CHUNK = 128;      // rounds whose random numbers are drawn, and whose results are written, at once
const int MOST_WARPS = 32;  // in a block
const int BATCH = 8;        // rounds that are played before they are watched
const unsigned ALL = 0xffffffffu;
const int NOWHERE = 0x7fffffff;
const int LANES = 128, BLOCK = 1024;         // how sums over candidates are ordered
const int FEW = 64;                          // watched candidates that are looked at by less code
const int FEWEST = 64, SHARE = 2, MOST = 1 << 24;  // when candidates that were ruled out are put aside

#define INFINITE __longlong_as_double(0x7ff0000000000000ll)

// ---- Philox4x64-10 -------------------------------------------------------------------------------------------------

struct Key {
    Word first, second;
};

__device__ void philox(Key key, Word place, Word role, Word run, Word* words) {
    Word c0 = place, c1 = role, c2 = run, c3 = 0, k0 = key.first, k1 = key.second;
#pragma unroll 1
    for (int i = 0; i < 10; i++) {
        Word high0 = __umul64hi(0xD2E7470EE14C6C93ull, c0), low0 = 0xD2E7470EE14C6C93ull * c0;
        Word high1 = __umul64hi(0xCA5A826395121157ull, c2), low1 = 0xCA5A826395121157ull * c2;
        c0 = high1 ^ c1 ^ k0, c1 = low1, c2 = high0 ^ c3 ^ k1, c3 = low0;
        k0 += 0x9E3779B97F4A7C15ull, k1 += 0xBB67AE8584CAA73Bull;
    }
    words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

__device__ double to_unit(Word word) { return (double)(word >> 11) * (1.0 / 9007199254740992.0); }

// The threads of a block that have a barrier of this number to themselves.
template <int BARRIER>
struct Team {
    int n;
    __device__ void meet() const { asm volatile("bar.sync %0, %1;" ::"n"(BARRIER), "r"(n) : "memory"); }
};

typedef Team<1> Players;  // the first threads; one more warp may watch
typedef Team<2> Everyone;

// A warp that is alone in its block: it needs no barrier, of which a processor has too few for many such blocks.
struct Alone {
    static const int n = 32;
};

// The numbers from `start`, a multiple of 4, of a stream, by all players.
template <typename Crew>
__device__ void draw(double* numbers, Crew players, Key key, Role role, Word run, Word start, int n) {
    for (int i = 4 * threadIdx.x; i < n; i += 4 * players.n) {
        Word words[4];
        philox(key, (start + i) / 4 + 1, role, run, words);
        for (int k = 0; k < 4; k++) numbers[i + k] = to_unit(words[k]);
    }
}

// ---- What threads of a block find together -------------------------------------------------------------------------

template <typename T>
struct Found {
    T value;
    int place;
};

// Each call uses the half of the shared memory that the call before did not, so that one barrier is enough.
template <typename T>
struct Meeting {
    T values[2][MOST_WARPS];
    int places[2][MOST_WARPS];
};

template <typename T>
__device__ bool comes_first(T value, int place, T other, int other_place) {
    return value < other || (value == other && place < other_place);
}

__device__ unsigned least_of_warp(unsigned mine) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(ALL, mine);
#else
    for (int step = 16; step; step >>= 1) mine = min(mine, __shfl_xor_sync(ALL, mine, step));
    return mine;
#endif
}

__device__ int least_of_warp(int mine) { return (int)(least_of_warp((unsigned)mine ^ 0x80000000u) ^ 0x80000000u); }

// Numbers are in the order of their bits, once those of negative ones are turned round.
__device__ float least_of_warp(float mine) {
    int bits = __float_as_int(mine + 0.0f);  // no minus zero
    bits = least_of_warp(bits ^ (bits >> 31 & 0x7fffffff));
    return __int_as_float(bits ^ (bits >> 31 & 0x7fffffff));
}

__device__ double least_of_warp(double mine) {
    long long bits = __double_as_longlong(mine + 0.0);
    bits ^= bits >> 63 & 0x7fffffffffffffffll;
    int high = (int)(bits >> 32), least = least_of_warp(high);
    unsigned low = least_of_warp(high == least ? (unsigned)bits : ALL);
    bits = (long long)least << 32 | low;
    return __longlong_as_double(bits ^ (bits >> 63 & 0x7fffffffffffffffll));
}

template <typename T>
__device__ Found<T> least_of_warp(Found<T> mine) {
    T least = least_of_warp(mine.value);
    return {least, least_of_warp(mine.value == least ? mine.place : NOWHERE)};
}

// The least value of all players, and the lowest place where it is found.
template <typename T>
__device__ Found<T> least_of(Found<T> mine, Players players, Meeting<T>& meeting, int& half) {
    mine = least_of_warp(mine);
    if (players.n == 32) {
        __syncwarp();  // as the barrier below does, it puts in order what the others wrote
        return mine;
    }
    if (threadIdx.x % 32 == 0) {
        meeting.values[half][threadIdx.x / 32] = mine.value;
        meeting.places[half][threadIdx.x / 32] = mine.place;
    }
    players.meet();
    mine = {meeting.values[half][0], meeting.places[half][0]};
#pragma unroll 1
    for (int warp = 1; warp < players.n / 32; warp++) {
        T value = meeting.values[half][warp];
        int place = meeting.places[half][warp];
        if (comes_first(value, place, mine.value, mine.place)) mine = {value, place};
    }
    half ^= 1;
    return mine;
}

__device__ int sum_of_warp(int mine) {
    for (int step = 16; step; step >>= 1) mine += __shfl_xor_sync(ALL, mine, step);
    return mine;
}

__device__ int sum_of(int mine, Alone, int*) { return sum_of_warp(mine); }

__device__ int sum_of(int mine, Players players, int* sum) {
    if (players.n == 32) {
        mine = sum_of_warp(mine);
        __syncwarp();
        return mine;
    }
    players.meet();
    if (threadIdx.x == 0) *sum = 0;
    players.meet();
    mine = sum_of_warp(mine);
    if (threadIdx.x % 32 == 0 && mine) atomicAdd(sum, mine);
    players.meet();
    return *sum;
}

// ---- A number for each target: in registers, or in global memory where there are too many ---------------------------

template <typename T, int N>
struct PerTarget {
    T kept[N];
    __device__ PerTarget(T*, Players) {}
    __device__ T& operator[](int j) { return kept[j]; }
};

template <typename T>
struct PerTarget<T, 0> {
    T* kept;
    int n;
    __device__ PerTarget(T* memory, Players players) : kept(memory), n(players.n) {}
    __device__ T& operator[](int j) { return kept[j * n + threadIdx.x]; }
};

// The targets of this thread: number j is target i. In registers there are just as many, the last of them made up, of
// infinite loss.
#define EACH_TARGET(j, i) \
    _Pragma("unroll") for (int j = 0, i = threadIdx.x; N ? j < N : i < game.n_targets; j++, i += players.n)

// All that runs read, and where they write: the fields of `GAME` in launches.py, in its order.
template <typename T>
struct Game {
    const T* rho;
    const T* start;                   // the losses before the first answer: infinite for targets not considered
    const T* values;                  // what each target's best query earns
    const int* best;                  // the best query of each target
    const int* legal;                 // the allowed queries
    const double* double_logs;        // 2 ln t
    const double* logs;               // ln (1 + n), for K arms
    const double* means;              // of each query, one row per environment
    const double* beyond;             // likewise: the weight of each tail that the range cuts off Gaussian noise
    const int* environments;          // which of them each run is played in
    const int* starts;                // which row of `start` each run begins with
    const Word* keys;                 // two words for each run
    const Word* numbers;              // of the runs
    const unsigned char* accepts;     // who accepts each answer, one row per answer
    const int* answers;               // those that may be given; none where candidates have values
    const double* goal_values;        // those of the candidates, if they have any
    const int* own;                   // the answer that is settled when a candidate's value is the least
    const int* preferred;             // the answer to give for each candidate
    const double* rates;              // what squared residuals count, for each query
    const double* cuts;               // ln n + 3
    const double *starts_of, *ends_of;  // of each answer, where candidates have values
    const T* columns;                 // the table turned round, of the allowed queries and some made up
    const double *costs, *variances;  // of the allowed queries; none where all cost the same, or nothing is declared
    const int* settles_on;            // the query to settle on for each candidate; none where answers are queries
    double *counts, *sums, *shares;   // memory of each block
    int* holders;                     // likewise: of how many surviving targets each query is the best
    T *losses, *distances;            // likewise, where they do not fit in registers
    unsigned char* alive;             // likewise
    T* residuals;                     // likewise, the evidence where there is no room for it in shared memory
    double *seen, *weights, *capital;
    int *places, *objectors;
    unsigned char* possible;
    int* lists;                       // likewise, of candidates that stand for all when a query is chosen
    double* list_weights;
    int* next;                        // the next run that nobody plays
    int* queries;                     // none where they are not wanted
    double* rewards;
    int *lengths, *settled, *leaders; // of each run
    double radius, scale, cut;
    double low, high, width;
    double threshold, log_share, log_rest, log_n, length;
    double noise_width, tolerance, boldness, sure, slack, least_lead;
    double lowest, highest, log_arms; // K arms: the interval of means, and what their number costs
    int n_draws, strategy;
    int n_runs, n_targets, n_real, n_queries, n_legal, n_shares, horizon;  // targets: with those made up, and without
    int n_columns, n_choices, is_coin, is_leading, is_ending;  // answers of all; whether one leads; whether runs end when settled
    int n_answers, n_filled, capacity;  // watched candidates that fit in shared memory
};

// ---- Answers --------------------------------------------------------------------------------------------------------

// The quantile of the standard Gaussian: Wichura's algorithm AS 241, as in `environments.kernels.gaussian`.
__device__ double polynomial(const double* factors, double r) {
    double value = factors[0] * r + factors[1];
#pragma unroll 1
    for (int k = 2; k < 8; k++) value = value * r + factors[k];
    return value;
}

__constant__ double AS241[6][8] = {
    {2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
     1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080e0},
    {5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
     5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0},
    {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258e0,
     3.64784832476320460504e0, 5.76949722146069140550e0, 4.63033784615654529590e0, 1.42343711074968357734e0},
    {1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
     6.89767334985100004550e-1, 1.67638483018380384940e0, 2.05319162663775882187e0, 1.0},
    {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
     2.96560571828504891230e-1, 1.78482653991729133580e0, 5.46378491116411436990e0, 6.65790464350110377720e0},
    {2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
     1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0},
};

// Almost one over a normal number.
__device__ double inverse_of(double below) {
    double guess;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(below));
    double error = __fma_rn(-below, guess, 1.0);
    guess = __fma_rn(guess, __fma_rn(error, error, error), guess);
    return __fma_rn(guess, __fma_rn(-below, guess, 1.0), guess);
}

// A quotient, rounded as it should be, of normal numbers whose quotient is one, or of zero: without the look at others
// that would keep several quotients from being found at once.
__device__ double divided(double above, double below, double inverse) {
    double quotient = above * inverse;
    return __fma_rn(inverse, __fma_rn(-below, quotient, above), quotient);
}

__device__ double divided(double above, double below) { return divided(above, below, inverse_of(below)); }

// Rarely wanted, so that its code stands in one place alone.
__device__ __noinline__ double any_quotient(double above, double below) { return above / below; }

// Any quotient by a number that is neither very large nor very small: as `/`, but at full speed for zeros too, which
// there are for queries that are made up.
__device__ double quotient(double above, double below, double inverse) {
    int high = (int)(__double_as_longlong(above) >> 32) & 0x7fffffff;  // 2^-830 to 2^830
    bool is_plain = (unsigned)(high - 0x0C100000) < 0x73D00000u - 0x0C100000u;
    return is_plain || above == 0.0 ? divided(above, below, inverse) : any_quotient(above, below);
}

__device__ double quotient(double above, double below) { return quotient(above, below, inverse_of(below)); }

// The natural logarithm of a positive normal number: the polynomial of `certification.kernels.vectors`.
__device__ double natural_log(double x) {
    const double LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10;
    long long bits = __double_as_longlong(x), power = (bits - 0x3FE6A09E667F3BCDll) >> 52;
    double f = __longlong_as_double(bits - (power << 52)) - 1.0;
    double whole = __longlong_as_double(power + 0x4338000000000000ll) - 6755399441055744.0;
    double s = divided(f, 2.0 + f), z = s * s;
    double p = 1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01);
    p = 2.857142874366239149e-01 + z * (2.222219843214978396e-01 + z * p);
    double half = 0.5 * f * f;
    double rest = s * (half + z * (6.666666666666735130e-01 + z * (3.999999999940941908e-01 + z * p)));
    return whole * LN2_HIGH - ((half - (rest + whole * LN2_LOW)) - f);
}

// The same where it is wanted once in a while: its code stands in one place, since what a kernel does in a round must fit
// in the cache for instructions.
__device__ __noinline__ double one_log(double x) { return natural_log(x); }

// The logarithm of one and a number that is not negative, as in `certification.kernels.vectors`.
__device__ double log_of_more(double x) {
    double more = 1.0 + x;
    return one_log(more) + quotient(x - (more - 1.0), more);
}

// The exponential of a number between -700 and 700: the polynomial of `certification.kernels.vectors`.
__device__ double exponential(double x) {
    const double LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10, SHIFTER = 6755399441055744.0;
    double shifted = x * 1.44269504088896338700 + SHIFTER, whole = shifted - SHIFTER;
    double high = x - whole * LN2_HIGH, low = whole * LN2_LOW, r = high - low, z = r * r;
    double p = 6.61375632143793436117e-05 + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08);
    double c = r - z * (1.66666666666666019037e-01 + z * (-2.77777777770155933842e-03 + z * p));
    double power = __longlong_as_double((__double_as_longlong(shifted) << 52) + 0x3FF0000000000000ll);
    return (1.0 - ((low - divided(r * c, 2.0 - c)) - high)) * power;
}

__device__ double quantile(double p) {
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        double r = 0.180625 - q * q;
        return polynomial(AS241[0], r) * q / polynomial(AS241[1], r);
    }
    double r = sqrt(-one_log(q <= 0.0 ? p : 1.0 - p));
    int tail = r <= 5.0 ? 2 : 4;
    r -= tail == 2 ? 1.6 : 5.0;
    double above = polynomial(AS241[tail], r), below = polynomial(AS241[tail + 1], r);
    return q < 0.0 ? -above / below : above / below;
}

__device__ double toss(double low, double high, double mean, double chance) {
    return low + chance * (high - low) < mean ? high : low;
}

__device__ double adverse(int strategy, double mean, double lowest, double highest, double chance) {
    double told = mean;
    if (strategy == UP) told = highest;
    if (strategy == DOWN) told = lowest;
    if (strategy == RANDOM) told = lowest + chance * (highest - lowest);
    return fmin(fmax(told, lowest), highest);
}

// The answer to a query of this mean, by the random numbers of the round. `beyond` is the weight of each tail that the
// range cuts off Gaussian noise.
template <int NOISE, typename T>
__device__ double answer(const Game<T>& a, double mean, double beyond, const double* chances) {
    switch (NOISE) {
        case EXACT:
            return mean;
        case COIN:
            return toss(a.low, a.high, mean, chances[0]);
        case UNIFORM:
            return mean + fmin(a.width, fmin(mean - a.low, a.high - mean)) * (2.0 * chances[0] - 1.0);
        case GAUSSIAN: {
            double room = fmin(mean - a.low, a.high - mean);
            double level = fmax(beyond + chances[0] * (1.0 - 2.0 * beyond), 1e-300);
            return mean + fmax(-room, fmin(room, a.width * quantile(level)));
        }
    }
    double told = adverse(a.strategy, mean, fmax(mean - a.width, a.low), fmin(mean + a.width, a.high), chances[0]);
    return NOISE == ADVERSARY ? told : toss(a.low, a.high, told, chances[1]);
}

// The mean of several coins: how many show heads is counted by all threads together.
template <typename T, typename Crew>
__device__ double mean_of_coins(const Game<T>& a, Crew players, double mean, Key key, Word run, Word t, int* sum) {
    Word start = t * a.n_draws, end = start + a.n_draws;
    int heads = 0;
    for (Word block = start / 4 + threadIdx.x; block * 4 < end; block += players.n) {
        Word words[4];
        philox(key, block + 1, ENVIRONMENT, run, words);
        for (int k = 0; k < 4; k++)
            if (block * 4 + k >= start && block * 4 + k < end)
                heads += a.low + to_unit(words[k]) * (a.high - a.low) < mean;
    }
    return fmin(a.high, a.low + (double)sum_of(heads, players, sum) / a.n_draws * (a.high - a.low));
}

// ---- Certificates: `simulation.engine.kernels.watching` -------------------------------------------------------------

__device__ double clipped(double value, double low, double high) {
    value = value > low ? value : low;
    return value < high ? value : high;
}

// Minus the logarithm of a chance.
__device__ double cost_of(double chance) { return chance > 1e-300 ? -natural_log(chance) : 1e6; }

// Watched candidates of this thread from one place on: the i-th of all, in part number j of its 4, or of the first so
// many: where no others are watched. The last ones are made up: impossible, of infinite loss and without weight.
#define EACH_OF(n_parts, j, i, first) _Pragma("unroll") for (int j = 0, i = first; j < n_parts; j++, i += 32)
#define EACH_WATCHED(j, i) \
    _Pragma("unroll 1") for (int i##_ = lane(); i##_ < n_filled(); i##_ += LANES) EACH_OF(4, j, i, i##_)

// So many numbers in turn, one per thread of a warp, or 32 at once from `begin` on. Not unrolled: the code of a kernel
// must fit in the cache for instructions.
#define EACH_LANE(i, n) _Pragma("unroll 1") for (int i = lane(); i < n; i += 32)
#define EACH_32(begin, n) _Pragma("unroll 1") for (int begin = 0; begin < n; begin += 32)

// The evidence against each watched candidate, and what it settles, by one warp, all of whose threads know the same
// numbers. Candidates are in shared memory as soon as they are few enough, if there is any for them.
template <typename T, int WATCH, bool IS_SHARED>
struct Evidence {
    const Game<T>& game;
    double *counts, *sums;
    char* shared;
    int* objectors;
    double least, total, free, by_candidates, by_free, by_mixed, n_errors, spread, odds, cut;
    int best, n_possible, n_watched, n_listed, listed, lowest, highest;
    T* losses;
    double *weights, *capital;
    int* places;
    unsigned char* possible;

    __device__ Evidence(const Game<T>& game, char* shared)
        : game(game), counts(game.seen + 2 * (size_t)blockIdx.x * game.n_queries), sums(counts + game.n_queries),
          shared(shared), objectors(game.objectors + (size_t)blockIdx.x * game.n_answers) {}

    __device__ static constexpr bool is_ratio() { return WATCH == SQUARES || WATCH == COINS; }

    __device__ static int lane() { return threadIdx.x % 32; }

    // Which candidate is at a place; any where it is made up.
    __device__ int candidate(int i) {
        if (n_watched < game.n_real) return places[i];
        return i < n_watched ? i : 0;
    }

    __device__ int n_filled() { return (n_watched + LANES - 1) / LANES * LANES; }

    __device__ double quarter() { return (game.high - game.low) * (game.high - game.low) / 16.0; }

    __device__ double variance() {
        return (by_mixed + quarter()) / (n_errors + 1);
    }

    __device__ double rate() { return is_ratio() ? 1.0 : 1 / (2 * variance()); }

    // Keep so many candidates where there is room for them.
    __device__ void move(int n) {
        size_t room = game.capacity, block = blockIdx.x, all = game.n_filled;
        if (IS_SHARED && n <= room) {
            weights = (double*)shared;
            capital = weights + room;
            losses = (T*)(is_ratio() ? capital : capital + room);
            places = (int*)(losses + room);
            possible = (unsigned char*)(places + room);
        } else {
            weights = game.weights + block * all, capital = game.capital + block * all, losses = game.residuals + block * all;
            places = game.places + block * all, possible = game.possible + block * all;
        }
    }

    // Every candidate is possible; the answer that is settled already, or -1.
    __device__ int restart() {
        best = 0, n_possible = n_watched = game.n_real, cut = game.cuts[game.n_real];
        n_listed = lowest = -1;
        move(n_watched);
        __syncwarp();
        EACH_WATCHED(j, i) {
            bool is_one = i < n_watched;
            losses[i] = is_one ? (T)0 : (T)INFINITE, possible[i] = is_one;
            if (!is_ratio()) capital[i] = 0.0;
        }
        EACH_LANE(k, game.n_answers) objectors[k] = 0;
        EACH_LANE(q, game.n_queries) counts[q] = sums[q] = 0.0;
        least = total = free = by_candidates = by_free = by_mixed = n_errors = 0.0;
        look_ahead();
        weigh<4>(rate(), [](int, const double*) {});
        __syncwarp();
        return settle();
    }

    // One more answer; the answer that is settled now, or -1. Where few are watched most of the time, these are looked at
    // alone, by code without loops: parts of sums that are zero change nothing.
    template <bool IS_OFTEN_FEW>
    __device__ int see(int query, double reward, int settled) {
        bool is_few = IS_OFTEN_FEW && n_watched <= FEW && list();
        int mine = is_few ? take_in<FEW / 32>(query, reward) : take_in<LANES / 32>(query, reward);
        if (!__any_sync(ALL, mine)) return settled;
        n_possible -= sum_of_warp(mine);
        __syncwarp();
        settled = settle();
        reduce();
        return settled;
    }

    // How many candidates an answer strikes, of those of this thread.
    template <int PARTS>
    __device__ int take_in(int query, double reward) {
        __syncwarp();
        const T* row = game.rho + (size_t)query * game.n_targets;
        double before = least, heads = heads_of(reward), base = WATCH == COINS ? entropy_of(heads) : 0.0;
        double answers = counts[query] + 1.0, sum_of_answers = sums[query];
        double rate = WATCH == SQUARES ? game.rates[query] : 1.0;
        double expected = divided(add_costs<PARTS>(row, reward, rate, heads, base), total);
        double mean = divided(sum_of_answers + expected, answers);
        if (lane() == 0) counts[query] = answers, sums[query] = sum_of_answers + reward;
        return is_ratio() ? compare<PARTS>(query, reward, mean, before, heads, base)
                          : place_bets<PARTS>(row, query, reward, expected, mean, heads);
    }

    // Rotate the four parts of a sum: so they stay in registers, and `folded` gives the same.
    __device__ static void turn(double* parts) {
        double first = parts[0];
        parts[0] = parts[1], parts[1] = parts[2], parts[2] = parts[3], parts[3] = first;
    }

    // The sum of all lanes, in the order of `vectors.folded`.
    __device__ double folded(const double* parts) {
        double part = (parts[0] + parts[2]) + (parts[1] + parts[3]);
        for (int step = 16; step; step >>= 1) part += __shfl_xor_sync(ALL, part, step);
        return part;
    }

    // Charge each candidate for an answer, and find the least of them; the weighted sum of the row.
    template <int PARTS>
    __device__ double add_costs(const T* row, double reward, double rate, double heads, double base) {
        T center = (T)reward, weight = (T)rate, shift = (T)least;
        double parts[4] = {};
        Found<double> mine = {INFINITE, NOWHERE};
#pragma unroll 1
        for (int first = lane(); PARTS < 4 || first < n_filled(); first += LANES) {  // all are read before any is written: at once
            double ours[PARTS];
            T entries[PARTS], values[PARTS];
            EACH_OF(PARTS, j, i, first) entries[j] = row[candidate(i)], values[j] = losses[i], ours[j] = weights[i];
            EACH_OF(PARTS, j, i, first) {
                T difference = entries[j] - center;
                parts[j] += ours[j] * (double)entries[j];
                if (WATCH == COINS)
                    values[j] = (T)(((double)values[j] - least) + coin_cost((double)entries[j], heads, base));
                else
                    values[j] = (values[j] - shift) + weight * (difference * difference);
                if ((double)values[j] < mine.value) mine = {(double)values[j], i};
            }
            EACH_OF(PARTS, j, i, first) losses[i] = values[j];
            if (PARTS < 4) break;
        }
        __syncwarp();
        double sum = folded(parts);
        lead(mine);
        return sum;
    }

    __device__ double coin_cost(double entry, double heads, double base) {
        double chance = divided(entry - game.low, game.high - game.low), cost = -base;
        chance = chance > 0.0 ? chance : 0.0;
        chance = chance < 1.0 ? chance : 1.0;
        if (heads > 0.0) cost += heads * cost_of(chance);
        if (1.0 - heads > 0.0) cost += (1.0 - heads) * cost_of(1.0 - chance);
        return cost > 0.0 ? cost : 0.0;
    }

    __device__ void lead(Found<double> mine) {
        Found<double> found = least_of_warp(mine);
        least = found.value, best = found.place;
    }

    // Weights <- exp(-rate (losses - least)), and their sum in the order of `vectors.total`. `look` is told the first of
    // two candidates and what they lost: two at once, to keep the code small.
    template <int PARTS, typename Look>
    __device__ void weigh(double rate, Look look) {
        total = 0.0;
#pragma unroll 1
        for (int begin = 0; PARTS < 4 || begin < n_watched; begin += BLOCK) {
            double parts[4] = {};
            int end = min(begin + BLOCK, n_filled());
#pragma unroll 1
            for (int first = begin + lane(); PARTS < 4 || first < end; first += 64) {
                double ours[2];
                EACH_OF(2, j, i, first) ours[j] = (double)losses[i];
                look(first, ours);
                EACH_OF(2, j, i, first) {
                    double log_weight = -rate * (ours[j] - least);
                    double weight = exponential(log_weight > -cut ? log_weight : -cut);
                    parts[j] += ours[j] = log_weight >= -cut ? weight : 0.0;
                }
                EACH_OF(2, j, i, first) weights[i] = ours[j];
                if (PARTS < 4) break;
                turn(parts), turn(parts);
            }
            total += folded(parts);
            if (PARTS < 4) break;
        }
    }

    // Likelihood ratios; how many candidates this thread struck.
    template <int PARTS>
    __device__ int compare(int query, double reward, double mean, double before, double heads, double base) {
        free -= before;
        if (WATCH == SQUARES) {
            free += game.rates[query] * ((reward - mean) * (reward - mean));
        } else {
            double low = game.low, high = game.high, tails = 1.0 - heads;
            double chance = clipped((mean - low) / (high - low), 1e-3, 1.0 - 1e-3);
            free += -heads * natural_log(chance) - tails * natural_log(1.0 - chance) - base;
        }
        double farthest = -1.0;  // the largest loss of a possible candidate
        bool is_mine = PARTS < 4 && listed >= 0;
        if (is_mine) farthest = (double)losses[listed];
        weigh<PARTS>(1.0, [&](int first, const double* values) {
            if (PARTS == 4)
                EACH_OF(2, j, i, first) if (possible[i] && values[j] > farthest) farthest = values[j];
        });
        if (!__any_sync(ALL, farthest >= least_limit())) return 0;
        double ours = game.log_rest + one_log(total) - least - game.log_n, theirs = game.log_share - free;
        double high = ours > theirs ? ours : theirs, low = ours > theirs ? theirs : ours;
        double gap = low - high > -700.0 ? low - high : -700.0;
        double limit = game.threshold - (high + one_log(1.0 + exponential(gap)));
        int struck = is_mine && farthest >= limit;
        if (struck) possible[listed] = 0;
        if (PARTS < 4) return struck;
#pragma unroll 1
        for (int first = lane(); first < n_filled(); first += LANES) {
            bool strikes[4];
            EACH_OF(4, j, i, first) strikes[j] = (double)losses[i] >= limit & possible[i];
            EACH_OF(4, j, i, first) if (strikes[j]) possible[i] = 0, struck++;
        }
        return struck;
    }

    // No more than the limit beyond which candidates are struck, whose logarithms are worth their while only if somebody may
    // be: 2^k <= total < 2^(k + 1), and ln (1 + e^x) <= ln 2 for x <= 0, and <= e^x.
    __device__ double least_limit() {
        int power = (int)(__double_as_longlong(total) >> 52) - 1023;
        double ours = game.log_rest + (double)(power + 1) * 0.69314719 - least - game.log_n, theirs = game.log_share - free;
        bool is_one = theirs - ours < -11.0 || ours - theirs < -11.0;  // 11 - ln 2 > 10, and e^-10 < 1e-4
        double most = (ours > theirs ? ours : theirs) + (is_one ? 1e-4 : 0.7);
        return game.threshold - most - 1e-6 * (1.0 + fabs(least) + fabs(free));
    }

    // What the next bets go by, found beside the weights: the variance of errors so far, and the odds of the candidates'
    // forecasts against those of averages.
    __device__ void look_ahead() {
        if (is_ratio()) return;
        spread = divided(by_mixed + quarter(), n_errors + 1.0);
        odds = exponential(clipped(divided(by_free - by_candidates, 2.0 * spread), -700.0, 700.0));
    }

    // Bets against each candidate; how many this thread struck.
    template <int PARTS>
    __device__ int place_bets(const T* row, int query, double reward, double expected, double mean, double heads) {
        double variance = spread, mixed = expected + divided(mean - expected, 1.0 + odds);
        double low = game.low, high = game.high, edge = 1e-3 * (high - low);
        double forecast = WATCH == ROUGH_COINS ? clipped(mixed, low + edge, high - edge) : mixed;
        by_candidates += (reward - expected) * (reward - expected);
        by_free += (reward - mean) * (reward - mean);
        by_mixed += (reward - mixed) * (reward - mixed);
        n_errors += 1.0;
        look_ahead();
        int struck = 0;
        auto stake = [&](double entry, double had) {
            double after = had;
            if (WATCH == BETS) after = bet(entry, had, forecast, variance, reward);
            if (WATCH == ROUGH_SQUARES) after = had + rough_squares(entry, forecast, reward, game.rates[query]);
            if (WATCH == ROUGH_COINS) after = had + rough_coins(entry, forecast, heads, 1.0 - heads);
            return had < game.sure ? after : had;
        };
        weigh<PARTS>(divided(n_errors + 1.0, 2.0 * (by_mixed + quarter())), [&](int first, const double*) {
            if (PARTS < 4) {  // without a branch: what threads that have none find is forgotten
                bool is_mine = listed >= 0;
                double after = stake((double)row[candidate(is_mine ? listed : 0)], is_mine ? capital[listed] : 0.0);
                struck = is_mine & after >= game.threshold;
                if (is_mine) capital[listed] = after;
                if (struck) possible[listed] = 0;
                return;
            }
            double before[2], after[2];
            int strikes[2];
            EACH_OF(2, j, i, first)
                after[j] = (double)row[candidate(i)], before[j] = capital[i], strikes[j] = possible[i];
            EACH_OF(2, j, i, first) {
                after[j] = stake(after[j], before[j]);
                strikes[j] &= after[j] >= game.threshold;
                struck += strikes[j];
            }
            EACH_OF(2, j, i, first) {
                capital[i] = after[j];
                if (strikes[j]) possible[i] = 0;
            }
        });
        return struck;
    }

    // Whether the possible candidates are so few that each thread has one: where it is listed, or -1.
    __device__ bool list() {
        __syncwarp();
        if (n_listed == n_possible) return true;
        if (n_possible > 32) return false;
        __shared__ int places_of[32];
        int n = 0;
        EACH_32(begin, n_watched) {
            int i = begin + lane();
            bool is_in = i < n_watched && possible[i];
            unsigned all = __ballot_sync(ALL, is_in);
            if (is_in) places_of[n + __popc(all & ((1u << lane()) - 1))] = i;
            n += __popc(all);
        }
        __syncwarp();
        n_listed = n_possible, listed = lane() < n ? places_of[lane()] : -1;
        return true;
    }

    __device__ double bet(double entry, double before, double forecast, double variance, double reward) {
        double low = game.low, high = game.high, slop = game.tolerance, boldness = game.boldness;
        double bottom = clipped(entry - slop - game.noise_width, low, high);
        double top = clipped(entry + slop + game.noise_width, low, high);
        double out = game.slack * (fabs(entry) > 1.0 ? fabs(entry) : 1.0);
        double mean = clipped(clipped(forecast, entry - slop, entry + slop), low, high), gap = forecast - mean;
        double room = gap > 0.0 ? mean - bottom : top - mean, spread = variance + gap * gap;
        bool is_cut = fabs(gap) * room > boldness * spread;
        double stake = divided(is_cut ? boldness : fabs(gap), is_cut ? room : spread);
        double change = (gap > 0.0 ? stake : -stake) * (reward - mean);
        double after = before + natural_log(1.0 + (change > -boldness ? change : -boldness));
        return reward >= bottom - out && reward <= top + out ? after : INFINITE;
    }

    __device__ double rough_squares(double entry, double forecast, double reward, double rate) {
        double miss = reward - clipped(forecast, entry - game.tolerance, entry + game.tolerance);
        return rate * (miss * miss - (reward - forecast) * (reward - forecast));
    }

    __device__ double rough_coins(double entry, double forecast, double heads, double tails) {
        double low = game.low, high = game.high, more = 0.0;
        double mean = clipped(clipped(forecast, entry - game.tolerance, entry + game.tolerance), low, high);
        if (heads > 0.0) more += mean > low ? heads * natural_log(divided(forecast - low, mean - low)) : INFINITE;
        if (tails > 0.0) more += mean < high ? tails * natural_log(divided(high - forecast, high - mean)) : INFINITE;
        return more;
    }

    // What share of a coin's tosses showed heads: 0 or 1, but for rounding and for means of several coins.
    __device__ double heads_of(double reward) {
        double heads = (reward - game.low) / (game.high - game.low);
        return fabs(heads - rint(heads)) <= 1e-6 ? rint(heads) : heads;
    }

    __device__ double entropy_of(double heads) {
        double found = 0.0, tails = 1.0 - heads;
        if (heads > 0.0) found -= heads * natural_log(heads);
        if (tails > 0.0) found -= tails * natural_log(tails);
        return found;
    }

    // The likeliest possible candidate; the likeliest of all where none is left.
    __device__ int leader() {
        if (possible[best] || n_possible == 0) return candidate(best);
        double factor = rate();
        Found<double> mine = {INFINITE, NOWHERE};
        EACH_WATCHED(j, i) {
            double behind = factor * (double)losses[i];
            if (possible[i] && behind < mine.value) mine = {behind, i};
        }
        int found = least_of_warp(mine).place;
        return candidate(found == NOWHERE ? best : found);
    }

    // The answer that all possible candidates accept, the leader's if it is among several; -1 if there is none.
    __device__ int settle() {
        if (n_possible == 0) return -1;
        if (game.n_answers == 0) return narrow();
        int wanted = game.preferred[leader()];
        int first = NOWHERE;
        EACH_LANE(k, game.n_answers) {
            const unsigned char* accepts = game.accepts + (size_t)game.answers[k] * game.n_real;
            int i = objectors[k];
            while (i < n_watched && (accepts[candidate(i)] || !possible[i])) i++;
            objectors[k] = i;
            if (i == n_watched) first = min(first, game.answers[k] == wanted ? -1 : k);
        }
        int found = least_of_warp(first);
        return found == NOWHERE ? -1 : found < 0 ? wanted : game.answers[found];
    }

    // The answer that starts with the least value of those possible, if the largest is not too far from it: as little as
    // before while the candidates that have these values are possible.
    __device__ int narrow() {
        if (lowest >= 0 && possible[lowest] && possible[highest]) return -1;
        Found<double> low = {INFINITE, NOWHERE}, high = low;
        EACH_WATCHED(j, i)
            if (possible[i]) {
                double value = game.goal_values[candidate(i)];
                if (value < low.value) low = {value, i};
                if (-value < high.value) high = {-value, i};
            }
        low = least_of_warp(low), high = least_of_warp(high);
        if (-high.value - low.value <= game.length) return game.own[candidate(low.place)];
        lowest = low.place, highest = high.place;
        return -1;
    }

    // Watch the remaining candidates alone, where that pays.
    __device__ void reduce() {
        bool is_small = (long long)n_possible * game.n_queries <= MOST;
        if (n_watched < FEWEST || n_possible == 0 || n_possible * SHARE > n_watched || !is_small) return;
        int n = 0;
        T* old_losses = losses;
        double* old_capital = capital;
        int* old_places = places;
        unsigned char* old_possible = possible;
        move(n_possible);
        __syncwarp();
        EACH_32(start, n_watched) {
            int i = start + lane(), place = 0;
            bool stays = i < n_watched && old_possible[i];
            T loss = 0;
            double money = 0.0;
            if (stays) {
                loss = old_losses[i], place = n_watched < game.n_real ? old_places[i] : i;
                if (!is_ratio()) money = old_capital[i];
            }
            unsigned staying = __ballot_sync(ALL, stays);
            __syncwarp();
            int to = n + __popc(staying & ((1u << lane()) - 1));
            if (stays) {
                losses[to] = loss, places[to] = place;
                if (!is_ratio()) capital[to] = money;
            }
            n += __popc(staying);
        }
        __syncwarp();
        for (int i = n + lane(); i < (n + LANES - 1) / LANES * LANES; i += 32) {
            losses[i] = (T)INFINITE, places[i] = 0;
            if (!is_ratio()) capital[i] = 0.0;
        }
        __syncwarp();
        EACH_LANE(k, game.n_answers) objectors[k] = 0;
        n_watched = n, cut = game.cuts[n], n_listed = lowest = -1;
        Found<double> mine = {INFINITE, NOWHERE};
        EACH_WATCHED(j, i) {
            possible[i] = i < n;
            if ((double)losses[i] < mine.value) mine = {(double)losses[i], i};
        }
        lead(mine);
        weigh<4>(rate(), [](int, const double*) {});
        __syncwarp();
    }
};

// ---- Runs -----------------------------------------------------------------------------------------------------------

template <typename T, int RULE, int N>
struct Run {
    const Game<T>& game;
    Players players;
    double *counts, *sums, *shares;
    int* holders;
    PerTarget<T, N> losses, distances;
    unsigned alive_bits = 0;  // of the targets in registers
    unsigned char* alive_bytes;
    Meeting<T>& meeting;
    Meeting<double>& wide;
    int* sum;
    int half = 0, wide_half = 0;
    Found<T> least = {0, 0};
    T least_distance = 0;
    int n_alive = 0;

    __device__ Run(const Game<T>& game, Players players, Meeting<T>& meeting, Meeting<double>& wide, int* sum)
        : game(game), players(players), counts(game.counts + (size_t)blockIdx.x * game.n_queries),
          sums(game.sums + (size_t)blockIdx.x * game.n_queries),
          shares(game.shares + (size_t)blockIdx.x * game.n_shares),
          holders(game.holders + (size_t)blockIdx.x * game.n_queries),
          losses(game.losses + (size_t)blockIdx.x * game.n_targets, players),
          distances(game.distances + (size_t)blockIdx.x * game.n_targets, players),
          alive_bytes(game.alive + (size_t)blockIdx.x * game.n_targets), meeting(meeting), wide(wide), sum(sum) {}

    __device__ static constexpr bool fits() { return RULE >= LEAST_LOSS && RULE <= SURVIVORS; }

    __device__ void restart(const T* start) {
        for (int q = threadIdx.x; q < game.n_queries; q += players.n) {
            counts[q] = 0.0, sums[q] = 0.0;
            if (RULE == SURVIVORS) holders[q] = 0;
        }
        players.meet();
        if (!fits()) return;
        Found<T> mine = {(T)INFINITE, (int)threadIdx.x};
        EACH_TARGET(j, i) {
            losses[j] = start[i];
            if (losses[j] < mine.value) mine = {losses[j], i};
            if (RULE == DISTANCE_BALL) distances[j] = i < game.n_real ? (T)0 : (T)INFINITE;
            if (RULE == SURVIVORS) {
                set_alive(j, i, i < game.n_real);
                if (i < game.n_real) atomicAdd(&holders[game.best[i]], 1);
            }
        }
        least = least_of(mine, players, meeting, half);
        least.value = 0, least_distance = 0, n_alive = game.n_real;
        players.meet();
    }

    __device__ void set_alive(int j, int i, bool is) {
        if (N)
            alive_bits = is ? alive_bits | 1u << j : alive_bits & ~(1u << j);
        else
            alive_bytes[i] = is;
    }

    // values <- values - shift + weight (row - center)^2, and the least of them.
    __device__ Found<T> add_squares(PerTarget<T, N>& kept, const T* row, T center, T weight, T shift) {
        Found<T> lows[4];
        for (int k = 0; k < 4; k++) lows[k] = {(T)INFINITE, NOWHERE};
        EACH_TARGET(j, i) {
            T difference = row[i] - center, value = (kept[j] - shift) + weight * (difference * difference);
            kept[j] = value;
            if (value < lows[j % 4].value) lows[j % 4] = {value, i};
        }
        for (int k = 1; k < 4; k++)
            if (comes_first(lows[k].value, lows[k].place, lows[0].value, lows[0].place)) lows[0] = lows[k];
        return least_of(lows[0], players, meeting, half);
    }

    // The lowest-numbered target of the largest value among those within the limit.
    __device__ int top_within(PerTarget<T, N>& kept, double limit) {
        Found<T> mine = {(T)INFINITE, NOWHERE};
        EACH_TARGET(j, i)
            if ((double)kept[j] <= limit && (mine.place == NOWHERE || -game.values[i] < mine.value))
                mine = {-game.values[i], i};
        return least_of(mine, players, meeting, half).place;
    }

    // A target drawn by its weight: the first at which the running sum exceeds the share `level` of the total.
    __device__ int drawn(double level) {
        int lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = players.n / 32;
        int n_rows = (game.n_targets + players.n - 1) / players.n;
        double lowest = (double)least.value, limit = lowest + game.cut * game.scale;
        players.meet();
#pragma unroll
        for (int j = 0; N ? j < N : j < n_rows; j++) {
            int i = j * players.n + threadIdx.x;
            double weight = 0.0;
            if (i < game.n_targets && (double)losses[j] <= limit) weight = exp((lowest - (double)losses[j]) / game.scale);
            for (int step = 16; step; step >>= 1) weight += __shfl_xor_sync(ALL, weight, step);
            if (lane == 0 && j < n_rows) shares[j * n_warps + warp] = weight;
        }
        players.meet();
        int n = n_rows * n_warps;
        double total = 0.0;
        for (int k = lane; k < n; k += 32) total += shares[k];
        for (int step = 16; step; step >>= 1) total += __shfl_xor_sync(ALL, total, step);
        double aim = level * total, before = 0.0;
        int chosen = -1, last = 0;
        double at_chosen = 0.0, at_last = 0.0;
        for (int start = 0; start < n && chosen < 0; start += 32) {
            double share = start + lane < n ? shares[start + lane] : 0.0, running = share;
            for (int step = 1; step < 32; step <<= 1) {
                double other = __shfl_up_sync(ALL, running, step);
                if (lane >= step) running += other;
            }
            unsigned past = __ballot_sync(ALL, share > 0.0 && before + running > aim), some = __ballot_sync(ALL, share > 0.0);
            if (some) {
                int lane_of_last = 31 - __clz(some);
                last = start + lane_of_last;
                at_last = before + __shfl_sync(ALL, running - share, lane_of_last);
            }
            if (past) {
                int first = __ffs(past) - 1;
                chosen = start + first;
                at_chosen = before + __shfl_sync(ALL, running - share, first);
            }
            before += __shfl_sync(ALL, running, 31);
        }
        if (chosen < 0) chosen = last, at_chosen = at_last;
        if (warp == chosen % n_warps) {
            int row = chosen / n_warps;
            double weight = 0.0;
#pragma unroll
            for (int j = 0; N ? j < N : j <= row; j++) {
                int i = j * players.n + threadIdx.x;
                if (j == row && i < game.n_targets && (double)losses[j] <= limit)
                    weight = exp((lowest - (double)losses[j]) / game.scale);
            }
            double running = weight;
            for (int step = 1; step < 32; step <<= 1) {
                double other = __shfl_up_sync(ALL, running, step);
                if (lane >= step) running += other;
            }
            unsigned past = __ballot_sync(ALL, weight > 0.0 && at_chosen + running > aim), some = __ballot_sync(ALL, weight > 0.0);
            int which = past ? __ffs(past) - 1 : 31 - __clz(some);
            if (lane == 0) *sum = row * players.n + warp * 32 + which;
        }
        players.meet();
        int found = *sum;
        players.meet();
        return found;
    }

    // Of the best queries of surviving targets, the one with the fewest answers.
    __device__ int least_asked() {
        Found<double> mine = {INFINITE, NOWHERE};
        for (int q = threadIdx.x; q < game.n_queries; q += players.n) {
            double count = counts[q];  // read at once with the other
            if (holders[q] > 0 && count < mine.value) mine = {count, q};
        }
        return least_of(mine, players, wide, wide_half).place;
    }

    // The allowed query with the largest index of UCB1.
    __device__ int largest_index(double double_log, int t) {
        if (t < game.n_legal) return game.legal[t];
        Found<double> mine = {INFINITE, NOWHERE};
        for (int k = threadIdx.x; k < game.n_legal; k += players.n) {
            double count = counts[game.legal[k]];
            double index = sums[game.legal[k]] / count + game.radius * sqrt(double_log / count);
            if (-index < mine.value) mine = {-index, k};
        }
        return game.legal[least_of(mine, players, wide, wide_half).place];
    }

    // The average of an arm, clipped to the interval of means; `unpulled` where there is none.
    __device__ double fitted(int k, double unpulled) {
        return counts[k] > 0.0 ? clipped(sums[k] / counts[k], game.lowest, game.highest) : unpulled;
    }

    __device__ double top_of(int k) {
        double count = counts[k];
        if (!(count > 0.0)) return game.highest;
        if (RULE == TOPS) {
            double radius = game.scale * (1 + 1 / count) * (2 * game.log_arms + game.logs[(int)count]);
            return clipped(sums[k] / count + sqrt(radius / count), game.lowest, game.highest);
        }
        double top = fitted(k, game.highest) + sqrt(game.radius / count);
        return top < game.highest ? top : game.highest;
    }

    // The arm with the largest value, the lowest-numbered of several.
    template <typename Value>
    __device__ Found<double> largest_arm(Value value) {
        Found<double> mine = {INFINITE, NOWHERE};
        for (int k = threadIdx.x; k < game.n_queries; k += players.n) {
            double minus = -value(k);
            if (minus < mine.value) mine = {minus, k};
        }
        return least_of(mine, players, wide, wide_half);
    }

    // The best arm of the means with the least loss of which one reaches the level.
    __device__ int lifted() {
        double level = game.radius, unpulled = level > game.lowest ? level : game.lowest;
        Found<double> best = largest_arm([&](int k) { return fitted(k, unpulled); });
        if (-best.value >= level) return best.place;
        return largest_arm([&](int k) {
            double average = sums[k] / counts[k], above = level - average, beside = fitted(k, unpulled) - average;
            return -(counts[k] * (above * above - beside * beside));
        }).place;
    }

    // The best arm of the most optimistic means.
    __device__ int optimistic_arm() {
        int best = largest_arm([&](int k) { return top_of(k); }).place;
        return largest_arm([&](int k) { return k == best ? top_of(k) : fitted(k, game.lowest); }).place;
    }

    __device__ int ask(int t, double chance) {
        switch (RULE) {
            case ANY:
                return game.legal[(int)(chance * game.n_legal)];
            case INDEX:
                return largest_index(game.double_logs[t], t);
            case LEAST_LOSS:
                return game.best[least.place];
            case LOSS_BALL:
                return game.best[top_within(losses, (double)least.value + game.radius)];
            case DISTANCE_BALL:
                return game.best[top_within(distances, game.radius)];
            case DRAWN:
                return game.best[drawn(chance)];
            case LIFTED:
                return lifted();
            case TOPS:
            case DISTANCE_TOPS:
                return optimistic_arm();
        }
        return least_asked();
    }

    __device__ void tell(int query, double reward) {
        if (threadIdx.x == 0) counts[query] += 1.0, sums[query] += reward;
        if (!fits()) {
            players.meet();
            return;
        }
        int before = least.place;
        least = add_squares(losses, game.rho + (size_t)query * game.n_targets, (T)reward, (T)1, least.value);
        if (RULE == DISTANCE_BALL) measure(query, before);
        if (RULE == SURVIVORS) strike();
    }

    // The distances to the least-squares target; summed anew where it is another one.
    __device__ void measure(int query, int before) {
        size_t n = game.n_targets;
        if (before == least.place) {
            const T* row = game.rho + query * n;
            least_distance = add_squares(distances, row, row[least.place], (T)1, least_distance).value;
            return;
        }
        players.meet();
        EACH_TARGET(j, i) distances[j] = i < game.n_real ? (T)0 : (T)INFINITE;
        least_distance = 0;
        for (int q = 0; q < game.n_queries; q++) {
            double count = counts[q];
            if (count > 0.0) {
                const T* row = game.rho + q * n;
                least_distance = add_squares(distances, row, row[least.place], (T)count, least_distance).value;
            }
        }
    }

    // Rule out the targets beyond the limit; where that leaves none, take in all within.
    __device__ void strike() {
        double limit = (double)least.value + game.radius;
        n_alive -= sum_of(change(false, limit), players, sum);
        if (n_alive == 0) n_alive = sum_of(change(true, limit), players, sum);
    }

    // Take in the targets within the limit, or rule out those beyond: how many, of those of this thread. Few change at
    // once: their bits are found first, so that the code for one of them stands here once, not for each target.
    __device__ int change(bool is_back, double limit) {
        int count = 0;
        unsigned bits = 0;
        EACH_TARGET(j, i) {
            bool is_in = (double)losses[j] <= limit;
            if (N)
                bits |= (unsigned)(is_in == is_back) << j;
            else if (is_in == is_back && alive_bytes[i] != is_back)
                alive_bytes[i] = is_back, hold(i, is_back), count++;
        }
        if (N == 0) return count;
        bits &= is_back ? ~alive_bits : alive_bits;
        alive_bits ^= bits;
        count = __popc(bits);
#pragma unroll 1
        for (; bits; bits &= bits - 1) hold((__ffs(bits) - 1) * players.n + threadIdx.x, is_back);
        return count;
    }

    __device__ void hold(int i, bool is_back) { atomicAdd(&holders[game.best[i]], is_back ? 1 : -1); }
};

extern __shared__ double dynamic[];

// What the players of a block and the warp that watches tell each other.
struct Desk {
    double told[CHUNK];
    int asked[CHUNK], runs[2], settled[2];
};

// The next run that nobody plays; -1 if there is none. As in a meeting, each call writes where the call before did not.
template <typename T>
__device__ int next_run(const Game<T>& game, Players players, Everyone everyone, int* runs, int& half) {
    if (threadIdx.x == 0) runs[half] = atomicAdd(game.next, 1);
    if (threadIdx.x < players.n) players.meet();  // without this, racecheck loses sight of the barrier that follows
    everyone.meet();
    int run = runs[half];
    half ^= 1;
    return run < game.n_runs ? run : -1;
}

// Play runs into the rows of `queries` and `rewards`.
template <typename T, int RULE, int NOISE, bool IS_WATCHED, int N>
__device__ void play_runs(const Game<T>& game, Players players, Everyone everyone, Desk& desk) {
    __shared__ double mine[CHUNK], theirs[2 * CHUNK];
    __shared__ int sum;
    __shared__ Meeting<T> meeting;
    __shared__ Meeting<double> wide;
    Run<T, RULE, N> run(game, players, meeting, wide, &sum);
    int batch = IS_WATCHED ? BATCH : CHUNK, half = 0;
    while (true) {
        int k = next_run(game, players, everyone, desk.runs, half);
        if (k < 0) return;
        size_t offset = (size_t)game.environments[k] * game.n_queries, row = (size_t)k * game.horizon;
        Word number = game.numbers[k];
        Key key = {game.keys[2 * k], game.keys[2 * k + 1]};
        run.restart(game.start + (size_t)game.starts[k] * game.n_targets);
        for (int begin = 0; begin < game.horizon; begin += batch) {
            if (IS_WATCHED) everyone.meet();
            if (IS_WATCHED && desk.settled[begin / BATCH % 2] >= 0) break;
            int start = begin % CHUNK, n = min(batch, game.horizon - begin);
            if (start == 0) {
                if (RULE == ANY || RULE == DRAWN) draw(mine, players, key, LEARNER, number, begin, CHUNK);
                if (NOISE != EXACT && NOISE != MEAN)
                    draw(theirs, players, key, ENVIRONMENT, number, (Word)begin * game.n_draws, CHUNK * game.n_draws);
                players.meet();
            }
            for (int r = start; r < start + n; r++) {
                int t = begin + r - start, query = run.ask(t, mine[r]);
                double mean = game.means[offset + query];
                double reward = NOISE == MEAN
                                    ? mean_of_coins(game, players, mean, key, number, t, &sum)
                                    : answer<NOISE>(game, mean, game.beyond[offset + query], theirs + r * game.n_draws);
                if (threadIdx.x == 0) desk.asked[r] = query, desk.told[r] = reward;
                run.tell(query, reward);
            }
            players.meet();
            for (int i = threadIdx.x; i < n && game.queries; i += players.n) {
                game.queries[row + begin + i] = desk.asked[start + i];
                game.rewards[row + begin + i] = desk.told[start + i];
            }
            players.meet();
        }
        if (IS_WATCHED) everyone.meet();
    }
}

// Watch runs, a batch of rounds behind the players: what they play after the round that settles a run is forgotten.
template <typename T, int WATCH>
__device__ void watch_runs(const Game<T>& game, Players players, Everyone everyone, Desk& desk) {
    Evidence<T, WATCH, true> evidence(game, (char*)dynamic);
    int half = 0;
    while (true) {
        int k = next_run(game, players, everyone, desk.runs, half), length = 0;
        if (k < 0) return;
        int settled = evidence.restart();
        if (threadIdx.x % 32 == 0) desk.settled[0] = settled;
        for (int begin = 0; begin < game.horizon; begin += BATCH) {
            everyone.meet();
            if (settled >= 0) break;
            for (; length < begin && settled < 0; length++)
                settled = evidence.template see<true>(desk.asked[length % CHUNK], desk.told[length % CHUNK], settled);
            if (threadIdx.x % 32 == 0) desk.settled[(begin / BATCH + 1) % 2] = settled;
        }
        everyone.meet();
        for (; length < game.horizon && settled < 0; length++)
            settled = evidence.template see<true>(desk.asked[length % CHUNK], desk.told[length % CHUNK], settled);
        int leader = evidence.leader();
        if (threadIdx.x % 32 == 0) game.lengths[k] = length, game.settled[k] = settled, game.leaders[k] = leader;
    }
}

// ---- Learners that ask for the sake of a proof: `simulation.engine.kernels.prove` -----------------------------------

const int MOST_LIKELY = 256, N_DRAWN = 128;  // candidates that stand for all: those likely, if so few, or a sample
const int MOST_LEADING = 8;  // answers that may lead
const int MASSES_EACH = 8;   // candidates of a chunk
const int AT_ONCE = 2;       // queries per thread that are weighed at once
const int SMALL_CHUNK = 32;  // of rounds, as CHUNK
const int LISTED = MOST_LIKELY + 8;  // candidates of a list in shared memory: some are made up

__device__ __noinline__ double entropy(double p) {
    return p <= 0.0 || p >= 1.0 ? 0.0 : -p * natural_log(p) - (1.0 - p) * natural_log(1.0 - p);
}

__device__ __noinline__ Found<double> one_least(Found<double> mine) { return least_of_warp(mine); }

// Each number <- the sum of those before it; the sum of all. By one warp.
__device__ __noinline__ int add_up(int* numbers, int n) {
    int before = 0, lane = threadIdx.x % 32;
    __syncwarp();
#pragma unroll 1
    for (int begin = 0; begin < n; begin += 32) {
        int i = begin + lane, mine = i < n ? numbers[i] : 0, running = mine;
        for (int step = 1; step < 32; step <<= 1) {
            int other = __shfl_up_sync(ALL, running, step);
            if (lane >= step) running += other;
        }
        if (i < n) numbers[i] = before + running - mine;
        before += __shfl_sync(ALL, running, 31);
    }
    __syncwarp();
    return before;
}

// One of a list in groups: the group whose last member this is, or -1.
struct __align__(16) Member {
    double weight;
    int place, end;
};

// What a warp notes down about the candidates of a list in shared memory.
struct Notes {
    Member members[LISTED];
    double weights[LISTED], masses[LISTED];
    int places[LISTED], tally[LISTED];
    unsigned short groups[LISTED];
};

// Where a list and its groups are: in shared memory where there is room for them, else in that of the block. What works
// with them is compiled for either, so that the compiler knows where they are.
struct Room {
    Member* members;
    double *weights, *masses;  // of the candidates of the list; of groups, or of chunks of candidates
    int *places, *tally;       // the candidates; where each group ends
    unsigned short* groups;

    __device__ Room(Notes& notes)
        : members(notes.members), weights(notes.weights), masses(notes.masses), places(notes.places), tally(notes.tally),
          groups(notes.groups) {}

    __device__ Room(double* numbers, int* integers, size_t n)
        : members((Member*)numbers), weights(numbers + 2 * n), masses(numbers + 3 * n), places(integers),
          tally(integers + n), groups((unsigned short*)(integers + 2 * n)) {}
};

// Which query to make, by one warp.
template <typename T, int WATCH>
struct Prover {
    static const bool IS_PROVING = true;
    const Game<T>& game;
    Evidence<T, WATCH, false>& evidence;
    Notes& notes;
    double* second_weights;  // of the likely ones among some candidates, which share memory with the members of a large list
    int *second_places, *bits, *ranks;

    __device__ Prover(const Game<T>& game, Evidence<T, WATCH, false>& evidence, Notes& notes)
        : game(game), evidence(evidence), notes(notes) {
        size_t n = game.n_filled + LANES, n_words = (game.n_choices + 31) / 32;
        second_places = game.lists + blockIdx.x * (4 * n + 2 * n_words);
        second_weights = game.list_weights + blockIdx.x * 4 * n;
        bits = second_places + 4 * n, ranks = bits + n_words;
    }

    // A list that is too long for shared memory; the likely ones are lost where it is sorted.
    __device__ Room large() {
        size_t n = game.n_filled + LANES;
        return {second_weights, second_places + n, n};
    }

    __device__ static int lane() { return threadIdx.x % 32; }

    __device__ bool accepts(int answer, int target) {
        if (game.n_answers) return game.accepts[(size_t)answer * game.n_real + target];
        double value = game.goal_values[target];
        return game.starts_of[answer] <= value && value <= game.ends_of[answer];
    }

    // The next allowed query; `chance` gives the next number of the learner's stream.
    template <typename Chance>
    __device__ int ask(Chance chance) {
        __syncwarp();
        const double* weights = evidence.weights;
        const unsigned char* possible = evidence.possible;
        bool is_second = false;
        double start = chance();
        int n = evidence.n_watched;
        Drawn drawn = weigh_chunks(weights, possible, n);
        if (drawn.count == 0) {  // the heaviest of all was ruled out
            n = likely([&](int i) { return evidence.possible[i]; });
            weights = second_weights, possible = nullptr, is_second = true, start = chance();
            drawn = weigh_chunks(weights, possible, n);
        }
        Room room(notes);
        n = drawn.count > MOST_LIKELY ? sample(room, weights, possible, n, start, drawn.mass)
                                      : list(room, weights, possible, n, drawn.mass);
        EACH_LANE(k, n) room.places[k] = is_second ? second_places[room.places[k]] : evidence.candidate(room.places[k]);
        __syncwarp();
        int n_groups = divide(room, n);
#pragma unroll 1
        for (bool is_led = !game.is_leading;; is_led = true) {  // the code that sorts stands here once
            if (is_led && n_groups == 1) {
                n = likely_objectors(), n_groups = 2;
                if (n + 5 > LISTED) return told_apart_from_many(n);
                n = object(room, n);
            }
            sort(room, n, n_groups);
            if (is_led) return most_telling(room, n, n_groups);
            n_groups = lead(room, n, n_groups);
        }
    }

    // The query that tells the leader best from those who object, where these are more than there is room for.
    __device__ int told_apart_from_many(int n) {
        Room room = large();
        n = object(room, n);
        sort(room, n, 2);
        return most_telling(room, n, 2);
    }

    // Those of some watched candidates that have noticeable weight, into the second list, with weights that sum to 1.
    template <typename Among>
    __device__ int likely(Among among) {
        double least = evidence.least, rate = evidence.rate(), parts[4] = {};
        if (!among(evidence.best)) {
            least = INFINITE;
            EACH_LANE(i, evidence.n_watched)
                if (among(i) && (double)evidence.losses[i] < least) least = (double)evidence.losses[i];
            least = least_of_warp(least);
        }
        int n = 0;
        EACH_32(begin, evidence.n_watched) {
            int i = begin + lane();
            double log_weight = -rate * ((i < evidence.n_watched ? (double)evidence.losses[i] : INFINITE) - least);
            bool is_in = i < evidence.n_watched && among(i) && log_weight >= -evidence.cut;
            unsigned all = __ballot_sync(ALL, is_in);
            int to = n + __popc(all & ((1u << lane()) - 1));
            if (is_in) second_places[to] = i, second_weights[to] = exponential(log_weight);
            n += __popc(all);
        }
        __syncwarp();
#pragma unroll 1
        for (int i = lane(); i < n; i += 32, evidence.turn(parts)) parts[0] += second_weights[i];
        double total = evidence.folded(parts);
        EACH_LANE(i, n) second_weights[i] = divided(second_weights[i], total), second_places[i] = evidence.candidate(second_places[i]);
        if (lane() < MASSES_EACH) second_weights[n + lane()] = 0.0;
        __syncwarp();
        return n;
    }

    // How many of some candidates have weight, and the sum of their weights.
    struct Drawn {
        int count;
        double mass;
    };

    __device__ static int n_chunks_of(int n) { return (n + 32 * MASSES_EACH - 1) / (32 * MASSES_EACH) * 32; }

    // Where the masses of chunks of so many candidates are.
    __device__ double* masses_of(int n) { return n_chunks_of(n) <= LISTED ? notes.masses : large().masses; }

    // The weights of a chunk of candidates: none of those that are not possible, nor behind the end.
    __device__ static void read_chunk(const double* weights, const unsigned char* possible, int first, int n, double* found) {
        struct __align__(16) Two {
            double one, other;
        };
        bool is_in = first < n;
        Word may = is_in ? possible ? *(const Word*)(possible + first) : ~0ull : 0;
#pragma unroll
        for (int k = 0; k < MASSES_EACH; k += 2) {
            Two two = {0.0, 0.0};
            if (is_in) two = *(const Two*)(weights + first + k);
            found[k] = may >> 8 * k & 255 ? two.one : 0.0;
            found[k + 1] = may >> 8 * (k + 1) & 255 ? two.other : 0.0;
        }
    }

    __device__ Drawn weigh_chunks(const double* weights, const unsigned char* possible, int n) {
        double parts[4] = {}, *masses = masses_of(n);
        int count = 0;
#pragma unroll 1
        for (int c = lane(); c < n_chunks_of(n); c += 32, evidence.turn(parts)) {
            double o[MASSES_EACH];
            read_chunk(weights, possible, c * MASSES_EACH, n, o);
            for (int k = 0; k < MASSES_EACH; k++) count += o[k] > 0.0;
            masses[c] = ((o[0] + o[1]) + (o[2] + o[3])) + ((o[4] + o[5]) + (o[6] + o[7]));
            parts[0] += masses[c];
        }
        double mass = evidence.folded(parts);
        count = sum_of_warp(count);
        __syncwarp();
        return {count, mass};
    }

    // All that have weight.
    __device__ int list(Room room, const double* weights, const unsigned char* possible, int n, double mass) {
        int m = 0;
        EACH_32(begin, n) {
            int i = begin + lane();
            bool is_in = i < n && (!possible || possible[i]) && weights[i] > 0.0;
            unsigned all = __ballot_sync(ALL, is_in);
            int to = m + __popc(all & ((1u << lane()) - 1));
            if (is_in) room.places[to] = i, room.weights[to] = divided(weights[i], mass);
            m += __popc(all);
        }
        __syncwarp();
        return m;
    }

    // A systematic sample: draw number d, of aim (d + start) mass / N_DRAWN, falls on the first possible candidate at
    // which the running sum of its chunk reaches the aim, if the sum of chunks up to this one does. A thread for each
    // chunk: how many draws a chunk leaves behind is the most that a running sum of it reaches, and no fewer than before.
    __device__ int sample(Room room, const double* weights, const unsigned char* possible, int n, double start, double mass) {
        int m = 0, drawn = 0, last = 0;  // candidates found, their draws, and the draws that the chunks so far reach
        double before = 0.0, per_draw = N_DRAWN / mass, *masses = masses_of(n);
        auto aim = [&](int d) { return ((double)d + start) * mass / N_DRAWN; };
        auto raise = [&](int d, double sum) {
            while (d < N_DRAWN && aim(d) <= sum) d++;
            return d;
        };
#pragma unroll 1
        for (int begin = 0; begin * MASSES_EACH < n; begin += 32) {
            int c = begin + lane(), first = c * MASSES_EACH, reached = 0;
            double running = before;
#pragma unroll 8
            for (int e = 0; e < 32; e++)
                if (e < lane()) running += masses[begin + e];
            double after = running + masses[c];
            before = __shfl_sync(ALL, after, 31);
            int all = min(N_DRAWN, max(0, (int)(after * per_draw - start)));  // about right; then right
            while (all > 0 && aim(all - 1) > after) all--;
            all = raise(all, after);
            int at = __shfl_up_sync(ALL, all, 1);
            if (lane() == 0) at = last;
            last = __shfl_sync(ALL, all, 31);
            Word levels = 0, may = first < n ? possible ? *(const Word*)(possible + first) : ~0ull : 0;
#pragma unroll 1
            for (int k = 0; k < MASSES_EACH; k++, may >>= 8) {  // eight bytes: the draws that are reached at each candidate
                if (may & 255) running += weights[first + k], reached = at = raise(at, running);
                levels |= (Word)reached << 8 * k;
            }
            int mine = drawn;
            if (__any_sync(ALL, reached > all)) {  // a chunk whose parts sum to more than the whole: in turn
#pragma unroll 1
                for (int e = 0, done = drawn; e < 32; e++) {
                    if (lane() == e) mine = done;
                    int theirs = __shfl_sync(ALL, reached, e);
                    if (__shfl_sync(ALL, all, e) > done) done = max(done, theirs);
                }
            } else {
                int most = reached;
                for (int step = 1; step < 32; step <<= 1) most = max(most, __shfl_up_sync(ALL, most, step));
                most = __shfl_up_sync(ALL, most, 1);
                if (lane() > 0) mine = max(mine, most);
            }
            int done = mine, count = 0;
            if (all > done)
#pragma unroll 1
                for (Word rest = levels; rest; rest >>= 8) {
                    int level = rest & 255;
                    count += level > done, done = max(done, level);
                }
            int to = count;
            for (int step = 1; step < 32; step <<= 1) {
                int other = __shfl_up_sync(ALL, to, step);
                if (lane() >= step) to += other;
            }
            drawn = __shfl_sync(ALL, done, 31);
            int total = __shfl_sync(ALL, to, 31);
            to += m - count;
            if (all > mine)
#pragma unroll 1
                for (int k = 0; k < MASSES_EACH; k++) {
                    int level = levels >> 8 * k & 255;
                    if (level <= mine) continue;
                    room.places[to] = first + k, room.weights[to++] = (double)(level - mine);
                    mine = level;
                }
            m += total;
        }
        __syncwarp();
        EACH_LANE(k, m) room.weights[k] = divided(room.weights[k], (double)drawn);
        __syncwarp();
        return m;
    }

    // The groups to tell apart, by the answer that each candidate would give; how many.
    __device__ int divide(Room room, int n) {
        int n_words = (game.n_choices + 31) / 32;
        EACH_LANE(w, n_words) bits[w] = 0;
        __syncwarp();
        EACH_LANE(k, n) {
            int answer = game.preferred[room.places[k]];
            atomicOr(&bits[answer / 32], 1 << answer % 32);
        }
        __syncwarp();
        EACH_LANE(w, n_words) ranks[w] = __popc(bits[w]);
        int n_groups = add_up(ranks, n_words);
        EACH_LANE(k, n) {
            int answer = game.preferred[room.places[k]];
            room.groups[k] = ranks[answer / 32] + __popc(bits[answer / 32] & ((1u << answer % 32) - 1));
        }
        __syncwarp();
        return n_groups;
    }

    // Gather those who accept the answer that most of the weight accepts, of those that the heaviest groups would give;
    // they become the first group. How many groups there are at most.
    __device__ int lead(Room room, int n, int n_groups) {
        int n_leading = min(MOST_LEADING, n_groups), ours = 0;  // of each thread: a candidate who gives its answer, then this
#pragma unroll 1
        for (int a = 0; a < n_leading; a++) {  // the heaviest groups, one after the other
            Found<double> heaviest = {INFINITE, NOWHERE};
            EACH_LANE(g, n_groups)
                if (-room.masses[g] < heaviest.value) heaviest = {-room.masses[g], g};
            int best = one_least(heaviest).place;
            if (lane() == a) ours = room.members[room.tally[best] - 1].place;
            __syncwarp();
            if (lane() == 0) room.masses[best] = -1.0;
            __syncwarp();
        }
        ours = game.preferred[ours];
        double behind = lane() < n_leading ? 0.0 : -1.0;  // of the answer number so many
        EACH_32(begin, n) {
            int k = begin + lane(), place = k < n ? room.places[k] : 0;
            unsigned accepting = 0;
#pragma unroll 1
            for (int first = 0; first < n_leading; first += 4) {
                bool are[4];
#pragma unroll
                for (int a = 0; a < 4; a++) are[a] = accepts(__shfl_sync(ALL, ours, first + a), place);
#pragma unroll
                for (int a = 0; a < 4; a++) {
                    unsigned all = __ballot_sync(ALL, k < n && are[a]);
                    if (lane() == first + a && first + a < n_leading) accepting = all;
                }
            }
#pragma unroll 1
            for (int e = begin; e < min(begin + 32, n); e += 8, accepting >>= 8)
#pragma unroll
                for (int b = 0; b < 8; b++)
                    if (accepting >> b & 1) behind += room.weights[e + b];
        }
        Found<double> leading = one_least({-behind, lane()});
        if (-leading.value < game.least_lead) return n_groups;
        int answer = __shfl_sync(ALL, ours, leading.place), most = 0;
        __syncwarp();
        EACH_LANE(k, n) {
            int group = accepts(answer, room.places[k]) ? 0 : room.groups[k] + 1;
            room.groups[k] = group, most = max(most, group);
        }
        __syncwarp();
        return 1 - least_of_warp(-most);
    }

    // The likely ones among those who object to the leader's answer, into the second list; how many.
    __device__ int likely_objectors() {
        int wanted = game.preferred[evidence.leader()];
        return likely([&](int i) { return evidence.possible[i] && !accepts(wanted, evidence.candidate(i)); });
    }

    // The second list, each half its share, and the leader; how many.
    __device__ __forceinline__ int object(Room room, int n) {
        int best = evidence.leader();
#pragma unroll 1
        for (int k = lane(); k <= n; k += 32) {
            room.places[k] = k < n ? second_places[k] : best;
            room.weights[k] = k < n ? second_weights[k] / 2 : 0.5;
            room.groups[k] = k == n;
        }
        __syncwarp();
        return n + 1;
    }

    // The members of each group of a list next to each other and in their order; where each group ends, and what it weighs.
    __device__ __forceinline__ void sort(Room room, int n, int n_groups) {
        EACH_LANE(g, n_groups) room.tally[g] = 0;
        __syncwarp();
        EACH_LANE(k, n) atomicAdd(&room.tally[room.groups[k]], 1);
        add_up(room.tally, n_groups);
        EACH_32(begin, n) {
            int k = begin + lane(), group = k < n ? room.groups[k] : -1;
            unsigned peers = __match_any_sync(ALL, group), before = peers & ((1u << lane()) - 1);
            int to = k < n ? room.tally[group] + __popc(before) : 0;
            if (k < n) room.members[to] = {room.weights[k], room.places[k], -1};
            __syncwarp();
            if (k < n && !before) room.tally[group] += __popc(peers);
            __syncwarp();
        }
        EACH_LANE(g, n_groups) {
            double mass = 0.0;
            int start = g ? room.tally[g - 1] : 0, end = room.tally[g];
#pragma unroll 1
            for (int m = start; m < end; m++) mass += room.members[m].weight;
            room.masses[g] = mass;
            if (end > start) room.members[end - 1].end = g;
        }
        if (lane() < 4) room.members[n + lane()] = {0.0, 0, -1};
        __syncwarp();
    }

    // The allowed query whose answer is expected to say most about the group, per cost.
    __device__ __forceinline__ int most_telling(Room room, int n, int n_groups) {
        Found<double> mine = {INFINITE, NOWHERE};
        double variance = evidence.variance();
        EACH_LANE(g, n_groups) room.weights[g] = inverse_of(room.masses[g]);  // the list is in the members now
        __syncwarp();
#pragma unroll 1
        for (int begin = lane(); begin < game.n_columns; begin += 32 * AT_ONCE) {
            double gains[AT_ONCE];
            if (game.is_coin)
                coin_information(room, begin, n, gains);
            else
                normal_information(room, begin, n, gains);
#pragma unroll 1
            for (int q = begin; q < begin + 32 * AT_ONCE; q += 32, gains[0] = gains[1]) {
                if (q >= game.n_legal) continue;
                double gain = gains[0] > 0.0 ? gains[0] : 0.0;
                if (!game.is_coin) gain = log_of_more(quotient(gains[0], game.variances ? game.variances[q] : variance)) / 2;
                if (game.costs) gain /= game.costs[q];
                if (-gain < mine.value) mine = {-gain, q};
            }
        }
        int found = one_least(mine).place;
        __syncwarp();
        return game.legal[found == NOWHERE ? 0 : found];
    }

    // For each group in turn its number, and the sums of what it predicts for some queries: one and that 32 later.
    template <typename Each>
    __device__ __forceinline__ void each_group(Room room, int query, int n, Each each) {
        const char* columns = (const char*)(game.columns + query);
        unsigned length = game.n_columns * (unsigned)sizeof(T);
        double sums[AT_ONCE] = {};
#pragma unroll 1
        for (int start = 0; start < n; start += 4) {  // four are read at once; those beyond the end weigh nothing
            Member four[4];
            T entries[4][AT_ONCE];
#pragma unroll
            for (int e = 0; e < 4; e++) {
                four[e] = room.members[start + e];
                const T* column = (const T*)(columns + (Word)(unsigned)four[e].place * length);
                for (int a = 0; a < AT_ONCE; a++) entries[e][a] = column[32 * a];
            }
#pragma unroll
            for (int e = 0; e < 4; e++) {
                for (int a = 0; a < AT_ONCE; a++) sums[a] += four[e].weight * (double)entries[e][a];
                if (four[e].end < 0) continue;
                each(four[e].end, sums);
                for (int a = 0; a < AT_ONCE; a++) sums[a] = 0.0;
            }
        }
    }

    // Quotients of tiny sums need not be right to the last bit: their squares are zero, or what is subtracted is larger.
    __device__ __forceinline__ void normal_information(Room room, int query, int n, double* found) {
        double means[AT_ONCE] = {};
        for (int a = 0; a < AT_ONCE; a++) found[a] = 0.0;
        each_group(room, query, n, [&](int, const double* sums) {
            for (int a = 0; a < AT_ONCE; a++) means[a] += sums[a];
        });
        each_group(room, query, n, [&](int group, const double* sums) {
            double share = room.masses[group], inverse = room.weights[group];
            for (int a = 0; a < AT_ONCE; a++) {
                double difference = divided(sums[a], share, inverse) - means[a];
                found[a] += share * difference * difference;
            }
        });
    }

    __device__ __forceinline__ void coin_information(Room room, int query, int n, double* found) {
        double means[AT_ONCE] = {}, all = 0.0, length = game.high - game.low;
        each_group(room, query, n, [&](int group, const double* sums) {
            for (int a = 0; a < AT_ONCE; a++) means[a] += sums[a];
            all += room.masses[group];
        });
        for (int a = 0; a < AT_ONCE; a++) found[a] = entropy((means[a] - game.low * all) / length);
        each_group(room, query, n, [&](int group, const double* sums) {
            double share = room.masses[group], inverse = room.weights[group];
            for (int a = 0; a < AT_ONCE; a++)
                found[a] -= share * entropy((quotient(sums[a], share, inverse) - game.low) / length);
        });
    }
};

// A learner that asks allowed queries by chance alone.
template <typename T>
struct ByChance {
    static const bool IS_PROVING = false;
    const Game<T>& game;

    template <typename Chance>
    __device__ int ask(Chance chance) {
        return game.legal[(int)(chance() * game.n_legal)];
    }
};

// Each block of one warp takes the next run that nobody plays, and watches it. Where a learner that proves has no candidate
// left at the end, it settled on -2.
template <int NOISE, typename T, typename Watched, typename Learner>
__device__ void play_alone(const Game<T>& game, Watched& evidence, Learner& learner) {
    __shared__ double mine[SMALL_CHUNK], theirs[2 * SMALL_CHUNK];
    const bool IS_PROVING = Learner::IS_PROVING;
    Alone warp;
    while (true) {
        int k = threadIdx.x ? 0 : atomicAdd(game.next, 1), length = 0, n_drawn = 0;
        k = __shfl_sync(ALL, k, 0);
        if (k >= game.n_runs) return;
        size_t offset = (size_t)game.environments[k] * game.n_queries, row = (size_t)k * game.horizon;
        Word number = game.numbers[k];
        Key key = {game.keys[2 * k], game.keys[2 * k + 1]};
        auto chance = [&]() {
            if (n_drawn % SMALL_CHUNK == 0) {
                __syncwarp();
                draw(mine, warp, key, LEARNER, number, n_drawn, SMALL_CHUNK);
                __syncwarp();
            }
            return mine[n_drawn++ % SMALL_CHUNK];
        };
        int settled = evidence.restart();
        for (; length < game.horizon; length++) {
            bool is_over = settled >= 0 || IS_PROVING && evidence.n_possible == 0;
            if (is_over && (!IS_PROVING || game.is_ending)) break;
            if (length % SMALL_CHUNK == 0 && NOISE != EXACT && NOISE != MEAN) {
                __syncwarp();
                draw(theirs, warp, key, ENVIRONMENT, number, (Word)length * game.n_draws, SMALL_CHUNK * game.n_draws);
                __syncwarp();
            }
            int query;
            if (is_over) {
                int best = evidence.leader();
                query = game.settles_on ? game.settles_on[best] : settled >= 0 ? settled : game.preferred[best];
            } else {
                query = learner.ask(chance);
            }
            double mean = game.means[offset + query];
            double reward = NOISE == MEAN ? mean_of_coins(game, warp, mean, key, number, length, nullptr)
                                          : answer<NOISE>(game, mean, game.beyond[offset + query],
                                                          theirs + length % SMALL_CHUNK * game.n_draws);
            if (threadIdx.x == 0 && game.queries) game.queries[row + length] = query, game.rewards[row + length] = reward;
            settled = evidence.template see<!IS_PROVING>(query, reward, settled);
        }
        int leader = evidence.leader();
        if (IS_PROVING && evidence.n_possible == 0) settled = -2;
        if (threadIdx.x == 0) game.lengths[k] = length, game.settled[k] = settled, game.leaders[k] = leader;
    }
}

template <typename T, int NOISE, int WATCH, int BLOCKS>
__global__ void __launch_bounds__(32, BLOCKS) prove(const __grid_constant__ Game<T> game) {
    __shared__ Notes notes;
    Evidence<T, WATCH, false> evidence(game, (char*)dynamic);
    Prover<T, WATCH> prover(game, evidence, notes);
    play_alone<NOISE>(game, evidence, prover);
}

template <typename T, int NOISE, int WATCH, int BLOCKS>
__global__ void __launch_bounds__(32, BLOCKS) ask_any(const __grid_constant__ Game<T> game) {
    Evidence<T, WATCH, true> evidence(game, (char*)dynamic);
    ByChance<T> learner = {game};
    play_alone<NOISE>(game, evidence, learner);
}

// ---- Kernels of other learners --------------------------------------------------------------------------------------

// Each block takes the next run that nobody plays, until all are played. It has at most so many threads, and a processor
// plays several blocks at once, at the least.
template <typename T, int RULE, int NOISE, int WATCH, int N, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) play(const __grid_constant__ Game<T> game) {
    __shared__ Desk desk;
    Everyone everyone = {(int)blockDim.x};
    Players players = {WATCH == NOTHING ? (int)blockDim.x : (int)blockDim.x - 32};
    if (WATCH == NOTHING || threadIdx.x < players.n) {
        play_runs<T, RULE, NOISE, WATCH != NOTHING, N>(game, players, everyone, desk);
    } else if constexpr (WATCH != NOTHING) {
        watch_runs<T, WATCH>(game, players, everyone, desk);
    }
}
