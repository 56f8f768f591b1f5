package workspace

import (
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// On the disks of Windows and macOS A.txt opens a.txt. Here they stay two names, as everywhere else: a table
// of files knows one spelling of each, and what is open in the editor under the one must not be changed on
// disk under the other. So a file is there only under the name that its folder lists.

// foldsNames says that the disks of this system usually do not tell capitals from small letters.
const foldsNames = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// misspelled is the refusal of a path whose part is listed in the folder dir by another name; nil for none.
func (w *Workspace) misspelled(clean, dir, part, rest string) error {
	if _, open := w.openText(clean); open {
		return nil // the editor calls it so
	}
	name, err := w.fs.listed(dir, part)
	if err != nil || name == part {
		return nil //nolint:nilerr // a folder that cannot be listed tells nothing, and what is in it is opened by its name
	}
	right := path.Join(dir, name)
	for part := range strings.SplitSeq(rest, "/") {
		if name, err := w.fs.listed(right, part); err == nil && part != "" {
			part = name
		}
		right = path.Join(right, part)
	}
	return &RefusedError{refused(clean, CodeSpelling, "it is spelled "+right+" on disk; use that spelling")}
}

// spelledAs finds the name of a list that a disk takes for the given one.
func spelledAs(list []string, name string) (string, error) {
	if slices.Contains(list, name) {
		return name, nil
	}
	composed := norm.NFC.String(name)
	for _, other := range list {
		if norm.NFC.String(other) == composed { // macOS keeps letters and their accents apart, which nobody sees
			return name, nil
		}
	}
	for _, other := range list {
		if folded(norm.NFC.String(other)) == folded(composed) {
			return other, nil
		}
	}
	return "", fmt.Errorf("%s is not listed: %w", name, fs.ErrNotExist)
}

// OnDiskName returns the name by which the folder dir lists what another spelling of it opens; the same name
// where it is listed so, or not at all. dir is a name on this machine.
func OnDiskName(dir, name string) string {
	if !foldsNames {
		return name
	}
	w, err := Open(dir, Options{})
	if err != nil {
		return name
	}
	defer func() { _ = w.Close() }() // nothing is written
	if listed, err := w.fs.listed("", name); err == nil {
		return listed
	}
	return name
}
