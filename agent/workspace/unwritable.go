package workspace

import (
	"io/fs"
	"path"
	"path/filepath"

	"coauthor/edits"
)

// Unwritable names what keeps an operation on a file from being done on disk: the file, or the folder that would hold it;
// "" for nothing that is known. It looks at rights alone and changes nothing, so it explains what has failed; what is about
// to be done may fail for other reasons.
func (d *Door) Unwritable(name string, op edits.Op) string {
	clean, err := cleanPath(name)
	if err != nil || d.w.fs == nil {
		return ""
	}
	at := clean
	if op != edits.OpUpdate { // a file is made and taken away in its folder
		at = path.Dir(clean)
	}
	for {
		info, err := d.w.fs.Stat(at)
		switch {
		case err == nil && writable(filepath.Join(d.w.root, filepath.FromSlash(at)), info):
			return ""
		case err == nil:
			return at
		case at == "." || op == edits.OpUpdate:
			return ""
		}
		at = path.Dir(at) // the folder would be made, too
	}
}

// marked says whether the mode of a file or a folder lets anybody write. An administrator may do it all the same, and whoever
// took the marks away meant that it should not be done.
func marked(info fs.FileInfo) bool { return info.Mode().Perm()&0o222 != 0 }
