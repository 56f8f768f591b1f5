package workspace

import (
	"context"
	"slices"
)

// Vacant says whether a path is an open document without text whose file is not on disk: an editor's
// empty buffer, which is no file yet, and of which an empty file comes when it is saved.
func (s *Snapshot) Vacant(path string) bool {
	clean, err := cleanPath(path)
	if err != nil {
		return false
	}
	doc := s.base.open[clean]
	return doc != nil && Blank(s.base.shown(clean, doc).Text) && s.Unsaved(clean)
}

// Unsaved says whether a path is an open document whose file is not on disk.
func (s *Snapshot) Unsaved(path string) bool {
	clean, err := cleanPath(path)
	return err == nil && s.base.open[clean] != nil && !s.base.w.door.OnDisk(clean)
}

// Blank says whether a text is what editors show of an empty file: nothing, or one line break.
func Blank(text string) bool { return slices.Contains([]string{"", "\n", "\r\n", "\r"}, text) }

// OnDisk says whether there is a file or directory on disk, whatever is open in the editor.
func (d *Door) OnDisk(path string) bool {
	clean, err := cleanPath(path)
	if err != nil || d.w.fs == nil {
		return false
	}
	_, err = d.w.fs.Stat(clean)
	return err == nil
}

// DiskText reads a file as it is on disk, whatever is open in the editor.
func (d *Door) DiskText(ctx context.Context, path string) (string, error) {
	clean, err := cleanPath(path)
	if err != nil {
		return "", err
	}
	doc, err := d.readWithin(ctx, clean)
	if err != nil {
		return "", err
	}
	return doc.Text, nil
}
