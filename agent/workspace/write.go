package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// Write puts a text on disk in the encoding given: into a temporary file beside it, synced, and then
// renamed over it, so that there is always the old or the new content. Directories are made. It
// refuses what no consent can allow; who calls it has asked Check and the user before.
func (d *Door) Write(ctx context.Context, p, text string, enc Encoding) error {
	return d.write(ctx, p, text, enc, func(temp, real string) error { return d.w.fs.Rename(temp, real) })
}

// ErrChanged says that a file on disk is not what the writer took it for: another program wrote, made
// or deleted it meanwhile. Nothing was written then.
var ErrChanged = errors.New("the file was changed by another program meanwhile")

// WriteOver is Write for a file that still has the text before. It looks at the last moment, when all
// that is left to do is one renaming. Otherwise the error is ErrChanged.
func (d *Door) WriteOver(ctx context.Context, p, before, text string, enc Encoding) error {
	return d.write(ctx, p, text, enc, func(temp, real string) error {
		if err := d.holds(ctx, real, before); err != nil {
			return err
		}
		return d.w.fs.Rename(temp, real)
	})
}

// WriteNew is Write for a file that is not there. If there is one by now the error is ErrChanged, and
// where the file system has links no program can come in between.
func (d *Door) WriteNew(ctx context.Context, p, text string, enc Encoding) error {
	return d.write(ctx, p, text, enc, func(temp, real string) error {
		if d.w.fs.Link(temp, real) == nil {
			return d.w.fs.Remove(temp)
		}
		if _, err := d.w.fs.Lstat(real); !errors.Is(err, fs.ErrNotExist) {
			return ErrChanged
		}
		return d.w.fs.Rename(temp, real)
	})
}

// RemoveIf is Remove for a file that still has the text before; otherwise the error is ErrChanged.
func (d *Door) RemoveIf(ctx context.Context, p, before string) error {
	_, real, err := d.enter(ctx, p, OpDelete)
	if err == nil {
		err = d.holds(ctx, real, before)
	}
	if err != nil {
		return err
	}
	return d.Remove(ctx, p)
}

// holds says whether a file on disk still has a text.
func (d *Door) holds(ctx context.Context, real, text string) error {
	doc, err := d.readReal(ctx, real, real)
	if errors.Is(err, fs.ErrNotExist) || err == nil && doc.Text != text {
		return ErrChanged
	}
	return err
}

// write makes the text ready in a temporary file, and leaves to land how it takes its place.
func (d *Door) write(ctx context.Context, p, text string, enc Encoding, land func(temp, real string) error) error {
	op, err := await(ctx, func() Operation {
		if clean, err := cleanPath(p); err == nil && !d.exists(clean) {
			return OpCreate
		}
		return OpEdit
	})
	if err != nil {
		return err
	}
	_, real, err := d.enter(ctx, p, op)
	if err != nil {
		return err
	}
	raw, err := encode(text, enc) // before anything is touched
	if err != nil {
		return fmt.Errorf("write %s: %w", p, err)
	}
	mode := fs.FileMode(0o644)
	if info, err := d.w.fs.Stat(real); err == nil {
		mode = info.Mode().Perm()
	} else if err := d.w.fs.MkdirAll(path.Dir(real), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", p, err)
	}
	return d.replace(real, raw, mode, land)
}

func (d *Door) replace(real string, raw []byte, mode fs.FileMode, land func(temp, real string) error) (err error) {
	temp, err := newTemp(real)
	if err != nil {
		return err
	}
	defer d.w.begin(temp)()
	f, err := d.w.fs.OpenFile(temp, osWriteNew, mode)
	if err != nil {
		return fmt.Errorf("write %s: %w", real, err)
	}
	defer func() {
		if err != nil {
			if left := d.w.fs.Remove(temp); left != nil && !errors.Is(left, fs.ErrNotExist) {
				err = errors.Join(err, left)
			}
			err = busy(fmt.Errorf("write %s: %w", real, err), real, true)
		}
	}()
	_, err = f.Write(raw)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if _, gone := d.w.fs.Stat(real); err == nil && gone == nil {
		err = d.w.fs.Chmod(temp, mode) // the umask does not count for a file that was there
	}
	if err == nil {
		err = land(temp, real)
	}
	return err
}

// MkdirAll makes a directory and its parents.
func (d *Door) MkdirAll(ctx context.Context, p string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	clean, err := cleanPath(p)
	if err != nil {
		return err
	}
	if d.w.fs == nil {
		return &RefusedError{noFolder(clean)}
	}
	real, err := d.resolve(clean)
	if err != nil {
		return err
	}
	return d.w.fs.MkdirAll(real, 0o755)
}

// Remove deletes a file. A symbolic link is taken away itself, not what it leads to.
func (d *Door) Remove(ctx context.Context, p string) error {
	clean, _, err := d.enter(ctx, p, OpDelete)
	if err != nil {
		return err
	}
	return d.w.fs.Remove(clean)
}

// Rename moves a file to a name that is free, making the directories.
func (d *Door) Rename(ctx context.Context, from, to string) error {
	source, _, err := d.enter(ctx, from, OpRename)
	if err != nil {
		return err
	}
	_, target, err := d.enter(ctx, to, OpCreate)
	if err != nil {
		return err
	}
	if d.exists(target) {
		return fmt.Errorf("rename %s to %s: %w", from, to, fs.ErrExist)
	}
	if err := d.w.fs.MkdirAll(path.Dir(target), 0o755); err != nil {
		return fmt.Errorf("rename %s to %s: %w", from, to, err)
	}
	return d.w.fs.Rename(source, target)
}

// enter judges a path that is about to be written.
func (d *Door) enter(ctx context.Context, p string, op Operation) (clean, real string, err error) {
	dec := d.place(ctx, p, op)
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	if dec.Verdict == Refuse {
		return "", "", &RefusedError{dec}
	}
	if dec.Target != "" {
		return dec.Path, dec.Target, nil
	}
	return dec.Path, dec.Path, nil
}
