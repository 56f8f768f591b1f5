package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// entry is one file of an archive; name has slashes.
type entry struct {
	name    string
	content []byte
	mode    fs.FileMode
}

// companions are the files that go along with every program: the page, the licence, and what editors without a shop for
// extensions are set up with.
func companions(root string) ([]entry, error) {
	var list []entry
	add := func(name string) error {
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err == nil {
			list = append(list, entry{name, content, 0o644})
		}
		return err
	}
	for _, name := range []string{"README.md", "LICENSE"} {
		if err := add(name); err != nil {
			return nil, err
		}
	}
	err := fs.WalkDir(os.DirFS(root), "editors", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch {
			case name == "editors/e2e", name == "editors/vscode", d.Name() == "pictures", strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || path.Ext(name) == ".go" {
			return nil
		}
		return add(name)
	})
	return list, err
}

// pack makes an archive in the form that its name ends with.
func pack(name string, entries []entry, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if strings.HasSuffix(name, ".zip") {
		err = packZip(&b, entries, date)
	} else {
		err = packTar(&b, entries, date)
	}
	return b.Bytes(), err
}

func packTar(to io.Writer, entries []entry, date time.Time) error {
	small, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(small)
	for _, e := range entries {
		if err := out.WriteHeader(&tar.Header{Name: e.name, Mode: int64(e.mode), Size: int64(len(e.content)), ModTime: date}); err != nil {
			return err
		}
		if _, err := out.Write(e.content); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	return small.Close()
}

func packZip(to io.Writer, entries []entry, date time.Time) error {
	out := zip.NewWriter(to)
	out.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: date}
		header.SetMode(e.mode)
		w, err := out.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := w.Write(e.content); err != nil {
			return err
		}
	}
	return out.Close()
}
