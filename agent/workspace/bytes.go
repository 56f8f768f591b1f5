package workspace

import "context"

// Bytes reads a file on disk as it is, whatever it holds. Who sends what it returns asks Check with OpSendBytes
// before. The error is as from Snapshot.Document.
func (d *Door) Bytes(ctx context.Context, path string) ([]byte, error) {
	clean, err := cleanPath(path)
	if err != nil {
		return nil, err
	}
	if d.w.fs == nil {
		return nil, &RefusedError{noFolder(clean)}
	}
	type outcome struct {
		raw []byte
		err error
	}
	o, err := await(ctx, func() outcome {
		real, err := d.resolve(clean)
		if err != nil {
			return outcome{err: named(err, clean)}
		}
		f, info, err := openRegular(d.w.fs, real)
		if err != nil {
			return outcome{err: named(err, clean)}
		}
		raw, err := readAll(f, info, clean, d.w.o.MaxFileBytes)
		return outcome{raw, err}
	})
	if err != nil {
		return nil, err
	}
	return o.raw, o.err
}
