package sandbox

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A command reads what it is given, in a session of its own, and nothing where it is given nothing.
func TestACommandReads(t *testing.T) {
	x := Execution{Argv: []string{"sh", "-c", `read x; echo "$x"; test "$(cut -d' ' -f6 /proc/$$/stat)" = $$ && echo alone`}, Dir: t.TempDir(), Environ: os.Environ(), Limits: Limits{Time: time.Minute}}
	for in, want := range map[string]string{"": "\n", "hello\n": "hello\nalone\n"} {
		if in != "" {
			from, to, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer from.Close()
			if _, err := to.WriteString(in); err != nil {
				t.Fatal(err)
			}
			_ = to.Close()
			x.In = from
		}
		got, err := Execute(t.Context(), nil, x)
		if err != nil || got.Out != want {
			t.Errorf("%q: %q %v %s", in, got.Out, err, got.Err)
		}
		x.In = nil
	}
}

// A helper that is gone is an error, also where files are to come back.
func TestAHelperThatIsGone(t *testing.T) {
	root := t.TempDir()
	s := NewShadow(ShadowOptions{Dir: t.TempDir(), Helper: []string{filepath.Join(root, "gone")}})
	s.ways = map[string]chosen{root: {way: Overlay}}
	r, err := s.Run(t.Context(), Job{Command: func(string) []string { return []string{"true"} }, Root: root, Back: []string{"a"}, Time: time.Minute})
	if err == nil {
		t.Errorf("%+v", r)
	}
}
