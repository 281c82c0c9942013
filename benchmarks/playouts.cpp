// Uniformly random playouts of the card game "Die Fugger": how many decisions a second can one
// core make? A yardstick for other implementations of the same rules.
//
//   g++ -std=c++20 -O3 -march=native playouts.cpp -o playouts
//   ./playouts [--seconds 2] [--edition adlung|rody] [--seed 1]
//
// Each game runs from the shuffled 49 cards to the final scoring. Every decision is uniform among
// the distinct legal actions, every dealt card is uniform among the cards of the draw pile.
//
// How it is made fast:
//   * A multiset of cards is one 64-bit word, four bits a kind; adding a card is one addition.
//   * The set of legal actions is one word, a few operations away from the hand's. PDEP finds its
//     n-th member, which, shifted, is the card played. No list is built, nothing is decoded.
//   * Drawing and playing are one path without a branch: which of them comes next cannot be
//     predicted, and a mispredicted branch costs more than both together.
//   * Piles are shuffled when they come into use, four cards to a random number, so that dealing a
//     card is one load. One random number also serves all players once around the table.
//   * The turns of a round are unrolled by seat; the players are kept in the order of the turns.
//   * A new round's cards are dealt without a branch; prices and sales are vector operations.
//
// Needs x86-64 with BMI2 (PDEP is fast on Intel since Haswell, on AMD since Zen 3) and g++ 12 or
// later. The time measured is the process's own, so other work on the machine disturbs it little.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include <immintrin.h>

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// ---- The box -----------------------------------------------------------------------------------

constexpr int GOODS = 5, CARDS = 49, PLAIN = 7, SEALED = 2, MERCHANTS = 4;
constexpr int FIRST_PRICE = 5, HIGHEST_PRICE = 9, TARGET = 100, FIRST_HAND = 4;
constexpr int SEAL_DOUBLES_UP_TO = 3;  // cards of its good on the table

struct Adlung {  // beyond: the game ends with more than the target, not with the target itself
    static constexpr bool shipment_feeds_jakob = true, price_goes_round = false, beyond = false;
};
struct Rody {
    static constexpr bool shipment_feeds_jakob = false, price_goes_round = true, beyond = true;
};

// ---- Words -------------------------------------------------------------------------------------
// Cards: four bits a kind. Kinds 0..4 are the plain goods, 5..9 the sealed ones, 10 the merchant.
// Bits 4k..4k+3 say how many cards of kind k there are, and some words count from a number that
// makes the question asked of them a single bit:
//   hand      from 7: bit 4k+3 is set if there is a card of kind k;
//             bits 48..63 are its size - 5, so bit 63 is set while its owner may draw
//   tableau   merchants from 6: bit 43 is set if it has two, which is the most
//   table     plain goods from 3: plain + sealed has bit 3 set if there is a fifth card of a good
// Actions, a set: bit 4k+3 plays kind k, bit 4k+2 ships it, bit 63 draws; the empty set is a pass.
// Goods: byte g is a number for good g, a price or a count.

constexpr u64 every_kind(u64 nibble) { return 0x11111111111 * nibble; }
constexpr u64 every_plain(u64 nibble) { return 0x11111 * nibble; }
constexpr u64 every_good(u64 byte) { return 0x0101010101 * byte; }

constexpr u64 A_MERCHANT = u64(1) << 40, ALL_GOODS = A_MERCHANT - 1;
constexpr u64 FULL_BOX =
    every_plain(PLAIN) + (every_plain(SEALED) << 4 * GOODS) + MERCHANTS * A_MERCHANT;
constexpr u64 PLAY_ANY = every_kind(8), PLAY_MERCHANT = A_MERCHANT * 8;
constexpr u64 SHIP_ANY = every_kind(4) & ALL_GOODS, DRAW = u64(1) << 63;

constexpr u64 ONE_IN_HAND = u64(1) << 48;
constexpr u64 EMPTY_HAND = every_kind(7) - 5 * ONE_IN_HAND;
constexpr u64 EMPTY_TABLEAU = 6 * A_MERCHANT;
constexpr u64 EMPTY_TABLE = every_plain(3);
bool fifth_card(u64 table) { return (table + (table >> 4 * GOODS)) & every_plain(8); }

// A card of a pile is a word of one card that also counts two cards in a hand, because each turn
// that is not a pass begins by taking one from the size of the hand. Words other than hands may
// collect rubbish in these high bits; it is masked when they are used.
constexpr u64 ON_PILE = 2 * ONE_IN_HAND;
constexpr u64 DEALT = ONE_IN_HAND - ON_PILE;  // goes with each card that comes to a hand otherwise

// How many plain, or sealed, cards of each good.
u64 plain(u64 cards) { return _pdep_u64(cards, every_good(15)); }
u64 sealed(u64 cards) { return _pdep_u64(cards >> 4 * GOODS, every_good(15)); }

// ---- Random numbers: wyrand, whose only state is a counter ------------------------------------

struct Random {
    u64 state;
    u64 operator()() {
        state += 0xa0761d6478bd642f;
        const auto product = (unsigned __int128)state * (state ^ 0xe7037ed1a0b428db);
        return u64(product >> 64) ^ u64(product);
    }
};

// A number below n: the integer part of random / 2^64 * n. The fraction is left in random and is
// good for more such numbers, as long as the product of all n is far below 2^64.
u32 below(u32 n, u64& random) {
    const auto product = (unsigned __int128)random * n;
    random = u64(product);
    return u32(product >> 64);
}

// ---- Evaluation --------------------------------------------------------------------------------

typedef signed char Bytes __attribute__((vector_size(16)));  // one good a byte, the rest unused
Bytes bytes(u64 goods) { return Bytes(_mm_cvtsi64_si128((long long)goods)); }
u64 word(Bytes goods) { return u64(_mm_cvtsi128_si64(__m128i(goods))); }

// The sum of number * price. (Two goods together stay below 256: at most 5 * 9 gulden each.)
u32 worth(u64 numbers, Bytes prices) {
    const __m128i pairs = _mm_maddubs_epi16(__m128i(prices), __m128i(bytes(numbers)));
    return u32(_mm_cvtsi128_si32(_mm_sad_epu8(pairs, _mm_setzero_si128())));
}

template <class Edition>
Bytes new_prices(Bytes prices, Bytes counts) {
    // A good rises when it is on the table and fewer than three goods are more frequent.
    const auto rotated = [&](auto... from) {
        return Bytes(_mm_shuffle_epi8(__m128i(counts), _mm_setr_epi8(char(from)..., -1, -1, -1, -1,
                                                                     -1, -1, -1, -1, -1, -1, -1)));
    };
    const Bytes more_frequent =
        -((counts < rotated(1, 2, 3, 4, 0)) + (counts < rotated(2, 3, 4, 0, 1)) +
          (counts < rotated(3, 4, 0, 1, 2)) + (counts < rotated(4, 0, 1, 2, 3)));
    const Bytes rises = (counts > 0) & (more_frequent < 3);
    const Bytes one = bytes(every_good(1));
    Bytes up = prices + counts, down = prices - one;
    up = up > HIGHEST_PRICE ? (Edition::price_goes_round ? up - HIGHEST_PRICE : one) : up;
    down = down < 1 ? (Edition::price_goes_round ? bytes(every_good(HIGHEST_PRICE)) : one) : down;
    return (rises ? up : down) & bytes(every_good(255));
}

// ---- A game ------------------------------------------------------------------------------------

struct Totals {
    u64 games = 0, steps = 0, rounds = 0, money = 0;
    u64 wins[4] = {};  // in twelfths: a win shared by two, three or four is a whole number of them
};

struct Player {
    u64 hand, tableau;
    u64 may_ship;  // SHIP_ANY in rounds 1 and 2 until the player ships, else 0
    u64 shipped;   // cards
    u32 money, seat;
};

// What a player with no, one or two merchants draws in a new round besides two cards: 0, 2 or 5.
u32 extra_cards(u64 merchants) { return 0x520 >> (merchants / A_MERCHANT * 4) & 15; }

// The cards in the order they are drawn. The first 49 are the full box, shuffled afresh for each
// game from the order of the game before; behind them come the discard piles turned over since.
struct Piles {
    static constexpr u32 ROOM = 1024;  // enough for nearly every game; turn_over sees to the others
    u64 cards[ROOM] = {};

    Piles() { spread(FULL_BOX, 0); }

    // Writes these cards one by one, the first at this place. Returns the place behind the last.
    u32 spread(u64 kinds, u32 place) {
        for (u32 shift = 0; shift <= 40; shift += 4) {  // the next kind overwrites what is too much
            std::fill_n(cards + place, 8, (u64(1) << shift) + ON_PILE);
            place += kinds >> shift & 15;
        }
        return place;
    }

    void shuffle(u32 begin, u32 end, Random& random) {
        u64* const pile = cards + begin;
        u64 r;
        const auto settle = [&](u32 n) { std::swap(pile[below(n, r)], pile[n - 1]); };
        u32 n = end - begin;
        for (; n >= 4; n -= 4) {  // four numbers below 50 use 23 of the 64 bits
            r = random();
            settle(n), settle(n - 1), settle(n - 2), settle(n - 3);
        }
        r = random();
        for (; n >= 2; --n) settle(n);
    }
};

struct Turned {
    u32 top, end;
    Random random;
};
// The discard pile, shuffled, goes behind the draw pile cards[top .. end - 1]. That may be done
// before the draw pile is empty, if it surely will be before anything else is discarded.
[[gnu::noinline]] Turned turn_over(Piles& piles, u32 top, u32 end, u64 discard, Random random) {
    if (end + CARDS + 8 > Piles::ROOM) {
        std::copy(piles.cards + top, piles.cards + end, piles.cards + CARDS);
        end = CARDS + end - top;
        top = CARDS;
    }
    const u32 begin = end;
    end = piles.spread(discard, begin);
    piles.shuffle(begin, end, random);
    return {top, end, random};
}

template <int N, class Edition>
[[gnu::noinline]] void play_game(Piles& piles, Random& generator, Totals& totals) {
    Random random = generator;
    piles.shuffle(0, CARDS, random);
    u32 top = 0, end = CARDS;  // the draw pile is piles.cards[top .. end - 1]
    u64 discard = 0, jakob = 0, table = EMPTY_TABLE;
    Player players[N];  // in the order of this round's turns
    Bytes prices = bytes(every_good(FIRST_PRICE));
    u64 steps = 0;
    u32 round = 1;
    const auto turn_over_discard = [&] {
        const Turned turned = turn_over(piles, top, end, discard, random);
        top = turned.top;
        end = turned.end;
        random = turned.random;
        discard = 0;
    };
    const auto deal_to = [&](Player& player) {
        if (top == end) {
            if (discard == 0) return;
            turn_over_discard();
        }
        player.hand += piles.cards[top++] + DEALT;
    };
    const auto turn_up_for_jakob = [&] {
        if (((discard & ALL_GOODS) | (end - top > MERCHANTS)) == 0) [[unlikely]] {
            const auto is_merchant = [](u64 card) { return card == A_MERCHANT + ON_PILE; };
            if (std::all_of(piles.cards + top, piles.cards + end, is_merchant)) return;
        }
        for (;;) {
            if (top == end) [[unlikely]] turn_over_discard();
            const u64 turned = piles.cards[top++];
            if (turned != A_MERCHANT + ON_PILE) [[likely]] {
                jakob += turned;
                table += turned;
                return;
            }
            discard += A_MERCHANT;
        }
    };

    // One turn. Says whether it ended the round.
    // It takes a fraction r of a random number and leaves one for the next turn.
    const auto turn = [&]<bool shipping>(Player& me, u64& r) __attribute__((always_inline)) {
        u64 legal = me.hand & ~me.tableau & (PLAY_ANY | DRAW);
        if (shipping) legal |= legal >> 1 & me.may_ship;
        if (top == end) [[unlikely]] {
            if (discard == 0) legal &= ~DRAW;
            else if (legal & DRAW) {  // the last action of the set: turn over only if it is chosen
                const u32 n = u32(std::popcount(legal));
                u64 copy = r;
                if (below(n, copy) == n - 1) turn_over_discard();
            }
        }
        const u32 nth = below(u32(std::popcount(legal)), r);
        const u64 action = _pdep_u64(u64(1) << nth, legal);

        if (action & (PLAY_ANY | DRAW)) [[likely]] {
            const u64 drawn = u64(std::int64_t(action) >> 63);  // all bits, or none
            const u64 played = action >> 3 & ~drawn;
            me.hand += (piles.cards[top] & drawn) - played - ONE_IN_HAND;
            me.tableau += played;
            table += played;
            top -= u32(drawn);
            if (N < 4 && !Edition::shipment_feeds_jakob && action == PLAY_MERCHANT)
                turn_up_for_jakob();
        } else if (shipping && action != 0) {  // ship; 0 is a pass
            const u64 good = action >> 2;
            me.hand -= good + ONE_IN_HAND;
            me.may_ship = 0;
            me.shipped += good;
            if (N < 4 && Edition::shipment_feeds_jakob) turn_up_for_jakob();
        }
        return fifth_card(table);
    };
    // Turns until the round ends. Returns the number of the last player.
    const auto turns = [&]<bool shipping>() {
        for (;;) {
            u64 r = random();
#pragma GCC unroll 4
            for (int i = 0; i < N; ++i) {
                if (turn.template operator()<shipping>(players[i], r)) [[unlikely]] {
                    steps += u64(i) + 1;
                    return i;
                }
            }
            steps += N;
            if (N == 2) {
                turn_up_for_jakob();
                if (fifth_card(table)) [[unlikely]] return N - 1;
            }
        }
    };

    for (int i = 0; i < N; ++i) {
        players[i] = {EMPTY_HAND, EMPTY_TABLEAU, SHIP_ANY, 0, 0, u32(i)};
        for (int n = FIRST_HAND; n--;) players[i].hand += piles.cards[top++] + DEALT;
    }
    turn_up_for_jakob();
    turn_up_for_jakob();

    for (;; ++round) {
        const int last = round <= 2 ? turns.template operator()<true>()
                                    : turns.template operator()<false>();

        // Evaluation: prices, then sales; then it may be the end.
        const Bytes counts = bytes(plain(table - EMPTY_TABLE) + sealed(table));
        prices = new_prices<Edition>(prices, counts);
        const u64 seal_doubles = word(counts <= SEAL_DOUBLES_UP_TO);
        u32 most = 0;
        for (Player& player : players) {
            const u64 seals = sealed(player.tableau);
            player.money += worth(plain(player.tableau) + seals + (seals & seal_doubles), prices);
            most = std::max(most, player.money);
        }
        if (Edition::beyond ? most > TARGET : most >= TARGET) break;

        // A new round.
        discard += jakob & ALL_GOODS;
        jakob = 0;
        table = EMPTY_TABLE;
        u64 merchants = 0;
        u32 owed = 0;
        for (Player& player : players) {
            discard += player.tableau & ALL_GOODS;
            player.tableau = (player.tableau - EMPTY_TABLEAU) & ~ALL_GOODS;  // the merchants
            merchants += player.tableau;
            owed += 2 + extra_cards(player.tableau);
            player.may_ship = round < 2 ? SHIP_ANY : 0;
        }
        Player twice[2 * N];  // the one behind the last player begins
#pragma GCC unroll 4
        for (int i = 0; i < N; ++i) twice[i] = twice[N + i] = players[i];
#pragma GCC unroll 4
        for (int i = 0; i < N; ++i) players[i] = twice[last + 1 + i];
        if (end - top < owed) turn_over_discard();
        if (end - top >= owed) [[likely]] {
            const u64* next = piles.cards + top;
            top += owed;
            for (Player& player : players) {
                player.hand += next[0] + next[1] + 2 * DEALT;
                next += 2;
            }
            for (Player& player : players) {
                const u64 some = -u64(player.tableau != 0);  // all bits, or none
                const u64 two = -(player.tableau / (2 * A_MERCHANT));
                player.hand += (next[0] + next[1] + 2 * DEALT) & some;
                player.hand += (next[2] + next[3] + next[4] + 3 * DEALT) & two;
                next += extra_cards(player.tableau);
            }
        } else {  // both piles run dry
            for (Player& player : players)
                for (int n = 2; n--;) deal_to(player);
            for (Player& player : players)
                for (u32 n = extra_cards(player.tableau); n--;) deal_to(player);
        }
        for (Player& player : players) player.tableau = EMPTY_TABLEAU;
        discard += merchants;
        turn_up_for_jakob();
        turn_up_for_jakob();
    }

    // Final scoring.
    u32 most = 0, winners = 0;
    for (Player& player : players) {
        player.money += 2 * worth(plain(player.shipped) + sealed(player.shipped), prices);
        totals.money += player.money;
        most = std::max(most, player.money);
    }
    for (const Player& player : players) winners += player.money == most;
    for (const Player& player : players)
        totals.wins[player.seat] += player.money == most ? 12 / winners : 0;
    totals.games += 1;
    totals.steps += steps;
    totals.rounds += round;
    generator = random;
}

// ---- Measurement -------------------------------------------------------------------------------

double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

template <int N, class Edition>
void measure(double seconds, Random random) {
    Totals t;
    Piles piles;
    double start = 0, spent = -1;
    do {
        for (int i = 0; i < 2000; ++i) play_game<N, Edition>(piles, random, t);
        if (spent < 0) t = {}, start = cpu_seconds();  // the first games only warm up
        spent = cpu_seconds() - start;
    } while (spent < seconds || t.games == 0);
    const double games = double(t.games);
    std::printf("%s\"%d\": {\"steps_per_s\": %.0f, \"games_per_s\": %.0f, "
                "\"steps_per_game\": %.4f, \"mean_rounds\": %.4f, \"mean_money\": %.4f, "
                "\"games\": %.0f, \"wins\": ",
                N == 2 ? "{" : ", ", N, double(t.steps) / spent, games / spent,
                double(t.steps) / games, double(t.rounds) / games, double(t.money) / games / N,
                games);
    for (int seat = 0; seat < N; ++seat)
        std::printf("%s%.4f", seat ? ", " : "[", double(t.wins[seat]) / 12 / games);
    std::printf("]}%s", N == 4 ? "}\n" : "");
}

template <class Edition>
void measure_all(double seconds, u64 seed) {
    measure<2, Edition>(seconds, {seed});
    measure<3, Edition>(seconds, {seed});
    measure<4, Edition>(seconds, {seed});
}

}  // namespace

int main(int argc, char** argv) {
    double seconds = 2;
    u64 seed = 1;
    bool rody = false, understood = true;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        char* end = nullptr;
        if (option == "--seconds") seconds = std::strtod(value.data(), &end);
        else if (option == "--seed") seed = std::strtoull(value.data(), &end, 10);
        else if (option == "--edition" && value == "adlung") rody = false;
        else if (option == "--edition" && value == "rody") rody = true;
        else understood = false;
        if (end != nullptr) understood &= !value.empty() && *end == '\0';
    }
    if (!understood) {
        std::fputs("usage: playouts [--seconds S] [--edition adlung|rody] [--seed N]\n", stderr);
        return 2;
    }
    rody ? measure_all<Rody>(seconds, seed) : measure_all<Adlung>(seconds, seed);
}
