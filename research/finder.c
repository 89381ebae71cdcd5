/* Finds winning lines of Big Ben as bigben_solver does, for runs of very many deals.
 *
 * A beam has a level for each number of cards that the stock has dealt. In a level it looks at the
 * best positions that plays and builds lead to; each of them deals into a later level. Many narrow
 * beams, each with weights of its own, find more than one wide beam; if they find nothing, they
 * grow. What it finds is checked by the rules, so a mistake here can lose lines, never invent one.
 *
 * Cards are 0 ... 51, suit * 13 + rank. Foundations and fans are 0 ... 11, index 0 being one
 * o'clock. A move is source * 24 + target: sources are the fans and then the waste (12), targets
 * the foundations and then the fans (12 ... 23); 312 is a refill and 313 a turn.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS = 52, NO_CARD = 52, STOCK = 56, LONGEST_FAN = 24, TARGETS = 24, WASTE = 12 };
enum { REFILL = 312, TURN = 313, MOST_MOVES = 160 };
enum { NO_GAPS = 0, STUCK = 1, ALWAYS = 2 };

typedef struct {
    uint8_t home[12], size[12], wasted, at;
    int fans_turned, waste_turned; /* pairs of a pile of which the upper card is needed later */
    uint8_t fan[12][LONGEST_FAN];
    uint8_t waste[STOCK];
} Position;

typedef struct {
    Position position;
    int before, move;
} Node;

typedef struct {
    const uint8_t *stock, *first; /* the cards dealt by the stock; the first card of each foundation */
    const uint8_t *length;        /* of each complete foundation */
    int laps, turn, waste_builds, end;
    double weights[5]; /* of the parts of a score; the last one is chance */
    int8_t order[12]; /* in which the foundations are tried, last first */
    uint8_t wanted[12][16];       /* the cards of each foundation, then NO_CARD */
    int8_t hour[CARDS][2];        /* the foundations that take a card, or -1; the longer one first */
    uint8_t count[CARDS][2];      /* how many cards they have then */
    uint8_t depth[CARDS];         /* the smaller of the two counts */
    uint8_t loose[STOCK + 1][CARDS + 1];
    Node *nodes;
    double *scores;               /* of the nodes */
    int used, room;
    uint64_t *seen;               /* a table of hashes, cleared for each beam */
    uint64_t mask;
    int next[STOCK + 1];          /* by level: the first of its nodes in a list */
    int *link;
    uint64_t random;
} Search;

static double uniform(Search *s) {
    s->random ^= s->random << 13, s->random ^= s->random >> 7, s->random ^= s->random << 17;
    return (double)(s->random >> 11) / 9007199254740992.0;
}

static uint64_t hash(const Position *p) {
    uint64_t h = 1469598103934665603ull + p->at;
#define MIX(x) (h = (h ^ (x)) * 1099511628211ull, h ^= h >> 29)
    for (int i = 0; i < 12; i++) {
        MIX(p->home[i]);
        MIX(p->size[i] + 64);
        for (int k = 0; k < p->size[i]; k++) MIX(p->fan[i][k] + 128);
    }
    for (int k = 0; k < p->wasted; k++) MIX(p->waste[k] + 192);
    return h ? h : 1;
}

static int is_new(Search *s, const Position *p) {
    uint64_t h = hash(p), i = h & s->mask;
    if ((uint64_t)s->used > s->mask / 2) return 0;
    for (; s->seen[i]; i = (i + 1) & s->mask)
        if (s->seen[i] == h) return 0;
    s->seen[i] = h;
    return 1;
}


/* What it costs to bring all cards home if nothing is built, the cards of the stock may go home in
 * any order, and cards may be set aside: the number of those. 0 with an empty stock means that the
 * game is won by the plays, which are written down if they are wanted. */
static int stuck(const Search *s, const Position *p, int *plays) {
    uint8_t have[12], left[CARDS + 1], depth[13], first[CARDS + 1] = {0}, second[CARDS + 1] = {0};
    int8_t work[256];
    int working = 12, remaining = p->wasted, cost = 0;
    memcpy(have, p->home, 12);
    memcpy(left, s->loose[p->at], CARDS + 1);
    memcpy(depth, p->size, 12);
    depth[12] = p->wasted;
    for (int i = 0; i < 12; i++) remaining += p->size[i], work[i] = s->order[i];
    for (int i = 0; i < 13; i++) {
        if (!depth[i]) continue;
        int card = i < 12 ? p->fan[i][depth[i] - 1] : p->waste[depth[i] - 1];
        if (first[card]) second[card] = (uint8_t)(i + 1);
        else first[card] = (uint8_t)(i + 1);
    }
    for (;;) {
        while (working) {
            int foundation = work[--working];
            for (;; have[foundation]++) {
                int card = s->wanted[foundation][have[foundation]], i = first[card] - 1;
                if (i >= 0) {
                    if (plays) *plays++ = (i < 12 ? i : WASTE) * TARGETS + foundation;
                    remaining--;
                    first[card] = second[card];
                    second[card] = 0;
                    if (--depth[i]) {
                        int top = i < 12 ? p->fan[i][depth[i] - 1] : p->waste[depth[i] - 1];
                        if (first[top]) second[top] = (uint8_t)(i + 1);
                        else first[top] = (uint8_t)(i + 1);
                        for (int k = 0; k < 2; k++) {
                            int other = s->hour[top][k];
                            if (other >= 0 && other != foundation && working < 200 &&
                                have[other] == s->count[top][k])
                                work[working++] = (int8_t)other;
                        }
                    }
                } else if (card != NO_CARD && left[card]) {
                    left[card]--;
                } else {
                    break;
                }
            }
        }
        if (!remaining) return cost;
        int least = 99, from = 0;
        for (int i = 0; i < 13; i++) {
            const uint8_t *pile = i < 12 ? p->fan[i] : p->waste;
            for (int above = 1; above < depth[i] && above < least; above++) {
                int card = pile[depth[i] - 1 - above], fits = 0;
                for (int k = 0; k < 2; k++)
                    fits |= s->hour[card][k] >= 0 && have[s->hour[card][k]] == s->count[card][k];
                if (fits) least = above, from = i;
            }
        }
        if (least == 99) return cost + remaining;
        cost += least;
        remaining -= least;
        const uint8_t *pile = from < 12 ? p->fan[from] : p->waste;
        int card = pile[depth[from] - 1];
        if (first[card] == from + 1) first[card] = second[card];
        second[card] = 0;
        for (int n = 0; n <= least; n++) {
            card = pile[depth[from] - 1 - n];
            if (n < least) left[card]++;
            else if (first[card]) second[card] = (uint8_t)(from + 1);
            else first[card] = (uint8_t)(from + 1);
            for (int k = 0; k < 2; k++)
                if (s->hour[card][k] >= 0 && have[s->hour[card][k]] == s->count[card][k])
                    work[working++] = s->hour[card][k];
        }
        depth[from] -= (uint8_t)least;
    }
}

/* The cards of a pile below its top that are needed earlier than the top. */
static int turned(const Search *s, const uint8_t *pile, int size) {
    int cards = 0, last = s->depth[pile[size - 1]];
    for (int i = 0; i < size - 1; i++) cards += s->depth[pile[i]] < last;
    return cards;
}

static double score(const Search *s, const Position *p) {
    int cards = stuck(s, p, NULL);
    if (!cards && p->at == s->end) return -1;
    return s->weights[0] * cards + s->weights[1] * p->wasted + s->weights[2] * p->fans_turned +
           s->weights[3] * p->waste_turned;
}

static int top(const Position *p, int source) {
    if (source == WASTE) return p->wasted ? p->waste[p->wasted - 1] : NO_CARD;
    return p->size[source] ? p->fan[source][p->size[source] - 1] : NO_CARD;
}

/* Plays and builds. A card that fits two foundations goes to the longer one, which is never the
 * worse choice unless a card may only be turned when nothing else can be done. */
static int card_moves(const Search *s, const Position *p, int *moves) {
    int found = 0;
    for (int source = 0; source <= WASTE; source++) {
        int card = top(p, source);
        if (card == NO_CARD) continue;
        for (int k = 0; k < 2; k++) {
            int to = s->hour[card][k];
            if (to >= 0 && p->home[to] == s->count[card][k]) {
                moves[found++] = source * TARGETS + to;
                if (s->turn != STUCK) break;
            }
        }
        if (source == WASTE && !s->waste_builds) continue;
        for (int to = 0; to < 12; to++) {
            int size = p->size[to];
            if (size < 3 || size == LONGEST_FAN || to == source) continue;
            int under = p->fan[to][size - 1];
            if (card == (under % 13 ? under - 1 : under + 12))
                moves[found++] = source * TARGETS + 12 + to;
        }
    }
    return found;
}

static void put(const Search *s, Position *p, int fan, int card) {
    p->fan[fan][p->size[fan]++] = (uint8_t)card;
    p->fans_turned += turned(s, p->fan[fan], p->size[fan]);
}

static void play(const Search *s, Position *p, int move) {
    int source = move / TARGETS, to = move % TARGETS, card = top(p, source);
    if (source == WASTE) p->waste_turned -= turned(s, p->waste, p->wasted--);
    else p->fans_turned -= turned(s, p->fan[source], p->size[source]--);
    if (to < 12) p->home[to]++;
    else put(s, p, to - 12, card);
}

static void deal(const Search *s, Position *p, int move) {
    if (move == TURN) {
        p->waste[p->wasted++] = s->stock[p->at++];
        p->waste_turned += turned(s, p->waste, p->wasted);
        return;
    }
    for (int lap = 0, dealt = 1; dealt && p->at < s->end; lap++) {
        dealt = 0;
        for (int k = 0; k < 12; k++) {
            int fan = (k + 11) % 12, gaps = 3 - p->size[fan], most = s->laps ? 1 : 3;
            /* In each lap a fan that is short gets one card, or in the first one all it needs. */
            for (int n = 0; n < most && n < gaps && p->at < s->end; n++, dealt = 1)
                put(s, p, fan, s->stock[p->at++]);
        }
    }
}

static int add(Search *s, const Position *p, int before, int move) {
    if (s->used == s->room) {
        s->room = s->room ? 2 * s->room : 4096;
        s->nodes = realloc(s->nodes, sizeof(Node) * (size_t)s->room);
        s->scores = realloc(s->scores, sizeof(double) * (size_t)s->room);
        s->link = realloc(s->link, sizeof(int) * (size_t)s->room);
        if (!s->nodes || !s->scores || !s->link) abort();
    }
    s->nodes[s->used] = (Node){*p, before, move};
    s->scores[s->used] = score(s, p);
    if (s->scores[s->used] >= 0) s->scores[s->used] += s->weights[4] * uniform(s);
    s->link[s->used] = -1;
    return s->used++;
}

/* The children of a node in later levels. */
static void deal_on(Search *s, int node, int stuck_now) {
    int gaps = 0;
    for (int i = 0; i < 12; i++) gaps |= s->nodes[node].position.size[i] < 3;
    int turns = s->turn == ALWAYS || (!gaps && (s->turn == NO_GAPS || stuck_now));
    for (int move = gaps ? REFILL : TURN; move <= (turns ? TURN : REFILL); move++) {
        Position p = s->nodes[node].position;
        deal(s, &p, move);
        if (!is_new(s, &p)) continue;
        int child = add(s, &p, node, move);
        s->link[child] = s->next[p.at];
        s->next[p.at] = child;
    }
}

/* The best nodes before the next deal are looked at; returns one that is won, or -1. */
static int level(Search *s, int start, int looks) {
    int open[4096], waiting = 1, moves[MOST_MOVES];
    open[0] = start;
    if (s->scores[start] < 0) return start;
    for (; waiting && looks; looks--) {
        int best = 0;
        for (int i = 1; i < waiting; i++)
            if (s->scores[open[i]] < s->scores[open[best]]) best = i;
        int node = open[best];
        open[best] = open[--waiting];
        int found = card_moves(s, &s->nodes[node].position, moves);
        for (int i = 0; i < found; i++) {
            Position p = s->nodes[node].position;
            play(s, &p, moves[i]);
            if (!is_new(s, &p)) continue;
            int child = add(s, &p, node, moves[i]);
            if (s->scores[child] < 0) return child;
            if (waiting < 4096) open[waiting++] = child;
        }
        if (s->nodes[node].position.at < s->end) deal_on(s, node, !found);
    }
    return -1;
}

static int beam(Search *s, const Position *start, int width, int looks) {
    memset(s->seen, 0, sizeof(uint64_t) * (size_t)(s->mask + 1));
    for (int i = 0; i <= STOCK; i++) s->next[i] = -1;
    s->used = 0;
    s->next[start->at] = add(s, start, -1, -1);
    for (int at = start->at; at <= s->end; at++)
        for (int n = 0; n < width && s->next[at] >= 0; n++) {
            int *best = &s->next[at];
            for (int *i = best; *i >= 0; i = &s->link[*i])
                if (s->scores[*i] < s->scores[*best]) best = i;
            int node = *best;
            *best = s->link[node];
            int won = level(s, node, at < s->end ? looks : 20 * looks);
            if (won >= 0) return won;
        }
    return -1;
}

/* A foundation takes a card when it has so many; the longer one of two comes first. */
static void takes(Search *s, int card, int foundation, int count) {
    int k = s->hour[card][0] >= 0;
    if (k && s->length[foundation] - count > s->length[s->hour[card][0]] - s->count[card][0]) {
        s->hour[card][1] = s->hour[card][0];
        s->count[card][1] = s->count[card][0];
        k = 0;
    }
    s->hour[card][k] = (int8_t)foundation;
    s->count[card][k] = (uint8_t)count;
}

/* The moves to a node that is won, and then the plays that bring all cards home. */
static int written(const Search *s, int won, int *moves, int most) {
    int count = 0, left = s->nodes[won].position.wasted;
    for (int i = 0; i < 12; i++) left += s->nodes[won].position.size[i];
    for (int node = won; s->nodes[node].before >= 0; node = s->nodes[node].before) {
        if (count + left >= most) return 0;
        memmove(moves + 1, moves, sizeof(int) * (size_t)count++);
        moves[0] = s->nodes[node].move;
    }
    stuck(s, &s->nodes[won].position, moves + count);
    return count + left;
}

/* The moves of a winning line, and how many there are; 0 if none is found within the nodes.
 *
 * fans: twelve of three cards. stock: 56 cards. first, length: of the foundations. */
int find(const uint8_t *fans, const uint8_t *stock, const uint8_t *first, const uint8_t *length,
         int laps, int turn, int waste_builds, int64_t budget, uint64_t seed,
         int *moves, int most) {
    static const double usual[5] = {6.0, 1.6, 0.17, 0.29, 6.0};
    static const int shapes[7][2] = {{1, 8}, {2, 8}, {3, 8}, {3, 12}, {5, 12}, {5, 19}, {10, 19}};
    static Search kept; /* with the memory of earlier searches; there is one at a time */
    Search *s = &kept;
    Position start = {.at = 0};
    int line = 0;
    *s = (Search){.stock = stock, .first = first, .length = length, .laps = laps, .turn = turn,
                  .waste_builds = waste_builds, .end = STOCK, .nodes = s->nodes,
                  .scores = s->scores, .link = s->link, .seen = s->seen, .room = s->room,
                  .random = seed * 2 + 88172645463325252ull};
    if (!s->seen && !(s->seen = malloc(sizeof(uint64_t) << 20))) abort();
    memset(s->hour, -1, sizeof s->hour);
    memset(s->count, 255, sizeof s->count);
    for (int i = 0; i < 12; i++) {
        start.home[i] = 1;
        for (int k = 0; k <= length[i]; k++)
            s->wanted[i][k] = k < length[i] ? first[i] / 13 * 13 + (first[i] + k) % 13 : NO_CARD;
        for (int k = 1; k < length[i]; k++) takes(s, s->wanted[i][k], i, k);
    }
    for (int card = 0; card < CARDS; card++)
        s->depth[card] = s->count[card][s->count[card][1] < s->count[card][0]];
    for (int i = 0; i < 36; i++) put(s, &start, i / 3, fans[i]);
    for (int at = STOCK - 1; at >= 0; at--) {
        memcpy(s->loose[at], s->loose[at + 1], CARDS + 1);
        s->loose[at][stock[at]]++;
    }
    for (int attempt = 0; budget > 0 && !line; attempt++) {
        const int *shape = shapes[attempt < 7 ? attempt : 6];
        for (int i = 0; i < 5; i++)
            s->weights[i] = usual[i] * (attempt ? 0.5 + uniform(s) : i < 4);
        for (int i = 0; i < 12; i++) {
            int k = attempt ? (int)(uniform(s) * (i + 1)) : i;
            s->order[i] = s->order[k];
            s->order[k] = (int8_t)i;
        }
        int width = shape[0] << (attempt / 10 < 4 ? attempt / 10 : 4);
        for (s->mask = 1023; s->mask < 300u * width * shape[1];) s->mask = 2 * s->mask + 1;
        int won = beam(s, &start, width, shape[1]);
        budget -= s->used + (int)(s->mask >> 6);
        if (won >= 0) line = written(s, won, moves, most);
    }
    return line;
}
