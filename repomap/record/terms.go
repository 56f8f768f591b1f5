package record

import (
	"hash/maphash"
	"strings"

	"coauthor/repomap/store"
)

// termTable numbers the distinct words of one text in the order of their first place. A map of strings does the
// same in twice the time: it keeps a copy of each word, and memory of its own for each text.
type termTable struct {
	seed   maphash.Seed // made once: texts are anybody's, and must not know which words collide
	seeded bool
	src    []byte
	first  []place  // of each word
	room   []uint16 // that slots are cut of
	slots  []uint16 // open addressing, at most half full: one more than the number of a word, or 0
	bytes  int      // of all words
}

// place is where a word stands in the text.
type place struct{ start, end uint32 }

const (
	fewSlots = 1 << 10 // of a text that begins
	allSlots = 2 * maxTerms
)

func (t *termTable) begin(src []byte) {
	if !t.seeded {
		t.seed, t.seeded = maphash.MakeSeed(), true
	}
	t.src, t.first, t.bytes = src, t.first[:0], 0
	t.slots = store.Room(&t.room, fewSlots)
	clear(t.slots)
}

// number gives the number of the word at a place. ok is false for a new one beyond maxTerms.
func (t *termTable) number(start, end int) (n uint16, ok bool) {
	slot, n, known := t.find(start, end)
	if known {
		return n, true
	}
	if len(t.first) == maxTerms {
		return 0, false
	}
	t.first = append(t.first, place{uint32(start), uint32(end)})
	t.bytes += end - start
	t.slots[slot] = uint16(len(t.first))
	if 2*len(t.first) > len(t.slots) && len(t.slots) < allSlots {
		t.grow()
	}
	return uint16(len(t.first) - 1), true
}

// find gives the slot of a word, and its number where it is known.
func (t *termTable) find(start, end int) (slot uint64, n uint16, known bool) {
	word := t.src[start:end]
	mask := uint64(len(t.slots) - 1)
	for slot = maphash.Bytes(t.seed, word) & mask; ; slot = (slot + 1) & mask {
		n := t.slots[slot]
		if n == 0 {
			return slot, 0, false
		}
		if at := t.first[n-1]; string(t.src[at.start:at.end]) == string(word) {
			return slot, n - 1, true
		}
	}
}

func (t *termTable) grow() {
	t.slots = store.Room(&t.room, 2*len(t.slots))
	clear(t.slots)
	for n, at := range t.first {
		slot, _, _ := t.find(int(at.start), int(at.end))
		t.slots[slot] = uint16(n + 1)
	}
}

// texts gives the words by number, all of them in one piece of memory, and lets go of the text.
func (t *termTable) texts() []string {
	var all strings.Builder
	all.Grow(t.bytes)
	for _, at := range t.first {
		all.Write(t.src[at.start:at.end])
	}
	list, rest := make([]string, len(t.first)), all.String()
	for n, at := range t.first {
		size := at.end - at.start
		list[n], rest = rest[:size], rest[size:]
	}
	t.src = nil
	return list
}
