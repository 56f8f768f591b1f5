package index

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"coauthor/repomap"
	flat "coauthor/repomap/store"
)

// modes are what the test binary can be: the real worker, one that a file can kill or hold up, one that
// talks nonsense, and a whole index on a disk that is full.
var modes = map[string]func(args []string) error{
	"worker": func([]string) error { return ServeWorker(context.Background(), os.Stdin, os.Stdout) },
	"fragile": func(args []string) error {
		return ServeWorker(context.Background(), &fragile{os.Stdin, strings.Join(args, "")}, os.Stdout)
	},
	"linger": func(args []string) error {
		return ServeWorker(context.Background(), &linger{in: os.Stdin, pipe: args[0]}, os.Stdout)
	},
	"listed":      func(args []string) error { return listed(args[0]) },
	"stubborn":    func(args []string) error { return ServeWorker(context.Background(), &stubborn{args[0]}, os.Stdout) },
	"refusing":    func([]string) error { return refuse(os.Stdin, os.Stdout) },
	"environment": func(args []string) error { return showEnvironment(args[0]) },
	"nonsense": func([]string) error {
		_, _ = io.WriteString(os.Stdout, strings.Repeat("nonsense", 1000))
		_, _ = io.Copy(io.Discard, os.Stdin)
		return nil
	},
	"cramped":  cramped,
	"halting":  func(args []string) error { return halting(args[0], args[1]) },
	"indexing": indexing,
}

// TestMain lets the test binary be one of modes.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if f := modes[os.Args[1]]; f != nil {
			if err := f(os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

// fragile dies of the word segfault, as a grammar would, after it has noted that in its list, if it has one.
type fragile struct {
	in   io.Reader
	list string
}

func (f *fragile) Read(p []byte) (int, error) {
	n, err := f.in.Read(p)
	if bytes.Contains(p[:n], []byte("segfault")) {
		if f.list != "" {
			before, _ := os.ReadFile(f.list)
			_ = os.WriteFile(f.list, fmt.Appendln(before, "segfault"), 0o600)
		}
		crash()
	}
	return n, err
}

// linger stops at the word linger while its pipe is there, after it has told its process through it.
type linger struct {
	in   io.Reader
	pipe string
}

func (l *linger) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	if bytes.Contains(p[:n], []byte("linger")) {
		if f, err := os.OpenFile(l.pipe, os.O_WRONLY, 0); err == nil {
			_, _ = fmt.Fprint(f, os.Getpid())
			_ = f.Close()
			time.Sleep(time.Hour) // until it is killed; select {} would be a deadlock, which ends a program without C
		}
	}
	return n, err
}

// stubborn dies of the first word segfault and stops for ever at the next, or at the word endless, after it has
// noted the word in a list.
type stubborn struct{ list string }

func (s *stubborn) Read(p []byte) (int, error) {
	n, err := os.Stdin.Read(p)
	for _, word := range []string{"segfault", "endless"} {
		if !bytes.Contains(p[:n], []byte(word)) {
			continue
		}
		before, _ := os.ReadFile(s.list)
		if err := os.WriteFile(s.list, fmt.Appendln(before, word), 0o600); err != nil {
			return 0, err
		}
		if word == "segfault" && len(before) == 0 {
			crash()
		}
		time.Sleep(time.Hour) // until it is killed; select {} would be a deadlock, which ends a program without C
	}
	return n, err
}

// refuse answers each request with an error in words.
func refuse(in io.Reader, out io.Writer) error {
	for r := bufio.NewReader(in); ; {
		files, err := wholeRequest(r)
		for range files {
			_, wrong := out.Write(appendFrame([]byte{1}, []byte("too deep")))
			err = errors.Join(err, wrong)
		}
		if err != nil {
			return err
		}
	}
}

// wholeRequest gives the files of the next request.
func wholeRequest(r *bufio.Reader) (files []repomap.Text, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	for range binary.LittleEndian.Uint32(head[:]) {
		path, err := readFrame(r, nil)
		if err != nil {
			return nil, err
		}
		src, err := readFrame(r, nil)
		if err != nil {
			return nil, err
		}
		files = append(files, repomap.Text{Path: string(path), Src: src})
	}
	return files, nil
}

// showEnvironment is the real worker, which first writes its environment to a file.
func showEnvironment(file string) error {
	if err := os.WriteFile(file, []byte(strings.Join(os.Environ(), "\n")), 0o600); err != nil {
		return err
	}
	return ServeWorker(context.Background(), os.Stdin, os.Stdout)
}

// listed is the real worker, which first notes the names of the files that it is asked about.
func listed(list string) error {
	f, err := os.OpenFile(list, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return ServeWorker(context.Background(), &noting{in: os.Stdin, to: f}, os.Stdout)
}

// noting notes the names of requests that were read to their end.
type noting struct {
	in   io.Reader
	to   io.Writer
	read bytes.Buffer
}

func (n *noting) Read(p []byte) (int, error) {
	k, err := n.in.Read(p)
	n.read.Write(p[:k])
	for {
		files, cut := wholeRequest(bufio.NewReader(bytes.NewReader(n.read.Bytes())))
		if cut != nil {
			return k, err
		}
		n.read.Next(len(appendRequest(nil, files)))
		for _, f := range files {
			if _, err := fmt.Fprintln(n.to, f.Path); err != nil {
				return k, err
			}
		}
	}
}

// cramped indexes a tree where no file can grow beyond 2 KB, and prints the map.
func cramped(args []string) error {
	if err := limitFiles(2048); err != nil {
		return err
	}
	if _, _, err := newStore(args[1], args[0], ".map").Spill(make([]byte, 1<<20)); flat.CanMap && !errors.Is(err, errFileTooLarge) {
		return fmt.Errorf("a megabyte was kept: %w", err)
	}
	ctx := context.Background()
	x, err := Open(ctx, args[0], Options{StateDir: args[1], Worker: []string{os.Args[0], "fragile"},
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		return err
	}
	defer x.Close()
	if err := x.Wait(ctx); err != nil {
		return err
	}
	m, err := x.Map(ctx, repomap.Request{Budget: 10_000})
	fmt.Println(m.Complete, m.Text)
	return err
}
