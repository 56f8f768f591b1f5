// What scan.c offers, and the few structs of tree-sitter's interface that it needs.
#ifndef COAUTHOR_SCAN_H
#define COAUTHOR_SCAN_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t *data; // matches: pattern, count, then count times (capture, start, end, first row, last row)
	size_t len, cap; // in words
	int state;       // 0 done, 1 cancelled or out of time, 2 no memory
	int truncated;   // more matches than the limit
} coauthor_result;

// What a kind of node is to coauthor_tags: patterns may begin at it; nothing inside it counts.
enum { COAUTHOR_BEGINS = 1, COAUTHOR_OPAQUE = 2 };

// Tags runs query over src; the caller frees data. cancel is polled while parsing and matching. Where
// there are kinds (a byte for each of n_kinds symbols), patterns are tried only where one says that they
// may begin, and never inside opaque nodes: in C, two thirds of all nodes are bodies of functions.
coauthor_result coauthor_tags(const void *language, const void *query, const char *src, uint32_t len,
	const uint8_t *kinds, size_t n_kinds, const size_t *cancel, uint64_t micros, size_t limit);

// Parse makes a tree and drops it.
coauthor_result coauthor_parse(const void *language, const char *src, uint32_t len, const size_t *cancel, uint64_t micros);

// Errors lists error nodes: (symbol or 0xffff for ERROR, missing, start, end, first row, last row). Where n
// is not 0, only those that meet one of the n pairs (first row, last row).
coauthor_result coauthor_errors(const void *language, const char *src, uint32_t len,
	const uint32_t *rows, size_t n, const size_t *cancel, uint64_t micros, size_t limit);
#endif
