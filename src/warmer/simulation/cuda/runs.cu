// Whole runs on a GPU: the loop of `simulation.plain`, one block of threads per run at a time.
//
// Compiled without contraction (--fmad=false), every addition, multiplication and comparison is the one that the plain
// loop makes; what several threads find is put together by minima, maxima and whole numbers alone, which no order
// changes. Only Thompson's weights are summed in another order. Evidence is summed in the order of
// `certification.kernels.vectors`, with its logarithms and exponentials.

typedef unsigned long long Word;

enum Rule { ANY, INDEX, LEAST_LOSS, LOSS_BALL, DISTANCE_BALL, DRAWN, SURVIVORS };
enum Watching { NOTHING, SQUARES, COINS, BETS, ROUGH_SQUARES, ROUGH_COINS };
enum Noise { EXACT, COIN, UNIFORM, GAUSSIAN, MEAN, ADVERSARY, SIMULATED };
enum Strategy { TRUTHFUL, UP, DOWN, RANDOM };
enum Role { LEARNER, ENVIRONMENT };

const int CHUNK = 128;      // rounds whose random numbers are drawn, and whose results are written, at once
const int MOST_WARPS = 32;  // in a block
const unsigned ALL = 0xffffffffu;
const int NOWHERE = 0x7fffffff;
const int LANES = 128, BLOCK = 1024;         // how sums over candidates are ordered
const int FEWEST = 64, SHARE = 2, MOST = 1 << 24;  // when candidates that were ruled out are put aside

#define INFINITE __longlong_as_double(0x7ff0000000000000ll)

// ---- Philox4x64-10 -------------------------------------------------------------------------------------------------

struct Key {
    Word first, second;
};

__device__ void philox(Key key, Word place, Word role, Word run, Word* words) {
    Word c0 = place, c1 = role, c2 = run, c3 = 0, k0 = key.first, k1 = key.second;
    for (int i = 0; i < 10; i++) {
        Word high0 = __umul64hi(0xD2E7470EE14C6C93ull, c0), low0 = 0xD2E7470EE14C6C93ull * c0;
        Word high1 = __umul64hi(0xCA5A826395121157ull, c2), low1 = 0xCA5A826395121157ull * c2;
        c0 = high1 ^ c1 ^ k0, c1 = low1, c2 = high0 ^ c3 ^ k1, c3 = low0;
        k0 += 0x9E3779B97F4A7C15ull, k1 += 0xBB67AE8584CAA73Bull;
    }
    words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

__device__ double to_unit(Word word) { return (double)(word >> 11) * (1.0 / 9007199254740992.0); }

// The numbers from `start`, a multiple of 4, of a stream, by all threads of the block.
__device__ void draw(double* numbers, Key key, Role role, Word run, Word start, int n) {
    for (int i = 4 * threadIdx.x; i < n; i += 4 * blockDim.x) {
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

template <typename T>
__device__ T lesser(T one, T other) { return other < one ? other : one; }

template <typename T>
__device__ T least_of_warp(T mine) {
    for (int step = 16; step; step >>= 1) mine = lesser(mine, __shfl_xor_sync(ALL, mine, step));
    return mine;
}

// The least value of all threads, and the lowest place where it is found.
template <typename T>
__device__ Found<T> least_of(Found<T> mine, Meeting<T>& meeting, int& half, int n_warps) {
    T least = least_of_warp(mine.value);
    mine = {least, least_of_warp(mine.value == least ? mine.place : NOWHERE)};
    if (n_warps == 1) return mine;
    if (threadIdx.x % 32 == 0) {
        meeting.values[half][threadIdx.x / 32] = mine.value;
        meeting.places[half][threadIdx.x / 32] = mine.place;
    }
    __syncthreads();
    mine = {meeting.values[half][0], meeting.places[half][0]};
#pragma unroll 1
    for (int warp = 1; warp < n_warps; warp++) {
        T value = meeting.values[half][warp];
        int place = meeting.places[half][warp];
        if (comes_first(value, place, mine.value, mine.place)) mine = {value, place};
    }
    half ^= 1;
    return mine;
}

// The sum of some numbers one after the other, the zeros among them left out, which change nothing.
__device__ double in_order(const double* values, int n) {
    int lane = threadIdx.x % 32;
    double sum = 0.0;
    for (int start = 0; start < n; start += 32) {
        unsigned some = __ballot_sync(ALL, start + lane < n && values[start + lane] != 0.0);
        if (__popc(some) > 8) {
            int m = min(32, n - start);
#pragma unroll 8
            for (int k = 0; k < m; k++) sum += values[start + k];
        } else {
            for (; some; some &= some - 1) sum += values[start + __ffs(some) - 1];
        }
    }
    return sum;
}

template <typename T>
__device__ Found<T> least_of(Found<T> mine, Meeting<T>& meeting, int& half) {
    return least_of(mine, meeting, half, blockDim.x / 32);
}

__device__ int sum_of(int mine, int* sum) {
    __syncthreads();
    if (threadIdx.x == 0) *sum = 0;
    __syncthreads();
    for (int step = 16; step; step >>= 1) mine += __shfl_xor_sync(ALL, mine, step);
    if (threadIdx.x % 32 == 0 && mine) atomicAdd(sum, mine);
    __syncthreads();
    return *sum;
}

// ---- A number for each target: in registers, or in global memory where there are too many ---------------------------

template <typename T, int N>
struct PerTarget {
    T kept[N];
    __device__ explicit PerTarget(T*) {}
    __device__ T& operator[](int j) { return kept[j]; }
};

template <typename T>
struct PerTarget<T, 0> {
    T* kept;
    __device__ explicit PerTarget(T* memory) : kept(memory) {}
    __device__ T& operator[](int j) { return kept[j * blockDim.x + threadIdx.x]; }
};

// The targets of this thread: number j is target i. In registers there are just as many, the last of them made up, of
// infinite loss.
#define EACH_TARGET(j, i) \
    _Pragma("unroll") for (int j = 0, i = threadIdx.x; N ? j < N : i < game.n_targets; j++, i += n_threads())

// All that runs read, and where they write: the fields of `GAME` in run.py, in its order.
template <typename T>
struct Game {
    const T* rho;
    const T* start;                   // the losses before the first answer: infinite for targets not considered
    const T* values;                  // what each target's best query earns
    const int* best;                  // the best query of each target
    const int* legal;                 // the allowed queries
    const double* double_logs;        // 2 ln t
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
    double *counts, *sums, *shares;   // memory of each block
    int* holders;                     // likewise: of how many surviving targets each query is the best
    T *losses, *distances;            // likewise, where they do not fit in registers
    unsigned char* alive;             // likewise
    T* residuals;                     // likewise, the evidence: what each watched candidate's likelihood goes by
    double *weights, *capital, *lanes;
    int *places, *objectors;
    unsigned char* possible;
    int* next;                        // the next run that nobody plays
    int* queries;                     // none where they are not wanted
    double* rewards;
    int *lengths, *settled, *leaders; // of each run
    double radius, scale, cut;
    double low, high, width;
    double threshold, share, log_share, log_rest, log_n, length;
    double noise_width, tolerance, boldness, sure, slack;
    int n_draws, strategy;
    int n_runs, n_targets, n_real, n_queries, n_legal, n_shares, horizon;  // targets: with those made up, and without
    int n_answers, n_lanes;
};

// ---- Answers --------------------------------------------------------------------------------------------------------

// The quantile of the standard Gaussian: Wichura's algorithm AS 241, as in `environments.kernels.gaussian`.
__device__ double polynomial(const double* factors, double r) {
    double value = factors[0] * r + factors[1];
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

// The natural logarithm of a positive normal number: the polynomial of `certification.kernels.vectors`.
__device__ double natural_log(double x) {
    const double LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10;
    long long bits = __double_as_longlong(x), power = (bits - 0x3FE6A09E667F3BCDll) >> 52;
    double f = __longlong_as_double(bits - (power << 52)) - 1.0;
    double whole = __longlong_as_double(power + 0x4338000000000000ll) - 6755399441055744.0;
    double s = f / (2.0 + f), z = s * s;
    double p = 1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01);
    p = 2.857142874366239149e-01 + z * (2.222219843214978396e-01 + z * p);
    double half = 0.5 * f * f;
    double rest = s * (half + z * (6.666666666666735130e-01 + z * (3.999999999940941908e-01 + z * p)));
    return whole * LN2_HIGH - ((half - (rest + whole * LN2_LOW)) - f);
}

// The exponential of a number between -700 and 700: likewise.
__device__ double exponential(double x) {
    const double LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10, SHIFTER = 6755399441055744.0;
    double shifted = x * 1.44269504088896338700 + SHIFTER, whole = shifted - SHIFTER;
    double high = x - whole * LN2_HIGH, low = whole * LN2_LOW, r = high - low, z = r * r;
    double p = 6.61375632143793436117e-05 + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08);
    double c = r - z * (1.66666666666666019037e-01 + z * (-2.77777777770155933842e-03 + z * p));
    double power = __longlong_as_double((__double_as_longlong(shifted) << 52) + 0x3FF0000000000000ll);
    return (1.0 - ((low - (r * c) / (2.0 - c)) - high)) * power;
}

__device__ double quantile(double p) {
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        double r = 0.180625 - q * q;
        return polynomial(AS241[0], r) * q / polynomial(AS241[1], r);
    }
    double r = sqrt(-natural_log(q <= 0.0 ? p : 1.0 - p));
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
template <typename T>
__device__ double mean_of_coins(const Game<T>& a, double mean, Key key, Word run, Word t, int* sum) {
    Word start = t * a.n_draws, end = start + a.n_draws;
    int heads = 0;
    for (Word block = start / 4 + threadIdx.x; block * 4 < end; block += blockDim.x) {
        Word words[4];
        philox(key, block + 1, ENVIRONMENT, run, words);
        for (int k = 0; k < 4; k++)
            if (block * 4 + k >= start && block * 4 + k < end)
                heads += a.low + to_unit(words[k]) * (a.high - a.low) < mean;
    }
    return fmin(a.high, a.low + (double)sum_of(heads, sum) / a.n_draws * (a.high - a.low));
}

// ---- Certificates: `simulation.engine.kernels.watching` -------------------------------------------------------------

__device__ double clipped(double value, double low, double high) {
    value = value > low ? value : low;
    return value < high ? value : high;
}

// Minus the logarithm of a chance.
__device__ double cost_of(double chance) { return chance > 1e-300 ? -natural_log(chance) : 1e6; }

// The watched candidates of this thread: number j is the i-th of all. In registers they come in bunches, of which those
// beyond the last candidate are left out; who is made up to fill a bunch has an infinite loss, and is not possible.
#define EACH_WATCHED(j, i)                                                                                       \
    _Pragma("unroll") for (int j##_ = 0; j##_ < (N ? N : 1); j##_ += BUNCH)                                      \
        if (N == 0 || j##_ * n_threads() < n_watched)                                                            \
            _Pragma("unroll") for (int j = j##_, i = j##_ * n_threads() + my_thread();                           \
                                   N ? j < j##_ + BUNCH : i < n_watched; j++, i += n_threads())

// What all threads know of the evidence.
struct Numbers {
    double least, total, free, by_candidates, by_free, by_mixed, n_errors, cut;
    int best, n_possible, n_watched;
};

// The evidence against each watched candidate, and what it settles. All threads know the same numbers. Where candidates
// are kept in registers, each has a lane of its own, or there is a thread for each lane.
//
// When few are left one warp goes on alone, as an `Evidence` of 4 candidates per thread.
template <typename T, int WATCH, int N>
struct Evidence {
    static constexpr int BUNCH = 4, FEW = BUNCH * 32, THREADS = N == 0 ? 0 : N <= BUNCH ? 32 : LANES;
    const Game<T>& game;
    T* memory;
    PerTarget<T, N> losses;
    double *lanes, *weights, *capital;
    unsigned mine_possible = 0;  // a bit for each candidate of this thread
    int *places, *objectors;
    unsigned char* possible;
    const double *counts, *sums;
    Meeting<double>& meeting;
    int* sum;
    int half = 0;
    double &least, &total, &free, &by_candidates, &by_free, &by_mixed, &n_errors, &cut;
    int &best, &n_possible, &n_watched;

    __device__ Evidence(const Game<T>& game, const double* counts, const double* sums, Meeting<double>& meeting, double* shared,
                        int* sum, Numbers& is)
        : game(game), memory(game.residuals + (size_t)blockIdx.x * game.n_targets),
          losses(game.residuals + (size_t)blockIdx.x * game.n_targets),
          lanes(N ? shared : game.lanes + (size_t)blockIdx.x * game.n_lanes),
          weights(N ? shared + 2 * LANES : game.weights + (size_t)blockIdx.x * game.n_real),
          capital(game.capital + (size_t)blockIdx.x * game.n_targets),
          places(game.places + (size_t)blockIdx.x * game.n_targets),
          objectors(game.objectors + (size_t)blockIdx.x * game.n_answers),
          possible(game.possible + (size_t)blockIdx.x * game.n_real), counts(counts), sums(sums), meeting(meeting),
          sum(sum), least(is.least), total(is.total), free(is.free), by_candidates(is.by_candidates), by_free(is.by_free),
          by_mixed(is.by_mixed), n_errors(is.n_errors), cut(is.cut), best(is.best), n_possible(is.n_possible),
          n_watched(is.n_watched) {}

    __device__ static constexpr bool is_ratio() { return WATCH == SQUARES || WATCH == COINS; }

    __device__ static int n_threads() { return THREADS ? THREADS : blockDim.x; }

    __device__ static int my_thread() { return THREADS == 32 ? threadIdx.x % 32 : threadIdx.x; }

    __device__ static int n_warps() { return n_threads() / 32; }

    __device__ static void meet() {
        if (THREADS == 32)
            __syncwarp();
        else
            __syncthreads();
    }

    __device__ static bool has_any(int mine) { return THREADS == 32 ? __any_sync(ALL, mine) : __syncthreads_or(mine); }

    // Whether one warp goes on alone.
    __device__ bool is_over() { return THREADS != 32 && n_watched <= FEW; }

    __device__ int place_of(int i) { return n_watched < game.n_real ? places[i] : i; }

    __device__ bool is_possible(int j, int i) { return N ? mine_possible >> j & 1 : possible[i]; }

    __device__ void strike(int j, int i) {
        possible[i] = 0;
        if (N) mine_possible &= ~(1u << j);
    }

    // A block for each lane of its own, where candidates are in registers.
    __device__ static constexpr bool has_own_lanes() { return N > 0 && N <= BUNCH; }

    __device__ double quarter() { return (game.high - game.low) * (game.high - game.low) / 16.0; }

    __device__ double variance() {
        double half_length = (game.high - game.low) / 2;
        return (by_mixed + half_length * half_length / 4) / (n_errors + 1);
    }

    __device__ double rate() { return is_ratio() ? 1.0 : 1 / (2 * variance()); }

    // Every candidate is possible; the answer that is settled already, or -1.
    __device__ int restart() {
        best = 0, n_possible = n_watched = game.n_real, cut = game.cuts[game.n_real], mine_possible = 0;
        EACH_WATCHED(j, i) {
            losses[j] = i < n_watched ? (T)0 : (T)INFINITE;
            places[i] = i < n_watched ? i : 0;
            if (!is_ratio()) capital[i] = 0.0;
            if (i < n_watched) possible[i] = 1, mine_possible |= N ? 1u << j : 0;
        }
        for (int k = my_thread(); k < game.n_answers; k += n_threads()) objectors[k] = 0;
        least = total = free = by_candidates = by_free = by_mixed = n_errors = 0.0;
        meet();
        weigh(rate());
        return settle();
    }

    // One more answer; the answer that is settled now, or -1.
    __device__ int see(int query, double reward, int settled) {
        meet();
        const T* row = game.rho + (size_t)query * game.n_targets;
        double expected = product(row) / total, mean = (sums[query] + expected) / (counts[query] + 1.0);
        int mine = is_ratio() ? compare(row, query, reward, mean) : place_bets(row, query, reward, expected, mean);
        if (!has_any(mine)) return settled;
        n_possible -= sum_of_all(mine);
        settled = settle();
        reduce();
        return settled;
    }

    __device__ int sum_of_all(int mine) {
        if (THREADS != 32) return sum_of(mine, sum);
        for (int step = 16; step; step >>= 1) mine += __shfl_xor_sync(ALL, mine, step);
        return mine;
    }

    // The weighted sum of a row, in the order of `vectors.dot`.
    __device__ double product(const T* row) {
        if constexpr (N > 0) {
            double part = 0.0;
            EACH_WATCHED(j, i) {
                double value = weights[i] * (double)row[place_of(i)];
                if (has_own_lanes()) lanes[i] = value;
                part += value;
            }
            if (!has_own_lanes()) lanes[my_thread()] = part;
        } else {
            for (int k = my_thread(); k < LANES; k += n_threads()) {
                double part = 0.0;
                for (int i = k; i < n_watched; i += LANES) part += weights[i] * (double)row[place_of(i)];
                lanes[k] = part;
            }
        }
        meet();
        return in_order(lanes, min(n_watched, LANES));
    }

    __device__ double weight_of(double loss, double rate) {
        double log_weight = -rate * (loss - least);
        return log_weight >= -cut ? exponential(log_weight) : 0.0;
    }

    // Weights <- exp(-rate (losses - least)), and their sum in the order of `vectors.total`.
    __device__ void weigh(double rate) {
        int n_blocks = (n_watched + BLOCK - 1) / BLOCK;
        if constexpr (N > 0) {
            double parts[2] = {0.0, 0.0};
            EACH_WATCHED(j, i) {
                double weight = weights[i] = weight_of((double)losses[j], rate);
                if (has_own_lanes()) lanes[i] = weight;
                parts[j * LANES / BLOCK] += weight;
            }
            if (!has_own_lanes()) {
                lanes[my_thread()] = parts[0];
                if (N * LANES > BLOCK) lanes[LANES + my_thread()] = parts[1];
            }
        } else {
            for (int k = my_thread(); k < n_blocks * LANES; k += n_threads()) {
                int first = k / LANES * BLOCK, end = min(first + BLOCK, n_watched);
                double part = 0.0;
                for (int i = first + k % LANES; i < end; i += LANES)
                    part += weights[i] = weight_of((double)losses.kept[i], rate);
                lanes[k] = part;
            }
        }
        meet();
        total = 0.0;
        for (int b = 0; b < n_blocks; b++) total += in_order(lanes + b * LANES, min(n_watched, LANES));
    }

    // Likelihood ratios; how many candidates this thread struck.
    __device__ int compare(const T* row, int query, double reward, double mean) {
        free -= least;
        if (WATCH == SQUARES) {
            double rate = game.rates[query];
            free += rate * ((reward - mean) * (reward - mean));
            add_squares(row, (T)reward, (T)rate);
        } else {
            double low = game.low, high = game.high, heads = heads_of(reward), tails = 1.0 - heads;
            double base = entropy_of(heads), chance = clipped((mean - low) / (high - low), 1e-3, 1.0 - 1e-3);
            free += -heads * natural_log(chance) - tails * natural_log(1.0 - chance) - base;
            add_costs(row, heads, tails, base);
        }
        weigh(1.0);
        // The logarithms are worth their while only if somebody may be struck: total <= n, and one and an exponential
        // of what is not positive are at most 2.
        double most = game.log_rest + (cut - 3.0) - least - game.log_n, free_share = game.log_share - free;
        double nearest = game.threshold - ((most > free_share ? most : free_share) + 0.7) - 1e-6 * (1.0 + fabs(least));
        bool is_near = false;
        EACH_WATCHED(j, i) is_near |= is_possible(j, i) && (double)losses[j] >= nearest;
        if (!has_any(is_near)) return 0;
        double ours = game.log_rest + natural_log(total) - least - game.log_n, theirs = game.log_share - free;
        double high = ours > theirs ? ours : theirs, low = ours > theirs ? theirs : ours;
        double gap = low - high > -700.0 ? low - high : -700.0;
        double limit = game.threshold - (high + natural_log(1.0 + exponential(gap)));
        int struck = 0;
        EACH_WATCHED(j, i)
            if (is_possible(j, i) && (double)losses[j] >= limit) strike(j, i), struck++;
        return struck;
    }

    // Bets against each candidate; how many this thread struck.
    __device__ int place_bets(const T* row, int query, double reward, double expected, double mean) {
        double variance = (by_mixed + quarter()) / (n_errors + 1.0);
        double behind = clipped((by_free - by_candidates) / (2.0 * variance), -700.0, 700.0);
        double mixed = expected + (mean - expected) / (1.0 + exponential(behind));
        double low = game.low, high = game.high, edge = 1e-3 * (high - low), heads = heads_of(reward);
        double forecast = WATCH == ROUGH_COINS ? clipped(mixed, low + edge, high - edge) : mixed;
        int struck = 0;
        EACH_WATCHED(j, i) {
            double entry = (double)row[place_of(i)], before = capital[i], after = before;
            if (before < game.sure) {
                if (WATCH == BETS) after = bet(entry, before, forecast, variance, reward);
                if (WATCH == ROUGH_SQUARES) after = before + rough_squares(entry, forecast, reward, game.rates[query]);
                if (WATCH == ROUGH_COINS) after = before + rough_coins(entry, forecast, heads, 1.0 - heads);
                capital[i] = after;
            }
            if (is_possible(j, i) && after >= game.threshold) strike(j, i), struck++;
        }
        add_squares(row, (T)reward, (T)1);
        by_candidates += (reward - expected) * (reward - expected);
        by_free += (reward - mean) * (reward - mean);
        by_mixed += (reward - mixed) * (reward - mixed);
        n_errors += 1.0;
        weigh((n_errors + 1.0) / (2.0 * (by_mixed + quarter())));
        return struck;
    }

    __device__ double bet(double entry, double before, double forecast, double variance, double reward) {
        double low = game.low, high = game.high, slop = game.tolerance, boldness = game.boldness;
        double bottom = clipped(entry - slop - game.noise_width, low, high);
        double top = clipped(entry + slop + game.noise_width, low, high);
        double out = game.slack * (fabs(entry) > 1.0 ? fabs(entry) : 1.0);
        double mean = clipped(clipped(forecast, entry - slop, entry + slop), low, high), gap = forecast - mean;
        double room = gap > 0.0 ? mean - bottom : top - mean, spread = variance + gap * gap;
        bool is_cut = fabs(gap) * room > boldness * spread;
        double stake = (is_cut ? boldness : fabs(gap)) / (is_cut ? room : spread);
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
        if (heads > 0.0) more += mean > low ? heads * natural_log((forecast - low) / (mean - low)) : INFINITE;
        if (tails > 0.0) more += mean < high ? tails * natural_log((high - forecast) / (high - mean)) : INFINITE;
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

    __device__ void add_squares(const T* row, T center, T weight) {
        T shift = (T)least;
        Found<double> mine = {INFINITE, NOWHERE};
        EACH_WATCHED(j, i) {
            T difference = row[place_of(i)] - center, value = (losses[j] - shift) + weight * (difference * difference);
            losses[j] = value;
            if ((double)value < mine.value) mine = {(double)value, i};
        }
        lead(mine);
    }

    __device__ void add_costs(const T* row, double heads, double tails, double base) {
        Found<double> mine = {INFINITE, NOWHERE};
        EACH_WATCHED(j, i) {
            double chance = ((double)row[place_of(i)] - game.low) / (game.high - game.low), cost = -base;
            chance = chance > 0.0 ? chance : 0.0;
            chance = chance < 1.0 ? chance : 1.0;
            if (heads > 0.0) cost += heads * cost_of(chance);
            if (tails > 0.0) cost += tails * cost_of(1.0 - chance);
            T value = (T)(((double)losses[j] - least) + (cost > 0.0 ? cost : 0.0));
            losses[j] = value;
            if ((double)value < mine.value) mine = {(double)value, i};
        }
        lead(mine);
    }

    __device__ void lead(Found<double> mine) {
        Found<double> found = least_of(mine, meeting, half, n_warps());
        least = found.value, best = found.place;
        if (THREADS == 32) __syncwarp();
    }

    // The likeliest possible candidate; the likeliest of all where none is left.
    __device__ int leader() {
        if (possible[best] || n_possible == 0) return place_of(best);
        double factor = rate();
        Found<double> mine = {INFINITE, NOWHERE};
        EACH_WATCHED(j, i)
            if (is_possible(j, i) && factor * (double)losses[j] < mine.value) mine = {factor * (double)losses[j], i};
        int found = least_of(mine, meeting, half, n_warps()).place;
        return place_of(found == NOWHERE ? best : found);
    }

    // The answer that all possible candidates accept, the leader's if it is among several; -1 if there is none.
    __device__ int settle() {
        if (n_possible == 0) return -1;
        if (game.n_answers == 0) return narrow();
        int wanted = game.preferred[leader()];
        meet();
        if (my_thread() == 0) *sum = NOWHERE;
        meet();
        for (int k = my_thread(); k < game.n_answers; k += n_threads()) {
            const unsigned char* accepts = game.accepts + (size_t)game.answers[k] * game.n_real;
            int i = objectors[k];
            while (i < n_watched && (accepts[place_of(i)] || !possible[i])) i++;
            objectors[k] = i;
            if (i == n_watched) atomicMin(sum, game.answers[k] == wanted ? -1 : k);
        }
        meet();
        int found = *sum;
        meet();
        return found == NOWHERE ? -1 : found < 0 ? wanted : game.answers[found];
    }

    // The answer that starts with the least value of those possible, if the largest is not too far from it.
    __device__ int narrow() {
        Found<double> low = {INFINITE, NOWHERE}, high = low;
        EACH_WATCHED(j, i)
            if (is_possible(j, i)) {
                double value = game.goal_values[place_of(i)];
                if (value < low.value) low = {value, i};
                if (-value < high.value) high = {-value, i};
            }
        low = least_of(low, meeting, half, n_warps()), high = least_of(high, meeting, half, n_warps());
        return -high.value - low.value <= game.length ? game.own[place_of(low.place)] : -1;
    }

    // Watch the remaining candidates alone, where that pays.
    __device__ void reduce() {
        bool is_small = (long long)n_possible * game.n_queries <= MOST;
        if (n_watched < FEWEST || n_possible == 0 || n_possible * SHARE > n_watched || !is_small) return;
        int lane = my_thread() % 32, warp = my_thread() / 32, n = 0;
        if (N) {
            EACH_WATCHED(j, i) memory[i] = losses[j];
        }
        meet();
        for (int start = 0; start < n_watched; start += n_threads()) {
            int i = start + my_thread(), place = 0;
            bool stays = i < n_watched && possible[i];
            T loss = 0;
            double money = 0.0;
            if (stays) {
                loss = memory[i], place = places[i];
                if (!is_ratio()) money = capital[i];
            }
            unsigned staying = __ballot_sync(ALL, stays);
            if (lane == 0) meeting.places[half][warp] = __popc(staying);
            meet();
            int to = n + __popc(staying & ((1u << lane) - 1));
            for (int w = 0; w < n_warps(); w++) {
                if (w < warp) to += meeting.places[half][w];
                n += meeting.places[half][w];
            }
            half ^= 1;
            if (stays) {
                memory[to] = loss, places[to] = place;
                if (!is_ratio()) capital[to] = money;
            }
        }
        meet();
        for (int k = my_thread(); k < game.n_answers; k += n_threads()) objectors[k] = 0;
        n_watched = n, cut = game.cuts[n];
        if (!is_over()) resume();
    }

    // Nothing that this thread keeps is of use any more: the compiler is told so.
    __device__ void forget() {
#pragma unroll
        for (int j = 0; j < N; j++) losses[j] = 0;
    }

    // Take the watched candidates from memory.
    __device__ void resume() {
        Found<double> mine = {INFINITE, NOWHERE};
        mine_possible = 0;
        EACH_WATCHED(j, i) {
            if (N) losses[j] = i < n_watched ? memory[i] : (T)INFINITE;
            if (i < n_watched)
                possible[i] = 1, mine_possible |= N ? 1u << j : 0;
            else
                places[i] = 0;
            if ((double)losses[j] < mine.value) mine = {(double)losses[j], i};
        }
        lead(mine);
        weigh(rate());
    }
};

// ---- Runs -----------------------------------------------------------------------------------------------------------

template <typename T, int RULE, int N, int THREADS>
struct Run {
    const Game<T>& game;
    double *counts, *sums, *shares;
    int* holders;
    PerTarget<T, N> losses, distances;
    PerTarget<unsigned char, N> alive;
    Meeting<T>& meeting;
    Meeting<double>& wide;
    int* sum;
    int teller = 0;  // the thread that counts answers: one of the warp that reads the counts, if only one does
    int half = 0, wide_half = 0;
    Found<T> least = {0, 0};
    T least_distance = 0;
    int n_alive = 0;

    __device__ Run(const Game<T>& game, Meeting<T>& meeting, Meeting<double>& wide, int* sum)
        : game(game), counts(game.counts + (size_t)blockIdx.x * game.n_queries),
          sums(game.sums + (size_t)blockIdx.x * game.n_queries),
          shares(game.shares + (size_t)blockIdx.x * game.n_shares),
          holders(game.holders + (size_t)blockIdx.x * game.n_queries),
          losses(game.losses + (size_t)blockIdx.x * game.n_targets),
          distances(game.distances + (size_t)blockIdx.x * game.n_targets),
          alive(game.alive + (size_t)blockIdx.x * game.n_targets), meeting(meeting), wide(wide), sum(sum) {}

    __device__ static constexpr bool fits() { return RULE >= LEAST_LOSS; }

    __device__ static int n_threads() { return THREADS ? THREADS : blockDim.x; }

    __device__ void restart(const T* start) {
        for (int q = threadIdx.x; q < game.n_queries; q += blockDim.x) {
            counts[q] = 0.0, sums[q] = 0.0;
            if (RULE == SURVIVORS) holders[q] = 0;
        }
        __syncthreads();
        if (!fits()) return;
        Found<T> mine = {(T)INFINITE, (int)threadIdx.x};
        EACH_TARGET(j, i) {
            losses[j] = start[i];
            if (losses[j] < mine.value) mine = {losses[j], i};
            if (RULE == DISTANCE_BALL) distances[j] = i < game.n_real ? (T)0 : (T)INFINITE;
            if (RULE == SURVIVORS && (alive[j] = i < game.n_real)) {
                atomicAdd(&holders[game.best[i]], 1);
            }
        }
        least = least_of(mine, meeting, half);
        least.value = 0, least_distance = 0, n_alive = game.n_real;
        __syncthreads();
    }

    // values <- values - shift + weight (row - center)^2, and the least of them.
    __device__ Found<T> add_squares(PerTarget<T, N>& kept, const T* row, T center, T weight, T shift) {
        T infinite = (T)INFINITE, lows[4] = {infinite, infinite, infinite, infinite};
        EACH_TARGET(j, i) {
            T difference = row[i] - center;
            kept[j] = (kept[j] - shift) + weight * (difference * difference);
            lows[j % 4] = lesser(lows[j % 4], kept[j]);
        }
        T low = least_of_warp(lesser(lesser(lows[0], lows[1]), lesser(lows[2], lows[3])));
        Found<T> mine = {low, NOWHERE};
        EACH_TARGET(j, i) if (kept[j] == low) mine.place = min(mine.place, i);
        return least_of(mine, meeting, half);
    }

    // The lowest-numbered target of the largest value among those within the limit.
    __device__ int top_within(PerTarget<T, N>& kept, double limit) {
        Found<T> mine = {(T)INFINITE, NOWHERE};
        EACH_TARGET(j, i)
            if ((double)kept[j] <= limit && (mine.place == NOWHERE || -game.values[i] < mine.value))
                mine = {-game.values[i], i};
        return least_of(mine, meeting, half).place;
    }

    // A target drawn by its weight: the first at which the running sum exceeds the share `level` of the total.
    __device__ int drawn(double level) {
        int lane = threadIdx.x % 32, warp = threadIdx.x / 32, n_warps = blockDim.x / 32;
        int n_rows = (game.n_targets + blockDim.x - 1) / blockDim.x;
        double lowest = (double)least.value, limit = lowest + game.cut * game.scale;
        __syncthreads();
#pragma unroll
        for (int j = 0; N ? j < N : j < n_rows; j++) {
            int i = j * blockDim.x + threadIdx.x;
            double weight = 0.0;
            if (i < game.n_targets && (double)losses[j] <= limit) weight = exp((lowest - (double)losses[j]) / game.scale);
            for (int step = 16; step; step >>= 1) weight += __shfl_xor_sync(ALL, weight, step);
            if (lane == 0 && j < n_rows) shares[j * n_warps + warp] = weight;
        }
        __syncthreads();
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
                int i = j * blockDim.x + threadIdx.x;
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
            if (lane == 0) *sum = row * blockDim.x + warp * 32 + which;
        }
        __syncthreads();
        int found = *sum;
        __syncthreads();
        return found;
    }

    // Of the best queries of surviving targets, the one with the fewest answers.
    __device__ int least_asked() {
        Found<double> mine = {INFINITE, NOWHERE};
        for (int q = threadIdx.x; q < game.n_queries; q += blockDim.x)
            if (holders[q] > 0 && counts[q] < mine.value) mine = {counts[q], q};
        return least_of(mine, wide, wide_half).place;
    }

    // The allowed query with the largest index of UCB1.
    __device__ int largest_index(double double_log, int t) {
        if (t < game.n_legal) return game.legal[t];
        Found<double> mine = {INFINITE, NOWHERE};
        for (int k = threadIdx.x; k < game.n_legal; k += blockDim.x) {
            double count = counts[game.legal[k]];
            double index = sums[game.legal[k]] / count + game.radius * sqrt(double_log / count);
            if (-index < mine.value) mine = {-index, k};
        }
        return game.legal[least_of(mine, wide, wide_half).place];
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
        }
        return least_asked();
    }

    __device__ void tell(int query, double reward) {
        if (threadIdx.x == teller) counts[query] += 1.0, sums[query] += reward;
        if (!fits()) {
            __syncthreads();
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
        __syncthreads();
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
        int gone = 0;
        EACH_TARGET(j, i) if (alive[j] && !((double)losses[j] <= limit)) {
            alive[j] = 0;
            atomicSub(&holders[game.best[i]], 1);
            gone++;
        }
        n_alive -= sum_of(gone, sum);
        if (n_alive == 0) {
            int back = 0;
            EACH_TARGET(j, i) if ((double)losses[j] <= limit) {
                alive[j] = 1;
                atomicAdd(&holders[game.best[i]], 1);
                back++;
            }
            n_alive = sum_of(back, sum);
        }
    }
};

// How many threads a block has at most, and how many blocks a processor plays at once, at the least.
constexpr int most_threads(int watch, int n) {
    if (watch == NOTHING) return n ? 512 : 1024;
    return n == 0 ? 256 : n <= 4 ? 32 : LANES;
}
constexpr int least_blocks(int watch, int n) { return watch == NOTHING || n == 0 ? 1 : n <= 4 ? 16 : n <= 8 ? 8 : 6; }

// Runs into the rows of `queries` and `rewards`; each block takes the next one that nobody plays.
template <typename T, int RULE, int NOISE, int WATCH, int N>
__global__ void __launch_bounds__(most_threads(WATCH, N), least_blocks(WATCH, N)) play(const __grid_constant__ Game<T> game) {
    __shared__ double mine[CHUNK], theirs[2 * CHUNK], told[CHUNK];
    __shared__ int asked[CHUNK], current, sum, place, verdict[2];
    __shared__ Meeting<T> meeting;
    __shared__ Meeting<double> wide, seen;
    __shared__ double lanes[WATCH == NOTHING ? 1 : 2 * LANES + (N > 4 ? N * LANES : LANES)];
    Run<T, RULE, N, WATCH == NOTHING ? 0 : Evidence<T, WATCH, N>::THREADS> run(game, meeting, wide, &sum);
    bool watches = threadIdx.x / 32 == blockIdx.x % (blockDim.x / 32);  // not always the first, which would be busiest
    if (WATCH != NOTHING) run.teller = blockIdx.x % (blockDim.x / 32) * 32;
    Numbers numbers;
    Evidence<T, WATCH, N> evidence(game, run.counts, run.sums, seen, lanes, &sum, numbers);
    Evidence<T, WATCH, 4> rest(game, run.counts, run.sums, seen, lanes, &place, numbers);
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0) current = atomicAdd(game.next, 1);
        __syncthreads();
        if (current >= game.n_runs) return;
        size_t k = current, offset = (size_t)game.environments[k] * game.n_queries;
        Word number = game.numbers[k];
        Key key = {game.keys[2 * k], game.keys[2 * k + 1]};
        run.restart(game.start + (size_t)game.starts[k] * game.n_targets);
        int settled = -1, length = 0;
        bool is_rest = false;  // whether one warp watches alone
        if constexpr (WATCH != NOTHING) settled = evidence.restart();
        for (int begin = 0; begin < game.horizon && settled < 0; begin += CHUNK) {
            int n = min(CHUNK, game.horizon - begin), r = 0;
            if (RULE == ANY || RULE == DRAWN) draw(mine, key, LEARNER, number, begin, CHUNK);
            if (NOISE != EXACT && NOISE != MEAN)
                draw(theirs, key, ENVIRONMENT, number, (Word)begin * game.n_draws, CHUNK * game.n_draws);
            __syncthreads();
            auto round = [&](auto see) {
                int query = run.ask(begin + r, mine[r]);
                double mean = game.means[offset + query];
                double reward = NOISE == MEAN
                                    ? mean_of_coins(game, mean, key, number, begin + r, &sum)
                                    : answer<NOISE>(game, mean, game.beyond[offset + query], theirs + r * game.n_draws);
                if (threadIdx.x == 0) asked[r] = query, told[r] = reward;
                see(query, reward);
                run.tell(query, reward);
            };
            for (; r < n && settled < 0 && !is_rest; r++)
                round([&](int query, double reward) {
                    if constexpr (WATCH != NOTHING) {
                        settled = evidence.see(query, reward, settled);
                        is_rest = evidence.is_over();
                        if (is_rest && watches) rest.resume();
                    }
                });
            if constexpr (WATCH != NOTHING) {
                for (; r < n && settled < 0; r++) {
                    round([&](int query, double reward) {
                        if (!watches) return;
                        int found = rest.see(query, reward, settled);
                        if (threadIdx.x % 32 == 0) verdict[r % 2] = found;
                    });
                    settled = verdict[r % 2];  // the other warps know it after the barrier in `tell`
                }
                if (is_rest) evidence.forget();
            }
            length += r;
            __syncthreads();
            for (int i = threadIdx.x; i < r && game.queries; i += blockDim.x) {
                game.queries[k * game.horizon + begin + i] = asked[i];
                game.rewards[k * game.horizon + begin + i] = told[i];
            }
            __syncthreads();
        }
        if constexpr (WATCH != NOTHING) {
            int leader = 0;
            if (!is_rest)
                leader = evidence.leader();
            else if (watches)
                leader = rest.leader();
            if (is_rest ? watches && threadIdx.x % 32 == 0 : threadIdx.x == 0)
                game.lengths[k] = length, game.settled[k] = settled, game.leaders[k] = leader;
        }
    }
}
