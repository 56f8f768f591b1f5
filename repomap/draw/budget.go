package draw

import "context"

// Counter counts the tokens of a text as the model would.
type Counter interface{ Count(text string) int }

// Sheet is what a map is written on: the files that it may show, the likeliest first, and the budget. before is the map of the turn
// before, or "".
type Sheet struct {
	List    []File
	Budget  int
	Counter Counter
	Before  string
}

// Names are the places in the list of the files that a drawing shows, each with the names of the definitions that are shown.
func (s *Sheet) Names(d Drawing) map[int][]string {
	shown := make(map[int][]string, len(d.plan.files))
	for n, k := range d.plan.files {
		var names []string
		for i, shape := range d.plan.shapes[n] {
			if shape != hidden {
				names = append(names, s.List[k].Defs[i].Name)
			}
		}
		shown[k] = names
	}
	return shown
}

// leastFill is the share of the budget that a map takes if there is enough to show.
const leastFill = 0.95

// Drawing is a plan with its text.
type Drawing struct {
	plan   plan
	Text   string
	Tokens int
}

func (s *Sheet) draw(p plan) Drawing {
	d := Drawing{plan: p, Text: s.render(p)}
	d.Tokens = s.Counter.Count(d.Text)
	return d
}

// Fill makes the plan that fits the budget as the request counts it. The plan is made in
// characters, and the rate between characters and tokens is learned from the text itself.
func (s *Sheet) Fill(ctx context.Context) Drawing {
	budget, list := s.Budget, s.List
	room := 4 * float64(budget)
	low, high := 0.0, 0.0 // rooms known to fit and not to fit
	var best Drawing
	var over plan // the next larger one
	for range 12 {
		p, larger := fit(list, room)
		d := s.draw(p)
		if d.Tokens <= budget {
			if d.Tokens >= best.Tokens {
				best, over = d, larger
			}
			if len(larger.files) == 0 || d.Tokens >= budget-budget/100 {
				break
			}
			low = room
		} else {
			high, over = room, p
		}
		next := room * float64(budget) / float64(max(1, d.Tokens)) * 0.998
		if high > 0 && next >= high || next <= low {
			if high == 0 {
				break
			}
			next = (low + high) / 2
		}
		if room = next; high > 0 && high-low < 4 || ctx.Err() != nil {
			break
		}
	}
	if len(over.files) > 0 && float64(best.Tokens) < leastFill*float64(budget) {
		best = s.topUp(ctx, best, over)
	}
	if kept, ok := s.previous(best); ok {
		return kept
	}
	return best
}

// topUp goes on line by line where a plan is worth as much as a much larger one, as when nothing tells
// files apart: as far as the budget goes.
func (s *Sheet) topUp(ctx context.Context, best Drawing, over plan) Drawing {
	_, steps := between(s.List, best.plan, over, 0)
	from := best.plan
	fits, not := 0, steps+1
	for not-fits > 1 && ctx.Err() == nil {
		mid := (fits + not) / 2
		p, _ := between(s.List, from, over, mid)
		if d := s.draw(p); d.Tokens <= s.Budget {
			best, fits = d, mid
		} else {
			not = mid
		}
	}
	return best
}
