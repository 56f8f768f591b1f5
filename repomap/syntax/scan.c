// One call from Go for a whole file: parse, match, and hand back one flat buffer. Crossing from Go
// for every node costs more than the parse itself.
//
// The runtime lives in another package's objects. Its functions are declared weak so that the trial
// link of this package alone passes; the final link finds them.

#include "scan.h"
#include <stdbool.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const void *tree; } TSNode;
typedef struct { TSNode node; uint32_t index; } TSQueryCapture;
typedef struct { uint32_t id; uint16_t pattern_index, capture_count; const TSQueryCapture *captures; } TSQueryMatch;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSQueryCursor TSQueryCursor;

WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *);
WEAK bool ts_parser_set_language(TSParser *, const void *);
WEAK void ts_parser_set_timeout_micros(TSParser *, uint64_t);
WEAK void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
WEAK TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
WEAK void ts_tree_delete(TSTree *);
WEAK TSNode ts_tree_root_node(const TSTree *);
WEAK TSQueryCursor *ts_query_cursor_new(void);
WEAK void ts_query_cursor_delete(TSQueryCursor *);
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
WEAK uint16_t ts_node_symbol(TSNode);
WEAK TSTreeCursor ts_tree_cursor_new(TSNode);
WEAK void ts_tree_cursor_delete(TSTreeCursor *);
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *);

static bool cancelled(const size_t *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED) != 0; }

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

static TSTree *parse(coauthor_result *r, const void *language, const char *src, uint32_t len,
	const size_t *cancel, uint64_t micros) {
	TSParser *p = ts_parser_new();
	TSTree *tree = NULL;
	if (p && ts_parser_set_language(p, language)) {
		ts_parser_set_timeout_micros(p, micros);
		ts_parser_set_cancellation_flag(p, cancel);
		tree = ts_parser_parse_string(p, NULL, src, len);
	}
	if (p) ts_parser_delete(p);
	if (!tree) r->state = 1;
	return tree;
}

coauthor_result coauthor_parse(const void *language, const char *src, uint32_t len, const size_t *cancel, uint64_t micros) {
	coauthor_result r = {0};
	TSTree *tree = parse(&r, language, src, len, cancel, micros);
	if (tree) ts_tree_delete(tree);
	return r;
}

// matches collects what the query finds below node and says whether to go on. *n counts all matches.
static bool matches(coauthor_result *r, TSQueryCursor *cursor, const void *query, TSNode node, size_t *n,
	const size_t *cancel, size_t limit) {
	ts_query_cursor_exec(cursor, query, node);
	TSQueryMatch m;
	while (ts_query_cursor_next_match(cursor, &m)) {
		if (*n >= limit) { r->truncated = 1; return false; }
		if ((*n & 1023) == 0 && cancelled(cancel)) { r->state = 1; return false; }
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
static void pruned(coauthor_result *r, TSQueryCursor *cursor, const void *query, TSNode root,
	const uint8_t *kinds, size_t n_kinds, const size_t *cancel, size_t limit) {
	ts_query_cursor_set_max_start_depth(cursor, 0);
	TSTreeCursor c = ts_tree_cursor_new(root);
	size_t seen = 0, found = 0;
	for (bool more = true; more;) {
		TSNode node = ts_tree_cursor_current_node(&c);
		uint16_t symbol = ts_node_symbol(node);
		uint8_t kind = symbol < n_kinds ? kinds[symbol] : 0;
		if ((kind & COAUTHOR_BEGINS) && !matches(r, cursor, query, node, &found, cancel, limit)) break;
		if ((++seen & 1023) == 0 && cancelled(cancel)) { r->state = 1; break; }
		// A body with an error in it may have swallowed what follows it.
		bool opaque = (kind & COAUTHOR_OPAQUE) && !ts_node_has_error(node);
		if (!opaque && ts_tree_cursor_goto_first_child(&c)) continue;
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (!ts_tree_cursor_goto_parent(&c)) { more = false; break; }
		}
	}
	ts_tree_cursor_delete(&c);
}

coauthor_result coauthor_tags(const void *language, const void *query, const char *src, uint32_t len,
	const uint8_t *kinds, size_t n_kinds, const size_t *cancel, uint64_t micros, size_t limit) {
	coauthor_result r = {0};
	TSTree *tree = parse(&r, language, src, len, cancel, micros);
	if (!tree) return r;
	TSQueryCursor *cursor = ts_query_cursor_new();
	ts_query_cursor_set_match_limit(cursor, 1 << 16);
	if (n_kinds) {
		pruned(&r, cursor, query, ts_tree_root_node(tree), kinds, n_kinds, cancel, limit);
	} else {
		size_t found = 0;
		matches(&r, cursor, query, ts_tree_root_node(tree), &found, cancel, limit);
	}
	ts_query_cursor_delete(cursor);
	ts_tree_delete(tree);
	return r;
}

static bool meets(TSNode node, const uint32_t *rows, size_t n) {
	if (n == 0) return true;
	uint32_t first = ts_node_start_point(node).row, last = ts_node_end_point(node).row;
	for (size_t i = 0; i < n; i++)
		if (first <= rows[2 * i + 1] && last >= rows[2 * i]) return true;
	return false;
}

coauthor_result coauthor_errors(const void *language, const char *src, uint32_t len,
	const uint32_t *rows, size_t n_rows, const size_t *cancel, uint64_t micros, size_t limit) {
	coauthor_result r = {0};
	TSTree *tree = parse(&r, language, src, len, cancel, micros);
	if (!tree) return r;
	TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
	size_t seen = 0, found = 0;
	for (bool more = true; more;) {
		TSNode n = ts_tree_cursor_current_node(&c);
		bool error = ts_node_is_error(n), missing = ts_node_is_missing(n), wanted = meets(n, rows, n_rows);
		if ((error || missing) && wanted && room(&r, 6)) {
			r.data[r.len++] = error ? 0xffff : ts_node_symbol(n);
			r.data[r.len++] = missing;
			span(&r, n);
			if (++found >= limit) { r.truncated = 1; break; }
		}
		if ((++seen & 1023) == 0 && cancelled(cancel)) { r.state = 1; break; }
		if (r.state) break;
		// Inside an error everything is guesswork: the outermost one is what a person wants to see.
		if (!error && wanted && ts_node_has_error(n) && ts_tree_cursor_goto_first_child(&c)) continue;
		while (!ts_tree_cursor_goto_next_sibling(&c)) {
			if (!ts_tree_cursor_goto_parent(&c)) { more = false; break; }
		}
	}
	ts_tree_cursor_delete(&c);
	ts_tree_delete(tree);
	return r;
}
