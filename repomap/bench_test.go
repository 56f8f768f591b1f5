package repomap

import (
	"fmt"
	"testing"

	"coauthor/repomap/syntax"
	"coauthor/repomap/vocab"
)

// The stages one by one, on a made-up repository of 2,000 files.
const benchFiles = 2000

var benchRequest = Request{Budget: 2048, Chat: []string{"pkg1/file1.go"}, Message: "visit the next node in one step"}

func BenchmarkTags(b *testing.B) {
	src := []byte(project(1)["pkg0/file0.go"])
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := (syntax.Tagger{}).Tags(b.Context(), "a.go", src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWords(b *testing.B) {
	src := []byte(project(1)["pkg0/file0.go"])
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		vocab.Words(src, func(int, int) {})
	}
}

func BenchmarkFirstIndex(b *testing.B) {
	m := newMemory(project(benchFiles))
	for b.Loop() {
		m.stored = nil
		open(b, m, 2)
	}
}

func BenchmarkRestart(b *testing.B) {
	m := newMemory(project(benchFiles))
	open(b, m, 2)
	b.SetBytes(int64(len(m.stored)))
	for b.Loop() {
		open(b, m, 2)
	}
}

// A process's first map from what another one has left: with the stored graph, and without.
func BenchmarkFirstMap(b *testing.B) {
	for name, graphs := range map[string]*memory{"stored graph": {}, "no graph": nil} {
		b.Run(name, func(b *testing.B) {
			m := newMemory(project(benchFiles))
			openKept(b, m, graphs)
			for b.Loop() {
				mapOf(b, openKept(b, m, graphs), benchRequest)
			}
		})
	}
}

func BenchmarkGraph(b *testing.B) {
	s := open(b, newMemory(project(benchFiles)), 2).current()
	for b.Loop() {
		newGraph(s)
	}
}

func BenchmarkRank(b *testing.B) {
	q := newScoring(open(b, newMemory(project(benchFiles)), 2).current(), benchRequest)
	restart := q.restart()
	for b.Loop() {
		q.g.rank(restart, q.memory)
	}
}

func BenchmarkWarmMap(b *testing.B) {
	x := open(b, newMemory(project(benchFiles)), 2)
	for b.Loop() {
		mapOf(b, x, benchRequest)
	}
}

func BenchmarkMapAfterEdit(b *testing.B) {
	files := project(benchFiles)
	x := open(b, newMemory(files), 2)
	for n := 0; b.Loop(); n++ {
		text := files["pkg2/file2.go"] + fmt.Sprintf("\nfunc added%d() { run3(nil, 1) }\n", n)
		if _, err := x.Update(b.Context(), "pkg2/file2.go", text); err != nil {
			b.Fatal(err)
		}
		mapOf(b, x, benchRequest)
	}
}

// Which of 20,000 files have a name that a tenth of them use.
func BenchmarkNaming(b *testing.B) {
	x := open(b, newMemory(project(10*benchFiles)), 2)
	for b.Loop() {
		if list, _ := NamesOf(x).Naming("run3"); len(list) == 0 {
			b.Fatal("nobody has it")
		}
	}
}
