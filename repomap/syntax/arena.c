// The memory of one run of a grammar. A grammar can be made to allocate gigabytes within a second, at
// places where tree-sitter polls no flag, and ends the process when there is no more. So every
// allocation is counted, in bytes: a measure of the work that depends on nothing but the text and the
// grammar. Beyond the limit the parser is asked to stop; if it goes on all the same, the run is left
// by a jump. All of its memory lies in chunks that are freed as one.

#include "arena.h"
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))
WEAK void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));

enum {
	CHUNK = 256 << 10,
	LARGE = 16 << 10, // blocks beyond this size are the system's, which takes them back one by one
	OVERHEAD = 16,    // what a block costs beside its own bytes
	KEPT = 32,        // chunks that wait for the next run: enough for most files
};
static const uint64_t GRACE = 4 << 20; // work of a run that was asked to stop until it is left

// Every block stands behind a word that holds its size as it can be used.
struct block { struct block *next; };
struct large { struct large *next, *prev; size_t unused, size; };

static __thread coauthor_run *running;

// Chunks of a run that has ended. The system would clear each page of them again, which takes longer than many a
// file is parsed. A run takes all of them or finds none, so that nobody has to wait for a lock.
static void *kept;

static size_t *size_of(void *p) { return (size_t *)p - 1; }

static void leave(coauthor_run *run, int state) {
	run->result.state = state;
	longjmp(run->out, 1);
}

void coauthor_spend(coauthor_run *run, uint64_t bytes) {
	run->spent += bytes;
	if (__atomic_load_n(run->job->stop, __ATOMIC_RELAXED) == 0) {
		if (run->spent <= run->job->limit) return;
		__atomic_store_n(run->job->stop, 1, __ATOMIC_RELAXED);
	}
	if (run->last == 0) run->last = run->spent + GRACE;
	else if (run->spent > run->last) leave(run, 1);
}

// class_of gives the size class of a block: by 16 bytes up to 512, then four to each power of two.
static unsigned class_of(size_t size, size_t *rounded) {
	if (size <= 512) {
		unsigned class = size == 0 ? 0 : (unsigned)((size - 1) / 16);
		*rounded = 16 * ((size_t)class + 1);
		return class;
	}
	unsigned shift = 63 - (unsigned)__builtin_clzll((unsigned long long)(size - 1)); // 9 for 513 to 1024
	size_t step = (size_t)1 << (shift - 2);
	size_t part = (size - 1 - ((size_t)1 << shift)) / step; // 0 to 3
	*rounded = ((size_t)1 << shift) + (part + 1) * step;
	return 32 + 4 * (shift - 9) + (unsigned)part;
}

static void *large_new(coauthor_run *run, size_t size) {
	struct large *l = malloc(sizeof *l + size);
	if (!l) leave(run, 2);
	l->size = size;
	l->prev = NULL;
	l->next = run->large;
	if (l->next) l->next->prev = l;
	run->large = l;
	return l + 1;
}

static void large_drop(coauthor_run *run, struct large *l) {
	if (l->prev) l->prev->next = l->next;
	else run->large = l->next;
	if (l->next) l->next->prev = l->prev;
	free(l);
}

static void *get(coauthor_run *run, size_t size) {
	coauthor_spend(run, size + OVERHEAD);
	if (size > LARGE) return large_new(run, size);
	size_t rounded;
	unsigned class = class_of(size, &rounded);
	struct block *b = run->free[class];
	if (b) {
		run->free[class] = b->next;
		return b;
	}
	size_t whole = rounded + 16; // the word before it, and the next block stays aligned
	if ((size_t)(run->end - run->fresh) < whole) {
		char *chunk = run->spare;
		if (chunk) run->spare = *(void **)chunk;
		else chunk = malloc(CHUNK);
		if (!chunk) leave(run, 2);
		*(void **)chunk = run->chunks;
		run->chunks = chunk;
		run->fresh = chunk + 16;
		run->end = chunk + CHUNK;
	}
	void *p = run->fresh + 16;
	*size_of(p) = rounded;
	run->fresh += whole;
	return p;
}

static void drop(coauthor_run *run, void *p) {
	size_t size = *size_of(p);
	if (size > LARGE) {
		large_drop(run, (struct large *)p - 1);
		return;
	}
	size_t rounded;
	unsigned class = class_of(size, &rounded);
	struct block *b = p;
	b->next = run->free[class];
	run->free[class] = b;
}

static void *run_malloc(size_t size) { return running ? get(running, size) : malloc(size); }

static void *run_calloc(size_t count, size_t size) {
	if (!running) return calloc(count, size);
	if (size && count > SIZE_MAX / 2 / size) leave(running, 2);
	return memset(get(running, count * size), 0, count * size);
}

static void *run_realloc(void *p, size_t size) {
	if (!running) return realloc(p, size);
	if (!p) return get(running, size);
	size_t had = *size_of(p);
	if (size <= had) return p;
	void *fresh = get(running, size);
	memcpy(fresh, p, had < size ? had : size);
	drop(running, p);
	return fresh;
}

static void run_free(void *p) {
	if (!running) free(p);
	else if (p) drop(running, p);
}

void coauthor_route(void) { ts_set_allocator(run_malloc, run_calloc, run_realloc, run_free); }

coauthor_run *coauthor_begin(const coauthor_job *job) {
	coauthor_run *run = calloc(1, sizeof *run);
	if (!run) return NULL;
	run->job = job;
	run->spare = __atomic_exchange_n(&kept, NULL, __ATOMIC_ACQUIRE);
	running = run;
	return run;
}

static void free_chunks(void *chunk) {
	while (chunk) {
		void *next = *(void **)chunk;
		free(chunk);
		chunk = next;
	}
}

// keep_chunks puts the chunks of a run by, and frees those that are too many.
static void keep_chunks(coauthor_run *run) {
	void *first = run->chunks ? run->chunks : run->spare;
	void *last = NULL;
	int n = 0;
	for (void *chunk = run->chunks; chunk && n < KEPT; chunk = *(void **)chunk, n++) last = chunk;
	if (n < KEPT) { // all of them, and then those that it did not use
		if (last) *(void **)last = run->spare;
		for (void *chunk = run->spare; chunk && n < KEPT; chunk = *(void **)chunk, n++) last = chunk;
	} else {
		free_chunks(run->spare);
	}
	if (last) {
		free_chunks(*(void **)last);
		*(void **)last = NULL;
	}
	free_chunks(__atomic_exchange_n(&kept, first, __ATOMIC_ACQ_REL)); // those of a run beside this one
}

coauthor_result coauthor_end(coauthor_run *run) {
	running = NULL;
	keep_chunks(run);
	for (struct large *l = run->large; l;) {
		struct large *next = l->next;
		free(l);
		l = next;
	}
	coauthor_result r = run->result;
	r.spent = run->spent;
	if (run->spent > run->job->limit) r.state = 3;
	free(run);
	return r;
}
