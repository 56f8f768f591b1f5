package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// Consent is the user's word that something may be written. The zero value is nobody's word: nothing is
// written with it.
type Consent struct {
	given bool
	named []string
}

// Agreed is the consent of a user who has accepted a change, or whose command says so. That is enough for files
// of which the door says Allow. Those of which it says Ask must be among the named: the user was shown their
// names and agreed to each.
func Agreed(named ...string) Consent { return Consent{given: true, named: named} }

// covers says why a decision about a write is not covered; nil when it is.
func (c Consent) covers(d Decision) error {
	switch {
	case d.Verdict == Refuse:
		return &RefusedError{d}
	case !c.given:
		return &RefusedError{refused(d.Path, CodeConsent, "you did not allow this change")}
	case d.Verdict == Ask && !slices.ContainsFunc(c.named, func(p string) bool { return cleanOrSame(p) == d.Path }):
		return &RefusedError{d}
	}
	return nil
}

// Writer writes below the root with a user's consent; there is no other way to write there but for the documents of
// the folder .coauthor, which are ours.
type Writer struct {
	d       *Door
	consent Consent
}

// With returns the writer of what the user has agreed to.
func (d *Door) With(c Consent) Writer { return Writer{d, c} }

// Write puts a text on disk in the encoding given: into a temporary file beside it, synced, and then
// renamed over it, so that there is always the old or the new content. Directories are made. It
// refuses what the consent does not cover. Ignore files are not looked at: who asks for the consent has asked Check.
func (w Writer) Write(ctx context.Context, p, text string, enc Encoding) error {
	return w.write(ctx, p, text, enc, func(temp, real string) error { return w.d.w.fs.Rename(temp, real) })
}

// ErrChanged says that a file on disk is not what the writer took it for: another program wrote, made
// or deleted it meanwhile. Nothing was written then.
var ErrChanged = errors.New("another program changed the file")

// WriteOver is Write for a file that still has the text before. It looks at the last moment, when all
// that is left to do is one renaming. Otherwise the error is ErrChanged.
func (w Writer) WriteOver(ctx context.Context, p, before, text string, enc Encoding) error {
	return w.write(ctx, p, text, enc, func(temp, real string) error {
		if err := w.holds(ctx, real, before); err != nil {
			return err
		}
		return w.d.w.fs.Rename(temp, real)
	})
}

// WriteNew is Write for a file that is not there. If there is one by now the error is ErrChanged, and
// where the file system has links no program can come in between.
func (w Writer) WriteNew(ctx context.Context, p, text string, enc Encoding) error {
	return w.write(ctx, p, text, enc, func(temp, real string) error {
		if w.d.w.fs.Link(temp, real) == nil {
			return w.d.w.fs.Remove(temp)
		}
		if _, err := w.d.w.fs.Lstat(real); !errors.Is(err, fs.ErrNotExist) {
			return ErrChanged
		}
		return w.d.w.fs.Rename(temp, real)
	})
}

// RemoveIf is Remove for a file that still has the text before; otherwise the error is ErrChanged.
func (w Writer) RemoveIf(ctx context.Context, p, before string) error {
	_, real, err := w.enter(ctx, p, OpDelete)
	if err == nil {
		err = w.holds(ctx, real, before)
	}
	if err != nil {
		return err
	}
	return w.Remove(ctx, p)
}

// holds says whether a file on disk still has a text.
func (w Writer) holds(ctx context.Context, real, text string) error {
	doc, err := w.d.readReal(ctx, real, real)
	if errors.Is(err, fs.ErrNotExist) || err == nil && doc.Text != text {
		return ErrChanged
	}
	return err
}

// write makes the text ready in a temporary file, and leaves to land how it takes its place.
func (w Writer) write(ctx context.Context, p, text string, enc Encoding, land func(temp, real string) error) error {
	op, err := await(ctx, func() Operation {
		if clean, err := cleanPath(p); err == nil && !w.d.exists(clean) {
			return OpCreate
		}
		return OpEdit
	})
	if err != nil {
		return err
	}
	_, real, err := w.enter(ctx, p, op)
	if err != nil {
		return err
	}
	raw, err := encode(text, enc) // before anything is touched
	if err != nil {
		return fmt.Errorf("write %s: %w", p, err)
	}
	mode := fs.FileMode(0o644)
	if info, err := w.d.w.fs.Stat(real); err == nil {
		mode = info.Mode().Perm()
	} else if err := w.d.w.fs.MkdirAll(path.Dir(real), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", p, err)
	}
	return w.d.w.replace(real, raw, mode, land)
}

// replace puts a file in the place of another one, if any.
func (w *Workspace) replace(real string, raw []byte, mode fs.FileMode, land func(temp, real string) error) (err error) {
	temp, err := newTemp(real)
	if err != nil {
		return err
	}
	defer w.begin(temp)()
	f, err := w.fs.OpenFile(temp, osWriteNew, mode)
	if err != nil {
		return fmt.Errorf("write %s: %w", real, err)
	}
	defer func() {
		if err != nil {
			if left := w.fs.Remove(temp); left != nil && !errors.Is(left, fs.ErrNotExist) {
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
	if _, gone := w.fs.Stat(real); err == nil && gone == nil {
		err = w.fs.Chmod(temp, mode) // the umask does not count for a file that was there
	}
	if err == nil {
		err = land(temp, real)
	}
	return err
}

// MkdirAll makes a directory and its parents.
func (w Writer) MkdirAll(ctx context.Context, p string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	clean, err := cleanPath(p)
	if err != nil {
		return err
	}
	if w.d.w.fs == nil {
		return &RefusedError{noFolder(clean)}
	}
	if err := w.consent.covers(Decision{Verdict: Allow, Path: clean}); err != nil {
		return err
	}
	real, err := w.d.resolve(clean)
	if err != nil {
		return err
	}
	return w.d.w.fs.MkdirAll(real, 0o755)
}

// Remove deletes a file. A symbolic link is taken away itself, not what it leads to.
func (w Writer) Remove(ctx context.Context, p string) error {
	clean, _, err := w.enter(ctx, p, OpDelete)
	if err != nil {
		return err
	}
	return w.d.w.fs.Remove(clean)
}

// Rename moves a file to a name that is free, making the directories.
func (w Writer) Rename(ctx context.Context, from, to string) error {
	source, _, err := w.enter(ctx, from, OpRename)
	if err != nil {
		return err
	}
	_, target, err := w.enter(ctx, to, OpCreate)
	if err != nil {
		return err
	}
	if w.d.exists(target) {
		return fmt.Errorf("rename %s to %s: %w", from, to, fs.ErrExist)
	}
	if err := w.d.w.fs.MkdirAll(path.Dir(target), 0o755); err != nil {
		return fmt.Errorf("rename %s to %s: %w", from, to, err)
	}
	return w.d.w.fs.Rename(source, target)
}

// place judges everything but the ignore files.
func (w Writer) place(ctx context.Context, p string, op Operation) Decision {
	dec, err := await(ctx, func() Decision {
		policy, err := w.d.w.policy(ctx)
		if err != nil {
			return unusable(ctx, p, err)
		}
		return w.d.placed(ctx, policy, p, op, true, nil)
	})
	if err != nil {
		return unusable(ctx, p, err)
	}
	return dec
}

// enter judges a path that is about to be written.
func (w Writer) enter(ctx context.Context, p string, op Operation) (clean, real string, err error) {
	dec := w.place(ctx, p, op)
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	if err := w.consent.covers(dec); err != nil {
		return "", "", err
	}
	if dec.Target != "" {
		return dec.Path, dec.Target, nil
	}
	return dec.Path, dec.Path, nil
}
