// Package versus plays the same scripted answers to aider and to `coauthor edit`.
//
// Both run headless, each in a fresh git tree of a case (testdata), against a server on loopback that
// answers by the case's script. What counts is the tree that each leaves, beside the one that the case
// wants, and the time and processor time that each takes outside the model. It knows neither program's
// inside: it starts them as a user does. Command bench is its only caller; start at Run and Case.
package versus

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// Options say what is played.
type Options struct {
	Binary  string   // the coauthor to play to
	Aider   *Aider   // nil plays to coauthor alone
	Cases   []string // patterns of the names of cases; none is all of them
	Rounds  int      // how often each case is played to each; the medians count
	Verbose bool     // print what the programs wrote where a tree is not the wanted one
}

// Run plays the cases, prints a table, and returns an error when a tree of ours is not as its case wants it.
func Run(ctx context.Context, out io.Writer, o Options) error {
	cases, err := chosen(o.Cases)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "coauthor-versus-")
	if err != nil {
		return fmt.Errorf("create a folder for the case: %w", err)
	}
	defer os.RemoveAll(dir)
	programs := []Program{coauthor{o.Binary}}
	if o.Aider != nil {
		programs = append(programs, o.Aider)
	}
	t := &table{out: out, rivals: o.Aider != nil}
	t.head()
	for _, c := range cases {
		var runs [][]Played
		for _, p := range programs {
			var list []Played
			for range max(o.Rounds, 1) {
				one, err := play(ctx, dir, c, p)
				if err != nil {
					return fmt.Errorf("case %s, %s: %w", c.Name, p.Name(), err)
				}
				list = append(list, one)
			}
			runs = append(runs, list)
		}
		t.row(c, runs)
		if o.Verbose {
			explain(out, c, programs, runs)
		}
	}
	t.foot()
	if len(t.wrong) > 0 {
		return fmt.Errorf("wrong coauthor tree: %s", strings.Join(t.wrong, ", "))
	}
	return nil
}

func chosen(patterns []string) ([]Case, error) {
	all, err := Cases()
	if err != nil || len(patterns) == 0 {
		return all, err
	}
	list := slices.DeleteFunc(all, func(c Case) bool {
		return !slices.ContainsFunc(patterns, func(p string) bool { ok, _ := path.Match(p, c.Name); return ok })
	})
	if len(list) == 0 {
		return nil, fmt.Errorf("unknown case %s", strings.Join(patterns, ", "))
	}
	return list, nil
}

// explain shows why a tree is not the wanted one.
func explain(out io.Writer, c Case, programs []Program, runs [][]Played) {
	for i, p := range programs {
		r := runs[i][0]
		if d := r.Tree.differs(c.Want); d != "" {
			fmt.Fprintf(out, "\n%s, %s: %s\n%s\n", c.Name, p.Name(), d, r.Output)
		}
	}
}

// median is the middle one of some times; of an even number the later one of the two.
func median(list []time.Duration) time.Duration {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}
