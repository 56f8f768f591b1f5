// One call from Go for a whole file: parse, match, and hand back one flat buffer. Crossing from Go
// for every node costs more than the parse itself.
//
// The runtime lives in another package's objects. Its functions are declared weak so that the trial
// link of this package alone passes; the final link finds them.

#include "arena.h"
#include <stdbool.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct { TSNode node; uint32_t index; } TSQueryCapture;
typedef struct { uint32_t id; uint16_t pattern_index, capture_count; const TSQueryCapture *captures; } TSQueryMatch;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct {
	void *payload;
	const char *(*read)(void *payload, uint32_t at, TSPoint, uint32_t *read);
	int encoding; // 0 is UTF-8
} TSInput;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSQueryCursor TSQueryCursor;

WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *);
WEAK bool ts_parser_set_language(TSParser *, const void *);
WEAK void ts_parser_set_timeout_micros(TSParser *, uint64_t);
WEAK void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
WEAK TSTree *ts_parser_parse(TSParser *, const TSTree *, TSInput);
WEAK TSNode ts_tree_root_node(const TSTree *);
WEAK TSQueryCursor *ts_query_cursor_new(void);
WEAK void ts_query_cursor_set_match_limit(TSQueryCursor *, uint32_t);
WEAK void ts_query_cursor_exec(TSQueryCursor *, const void *, TSNode);
WEAK bool ts_query_cursor_next_match(TSQueryCursor *, TSQueryMatch *);
WEAK void ts_query_cursor_set_max_start_depth(TSQueryCursor *, uint32_t);
WEAK uint32_t ts_node_start_byte(TSNode);
WEAK uint32_t ts_node_end_byte(TSNode);
WEAK TSPoint ts_node_start_point(TSNode);
WEAK TSPoint ts_node_end_point(TSNode);
WEAK bool ts_node_has_error(TSNode);
WEAK bool ts_node_is_error(TSNode);
WEAK bool ts_node_is_missing(TSNode);
WEAK uint32_t ts_node_child_count(TSNode);
WEAK TSNode ts_node_child(TSNode, uint32_t);
WEAK uint16_t ts_node_symbol(TSNode);
WEAK TSTreeCursor ts_tree_cursor_new(TSNode);
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *);

static bool cancelled(const coauthor_run *run) { return __atomic_load_n(run->job->stop, __ATOMIC_RELAXED) != 0; }

static bool room(coauthor_result *r, size_t more) {
	if (r->len + more <= r->cap) return true;
	size_t cap = r->cap ? r->cap * 2 : 4096;
	while (cap < r->len + more) cap *= 2;
	uint32_t *data = realloc(r->data, cap * sizeof *data);
	if (!data) { r->state = 2; return false; }
	r->data = data;
	r->cap = cap;
	return true;
}

static void span(coauthor_result *r, TSNode n) {
	r->data[r->len++] = ts_node_start_byte(n);
	r->data[r->len++] = ts_node_end_byte(n);
	uint32_t first = ts_node_start_point(n).row;
	TSPoint end = ts_node_end_point(n);
	r->data[r->len++] = first;
	r->data[r->len++] = end.column == 0 && end.row > first ? end.row - 1 : end.row; // ends with a line feed
}

// What the lexer reads at a time, and what a byte of it counts for: an unterminated string, say, has it
// read the rest of the text at every quote.
enum { PIECE = 4096, READING = 4 };

// How many steps a query may take because of errors: a tenth of a second.
static const uint64_t TANGLED = 1 << 27;

static const char *piece(void *payload, uint32_t at, TSPoint point, uint32_t *read) {
	(void)point;
	coauthor_run *run = payload;
	const coauthor_job *job = run->job;
	*read = 0;
	if (at >= job->len) return "";
	*read = PIECE - at % PIECE;
	if (*read < 4) *read += PIECE; // whoever asks again for a character that was cut wants all of it
	if (*read > job->len - at) *read = job->len - at;
	coauthor_spend(run, READING * *read);
	return job->src + at;
}

// parse makes the tree of a run; NULL when it was stopped. What a parser that is done still holds goes with
// the run: to give it back piece by piece would take long. One that was stopped holds a scanner, which
// has memory of its own.
static const TSTree *parse(coauthor_run *run) {
	TSParser *p = ts_parser_new();
	TSTree *tree = NULL;
	if (p && ts_parser_set_language(p, run->job->language)) {
		ts_parser_set_timeout_micros(p, run->job->micros);
		ts_parser_set_cancellation_flag(p, run->job->stop);
		tree = ts_parser_parse(p, NULL, (TSInput){run, piece, 0});
	}
	if (tree) return tree;
	if (p) ts_parser_delete(p);
	run->result.state = 1;
	return NULL;
}

coauthor_result coauthor_parse(const coauthor_job *job) {
	coauthor_run *run = coauthor_begin(job);
	if (!run) return (coauthor_result){.state = 2};
	if (setjmp(run->out) == 0) parse(run);
	return coauthor_end(run);
}

// tangled says whether the tree holds an error so large that a query would not come to its end: at each
// node in an error tree-sitter walks over all that the error skipped before. The square of what errors
// skipped is the measure, and counts as work where it is bearable.
static bool tangled(coauthor_run *run, TSNode root) {
	if (!ts_node_has_error(root)) return false;
	TSTreeCursor c = ts_tree_cursor_new(root);
	uint64_t steps = 0;
	for (;;) {
		TSNode n = ts_tree_cursor_current_node(&c);
		if (ts_node_is_error(n)) {
			uint64_t skipped = ts_node_child_count(n);
			steps += skipped * skipped;
			if (steps > TANGLED) return true;
		}
		if (ts_node_has_error(n) && ts_tree_cursor_goto_first_child(&c)) continue;
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (!ts_tree_cursor_goto_parent(&c)) return false;
		}
	}
}

// matches collects what the query finds below node and says whether to go on. *n counts all matches.
static bool matches(coauthor_run *run, TSQueryCursor *cursor, const void *query, TSNode node, size_t *n) {
	coauthor_result *r = &run->result;
	ts_query_cursor_exec(cursor, query, node);
	TSQueryMatch m;
	while (ts_query_cursor_next_match(cursor, &m)) {
		if (*n >= run->job->most) { r->truncated = 1; return false; }
		if ((*n & 1023) == 0 && cancelled(run)) { r->state = 1; return false; }
		if (!room(r, 2 + 5 * (size_t)m.capture_count)) return false;
		r->data[r->len++] = m.pattern_index;
		r->data[r->len++] = m.capture_count;
		for (uint16_t i = 0; i < m.capture_count; i++) {
			r->data[r->len++] = m.captures[i].index;
			span(r, m.captures[i].node);
		}
		++*n;
	}
	return true;
}

// pruned walks over the tree but for its opaque nodes and tries the patterns where they may begin.
static void pruned(coauthor_run *run, TSQueryCursor *cursor, const void *query, TSNode root,
	const uint8_t *kinds, size_t n_kinds) {
	ts_query_cursor_set_max_start_depth(cursor, 0);
	TSTreeCursor c = ts_tree_cursor_new(root);
	size_t seen = 0, found = 0;
	for (bool more = true; more;) {
		TSNode node = ts_tree_cursor_current_node(&c);
		uint16_t symbol = ts_node_symbol(node);
		uint8_t kind = symbol < n_kinds ? kinds[symbol] : 0;
		if ((kind & COAUTHOR_BEGINS) && !matches(run, cursor, query, node, &found)) break;
		if ((++seen & 1023) == 0 && cancelled(run)) { run->result.state = 1; break; }
		// A body with an error in it may have swallowed what follows it.
		bool opaque = (kind & COAUTHOR_OPAQUE) && !ts_node_has_error(node);
		if (!opaque && ts_tree_cursor_goto_first_child(&c)) continue;
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (!ts_tree_cursor_goto_parent(&c)) { more = false; break; }
		}
	}
}

static void tags(coauthor_run *run, const void *query, const uint8_t *kinds, size_t n_kinds) {
	const TSTree *tree = parse(run);
	if (!tree) return;
	TSNode root = ts_tree_root_node(tree);
	if (tangled(run, root)) { run->result.state = 3; return; }
	TSQueryCursor *cursor = ts_query_cursor_new();
	ts_query_cursor_set_match_limit(cursor, 1 << 16);
	if (n_kinds) {
		pruned(run, cursor, query, root, kinds, n_kinds);
	} else {
		size_t found = 0;
		matches(run, cursor, query, root, &found);
	}
}

coauthor_result coauthor_tags(const coauthor_job *job, const void *query, const uint8_t *kinds, size_t n_kinds) {
	coauthor_run *run = coauthor_begin(job);
	if (!run) return (coauthor_result){.state = 2};
	if (setjmp(run->out) == 0) tags(run, query, kinds, n_kinds);
	return coauthor_end(run);
}

// meets says whether a node meets one of n pairs of rows, which are in order.
static bool meets(TSNode node, const uint32_t *rows, size_t n) {
	if (n == 0) return true;
	uint32_t first = ts_node_start_point(node).row, last = ts_node_end_point(node).row;
	size_t low = 0; // of the first pair that does not end before the node
	for (size_t high = n; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (rows[2 * middle + 1] < first) low = middle + 1;
		else high = middle;
	}
	return low < n && rows[2 * low] <= last;
}

static void errors(coauthor_run *run, const uint32_t *rows, size_t n_rows) {
	coauthor_result *r = &run->result;
	const TSTree *tree = parse(run);
	if (!tree) return;
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	size_t seen = 0, found = 0;
	for (;;) {
		TSNode n = ts_tree_cursor_current_node(&c);
		bool error = ts_node_is_error(n), missing = ts_node_is_missing(n), wanted = meets(n, rows, n_rows);
		if ((error || missing) && wanted && room(r, 6)) {
			r->data[r->len++] = error ? 0xffff : ts_node_symbol(n);
			r->data[r->len++] = missing;
			span(r, n);
			if (++found >= run->job->most) { r->truncated = 1; return; }
		}
		if ((++seen & 1023) == 0 && cancelled(run)) r->state = 1;
		if (r->state) return;
		// Inside an error everything is guesswork: the outermost one is what a person wants to see.
		if (!error && wanted && ts_node_has_error(n) && ts_tree_cursor_goto_first_child(&c)) continue;
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (!ts_tree_cursor_goto_parent(&c)) return;
		}
	}
}

coauthor_result coauthor_errors(const coauthor_job *job, const uint32_t *rows, size_t n_rows) {
	coauthor_run *run = coauthor_begin(job);
	if (!run) return (coauthor_result){.state = 2};
	if (setjmp(run->out) == 0) errors(run, rows, n_rows);
	return coauthor_end(run);
}

// comment says what a node is to coauthor_comments; 0 is nothing to list.
static uint8_t comment(TSNode node, const uint8_t *kinds, size_t n_kinds) {
	uint16_t symbol = ts_node_symbol(node);
	uint8_t kind = symbol < n_kinds ? kinds[symbol] : 0;
	if (kind != COAUTHOR_STATEMENT) return kind & (COAUTHOR_COMMENT | COAUTHOR_FOREIGN);
	if (ts_node_child_count(node) != 1) return 0;
	symbol = ts_node_symbol(ts_node_child(node, 0));
	return symbol < n_kinds && kinds[symbol] == COAUTHOR_STRING ? kind : 0;
}

static void comments(coauthor_run *run, const uint8_t *kinds, size_t n_kinds) {
	coauthor_result *r = &run->result;
	const TSTree *tree = parse(run);
	if (!tree) return;
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	for (size_t seen = 0, found = 0;;) {
		TSNode n = ts_tree_cursor_current_node(&c);
		uint8_t kind = comment(n, kinds, n_kinds);
		if (kind && room(r, 5)) {
			r->data[r->len++] = kind;
			span(r, n);
			if (++found >= run->job->most) { r->truncated = 1; return; }
		}
		if ((++seen & 1023) == 0 && cancelled(run)) r->state = 1;
		if (r->state) return;
		if (!kind && ts_tree_cursor_goto_first_child(&c)) continue;
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (!ts_tree_cursor_goto_parent(&c)) return;
		}
	}
}

coauthor_result coauthor_comments(const coauthor_job *job, const uint8_t *kinds, size_t n_kinds) {
	coauthor_run *run = coauthor_begin(job);
	if (!run) return (coauthor_result){.state = 2};
	if (setjmp(run->out) == 0) comments(run, kinds, n_kinds);
	return coauthor_end(run);
}
