// One run of a grammar: its memory, how much it may still do, and the way out of it.
#ifndef COAUTHOR_ARENA_H
#define COAUTHOR_ARENA_H
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include "scan.h"

enum { ARENA_CLASSES = 64 };

typedef struct coauthor_run {
	coauthor_result result;
	jmp_buf out;        // where a run ends that does not stop when it is asked to
	const coauthor_job *job;
	uint64_t spent;     // work so far, see coauthor_spend
	uint64_t last;      // once it was asked to stop: the work after which it is left at once
	char *fresh, *end;  // the rest of the newest chunk
	void *chunks;       // all chunks, the newest first
	void *spare;        // chunks that are not used yet, of runs before
	struct large *large;
	struct block *free[ARENA_CLASSES];
} coauthor_run;

// begin makes a run and routes to it what tree-sitter allocates on this thread; NULL without memory.
coauthor_run *coauthor_begin(const coauthor_job *);

// end gives the run's memory back, whatever the run left behind, and returns its result.
coauthor_result coauthor_end(coauthor_run *);

// spend counts work, of which the unit is a byte that is allocated. It may leave the run.
void coauthor_spend(coauthor_run *, uint64_t bytes);
#endif
