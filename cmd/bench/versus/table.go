package versus

import (
	"fmt"
	"io"
	"time"
)

// table is what Run prints.
type table struct {
	out    io.Writer
	rivals bool
	wrong  []string // cases of which our tree is not the wanted one

	cases, same, ours, theirs int
	sums                      [2]figures
}

// figures are the medians of the plays of one case to one program, or the sums of those.
type figures struct{ wall, work, cpu time.Duration }

func medians(list []Played) figures {
	var wall, work, cpu []time.Duration
	for _, r := range list {
		wall, work, cpu = append(wall, r.Wall), append(work, r.Work), append(cpu, r.CPU)
	}
	return figures{median(wall), median(work), median(cpu)}
}

func (t *table) head() {
	if !t.rivals {
		fmt.Fprint(t.out, "| case | format | calls | coauthor | outside the model, s | after its start, s | CPU, s |\n|---|---|---|---|---|---|---|\n")
		return
	}
	fmt.Fprint(t.out, "| case | format | calls, aider / coauthor | trees | aider | coauthor | outside the model, s, aider / coauthor | ratio | after the start, s | ratio | CPU, s | ratio |\n"+
		"|---|---|---|---|---|---|---|---|---|---|---|---|\n")
}

// row prints one case: runs[0] are the plays to coauthor, runs[1] those to aider.
func (t *table) row(c Case, runs [][]Played) {
	t.cases++
	mine := runs[0][0]
	verdict := "right"
	for _, r := range runs[0] {
		if d := r.Tree.differs(c.Want); d != "" {
			verdict = d
		}
	}
	if verdict == "right" {
		t.ours++
	} else {
		t.wrong = append(t.wrong, c.Name+" ("+verdict+")")
	}
	f := medians(runs[0])
	t.sums[0] = t.sums[0].add(f)
	if !t.rivals {
		fmt.Fprintf(t.out, "| %s | %s | %d | %s | %s | %s | %s |\n", c.Name, c.Format, mine.Calls, verdict, seconds(f.wall), seconds(f.work), seconds(f.cpu))
		return
	}
	peer := runs[1][0]
	other := orRight(peer.Tree.differs(c.Want))
	if other == "right" {
		t.theirs++
	}
	trees := "same"
	if peer.Tree.differs(mine.Tree) != "" {
		trees = "differ"
	} else {
		t.same++
	}
	g := medians(runs[1])
	t.sums[1] = t.sums[1].add(g)
	fmt.Fprintf(t.out, "| %s | %s | %d / %d | %s | %s | %s %s |\n", c.Name, c.Format, peer.Calls, mine.Calls, trees, other, verdict, beside(g, f))
}

// foot prints the sums.
func (t *table) foot() {
	if !t.rivals {
		fmt.Fprintf(t.out, "| %d cases | | | %d right | %s | %s | %s |\n", t.cases, t.ours, seconds(t.sums[0].wall), seconds(t.sums[0].work), seconds(t.sums[0].cpu))
		return
	}
	fmt.Fprintf(t.out, "| %d cases | | | %d same | %d right | %d right %s |\n", t.cases, t.same, t.theirs, t.ours, beside(t.sums[1], t.sums[0]))
}

func orRight(how string) string {
	if how == "" {
		return "right"
	}
	return how
}

func (f figures) add(g figures) figures {
	return figures{f.wall + g.wall, f.work + g.work, f.cpu + g.cpu}
}

// beside is the figures of aider and ours, with how many times as much aider takes.
func beside(aider, ours figures) string {
	text := ""
	for _, p := range [][2]time.Duration{{aider.wall, ours.wall}, {aider.work, ours.work}, {aider.cpu, ours.cpu}} {
		text += fmt.Sprintf("| %s / %s | %.0f ", seconds(p[0]), seconds(p[1]), p[0].Seconds()/max(p[1].Seconds(), 0.001))
	}
	return text
}
