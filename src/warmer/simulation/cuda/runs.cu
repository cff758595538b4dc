// Whole runs on a GPU: the loop of `simulation.plain`, one block of threads per run at a time.
//
// Compiled without contraction (--fmad=false), every addition, multiplication and comparison is the one that the plain
// loop makes; what several threads find is put together by minima, maxima and whole numbers alone, which no order
// changes. Only Thompson's weights are summed in another order.

typedef unsigned long long Word;

enum Rule { ANY, INDEX, LEAST_LOSS, LOSS_BALL, DISTANCE_BALL, DRAWN, SURVIVORS };
enum Noise { EXACT, COIN, UNIFORM, GAUSSIAN, MEAN, ADVERSARY, SIMULATED };
enum Strategy { TRUTHFUL, UP, DOWN, RANDOM };
enum Role { LEARNER, ENVIRONMENT };

const int CHUNK = 128;      // rounds whose random numbers are drawn, and whose results are written, at once
const int MOST_WARPS = 32;  // in a block
const unsigned ALL = 0xffffffffu;
const int NOWHERE = 0x7fffffff;

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
__device__ Found<T> least_of(Found<T> mine, Meeting<T>& meeting, int& half) {
    T least = least_of_warp(mine.value);
    mine = {least, least_of_warp(mine.value == least ? mine.place : NOWHERE)};
    int n_warps = blockDim.x / 32;
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
    _Pragma("unroll") for (int j = 0, i = threadIdx.x; N ? j < N : i < game.n_targets; j++, i += blockDim.x)

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
    double *counts, *sums, *shares;   // memory of each block
    int* holders;                     // likewise: of how many surviving targets each query is the best
    T *losses, *distances;            // likewise, where they do not fit in registers
    unsigned char* alive;             // likewise
    int* next;                        // the next run that nobody plays
    int* queries;
    double* rewards;
    Key key;
    Word first;                       // the number of the first run
    double radius, scale, cut;
    double low, high, width;
    int n_draws, strategy;
    int n_runs, n_targets, n_real, n_queries, n_legal, n_shares, horizon;  // targets: with those made up, and without
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
__device__ double mean_of_coins(const Game<T>& a, double mean, Word run, Word t, int* sum) {
    Word start = t * a.n_draws, end = start + a.n_draws;
    int heads = 0;
    for (Word block = start / 4 + threadIdx.x; block * 4 < end; block += blockDim.x) {
        Word words[4];
        philox(a.key, block + 1, ENVIRONMENT, run, words);
        for (int k = 0; k < 4; k++)
            if (block * 4 + k >= start && block * 4 + k < end)
                heads += a.low + to_unit(words[k]) * (a.high - a.low) < mean;
    }
    return fmin(a.high, a.low + (double)sum_of(heads, sum) / a.n_draws * (a.high - a.low));
}

// ---- Runs -----------------------------------------------------------------------------------------------------------

template <typename T, int RULE, int N>
struct Run {
    const Game<T>& game;
    double *counts, *sums, *shares;
    int* holders;
    PerTarget<T, N> losses, distances;
    PerTarget<unsigned char, N> alive;
    Meeting<T>& meeting;
    Meeting<double>& wide;
    int* sum;
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

    __device__ void restart() {
        for (int q = threadIdx.x; q < game.n_queries; q += blockDim.x) {
            counts[q] = 0.0, sums[q] = 0.0;
            if (RULE == SURVIVORS) holders[q] = 0;
        }
        __syncthreads();
        if (!fits()) return;
        Found<T> mine = {(T)INFINITE, (int)threadIdx.x};
        EACH_TARGET(j, i) {
            losses[j] = game.start[i];
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
        if (threadIdx.x == 0) counts[query] += 1.0, sums[query] += reward;
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

// Runs into the rows of `queries` and `rewards`; each block takes the next one that nobody plays.
template <typename T, int RULE, int NOISE, int N>
__global__ void __launch_bounds__(N ? 512 : 1024) play(const __grid_constant__ Game<T> game) {
    __shared__ double mine[CHUNK], theirs[2 * CHUNK], told[CHUNK];
    __shared__ int asked[CHUNK], current, sum;
    __shared__ Meeting<T> meeting;
    __shared__ Meeting<double> wide;
    Run<T, RULE, N> run(game, meeting, wide, &sum);
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0) current = atomicAdd(game.next, 1);
        __syncthreads();
        if (current >= game.n_runs) return;
        size_t k = current, offset = (size_t)game.environments[k] * game.n_queries;
        Word number = game.first + k;
        run.restart();
        for (int begin = 0; begin < game.horizon; begin += CHUNK) {
            int n = min(CHUNK, game.horizon - begin);
            if (RULE == ANY || RULE == DRAWN) draw(mine, game.key, LEARNER, number, begin, CHUNK);
            if (NOISE != EXACT && NOISE != MEAN)
                draw(theirs, game.key, ENVIRONMENT, number, (Word)begin * game.n_draws, CHUNK * game.n_draws);
            __syncthreads();
            for (int r = 0; r < n; r++) {
                int query = run.ask(begin + r, mine[r]);
                double mean = game.means[offset + query];
                double reward = NOISE == MEAN
                                    ? mean_of_coins(game, mean, number, begin + r, &sum)
                                    : answer<NOISE>(game, mean, game.beyond[offset + query], theirs + r * game.n_draws);
                if (threadIdx.x == 0) asked[r] = query, told[r] = reward;
                run.tell(query, reward);
            }
            __syncthreads();
            for (int r = threadIdx.x; r < n; r += blockDim.x) {
                game.queries[k * game.horizon + begin + r] = asked[r];
                game.rewards[k * game.horizon + begin + r] = told[r];
            }
            __syncthreads();
        }
    }
}
