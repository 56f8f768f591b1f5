// What scan.c offers, and the few structs of tree-sitter's interface that it needs.
#ifndef COAUTHOR_SCAN_H
#define COAUTHOR_SCAN_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t *data; // matches: pattern, count, then count times (capture, start, end, first row, last row)
	size_t len, cap; // in words
	int state;       // 0 done, 1 cancelled or out of time, 2 no memory, 3 more work than the limit
	int truncated;   // more matches than most
	uint64_t spent;  // the work that it took, as in arena.h
} coauthor_result;

// What a kind of node is to coauthor_tags: patterns may begin at it; nothing inside it counts.
enum { COAUTHOR_BEGINS = 1, COAUTHOR_OPAQUE = 2 };

// A job is a text, the grammar for it, and how far it may go. stop is polled all the time; it is set to 1
// where the limit is reached. limit is in the bytes of coauthor_spend, which depend on grammar and text
// alone; micros is for what these do not measure. most is how many matches or errors are wanted.
typedef struct {
	const void *language;
	const char *src;
	uint32_t len;
	size_t *stop;
	uint64_t limit, micros;
	size_t most;
} coauthor_job;

// Tags runs query over the text; the caller frees data. Where there are kinds (a byte for each of n_kinds
// symbols), patterns are tried only where one says that they may begin, and never inside opaque nodes:
// in C, two thirds of all nodes are bodies of functions.
coauthor_result coauthor_tags(const coauthor_job *, const void *query, const uint8_t *kinds, size_t n_kinds);

// Parse makes a tree and drops it.
coauthor_result coauthor_parse(const coauthor_job *);

// Errors lists error nodes: (symbol or 0xffff for ERROR, missing, start, end, first row, last row). Where n
// is not 0, only those that meet one of the n pairs (first row, last row), which are in order.
coauthor_result coauthor_errors(const coauthor_job *, const uint32_t *rows, size_t n);

// What a kind of node is to coauthor_comments: a comment; a statement that is documentation if it is nothing
// but a string; a string; the text of another language, such as a script.
enum { COAUTHOR_COMMENT = 1, COAUTHOR_STATEMENT = 2, COAUTHOR_STRING = 4, COAUTHOR_FOREIGN = 8 };

// Comments lists the outermost nodes of these kinds: (kind, start, end, first row, last row).
coauthor_result coauthor_comments(const coauthor_job *, const uint8_t *kinds, size_t n_kinds);

// Route sends what tree-sitter allocates through the limits, from now on.
void coauthor_route(void);
#endif
