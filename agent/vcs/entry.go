package vcs

import "strings"

// entry is a file of an index or a tree. The zero entry is none.
type entry struct{ mode, hash string }

// line is what git update-index --index-info reads; size is how long names of objects are.
func (e entry) line(full string, size int) string {
	if e.mode == "" {
		return "0 " + strings.Repeat("0", size) + "\t" + full + "\x00"
	}
	return e.mode + " " + e.hash + "\t" + full + "\x00"
}

// entryChange is a file in two trees, or in a tree and an index. path is from the top of the work tree.
type entryChange struct {
	path     string
	old, now entry
}

// parseRaw reads what git writes with --raw -z --no-renames: ":MODE MODE HASH HASH STATUS", then the path.
func parseRaw(out []byte) []entryChange {
	var list []entryChange
	all := fields(out)
	for i := 0; i+1 < len(all); i += 2 {
		words := strings.Fields(strings.TrimPrefix(all[i], ":"))
		if len(words) < 5 {
			return list
		}
		list = append(list, entryChange{path: all[i+1], old: entryOf(words[0], words[2]), now: entryOf(words[1], words[3])})
	}
	return list
}

// parseStage reads what git ls-files --stage -z writes: "MODE HASH STAGE", a tab and the path.
func parseStage(out []byte) []entryChange { return parseEntries(out, 1) }

// parseTree reads what git ls-tree -z writes: "MODE TYPE HASH", a tab and the path.
func parseTree(out []byte) []entryChange { return parseEntries(out, 2) }

// parseEntries reads lines of three words, of which the first is the mode and the one at hash the hash.
func parseEntries(out []byte, hash int) []entryChange {
	var list []entryChange
	for _, f := range fields(out) {
		meta, name, ok := strings.Cut(f, "\t")
		words := strings.Fields(meta)
		if ok && len(words) == 3 {
			list = append(list, entryChange{path: name, now: entryOf(words[0], words[hash])})
		}
	}
	return list
}

func entryOf(mode, hash string) entry {
	if strings.Trim(mode, "0") == "" {
		return entry{}
	}
	return entry{mode, hash}
}
