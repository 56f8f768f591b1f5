package draw

import "context"

// Counter counts the tokens of a text as the model would.
type Counter interface{ Count(text string) int }

// Fitter makes the map that fits a budget best.
type Fitter struct {
	List    []File  // that may be shown, the likeliest first
	Budget  int     // tokens
	Counter Counter // of the request's model
	Before  string  // the map of the turn before; "" for none
}

// Names are the places in the list of the files that a drawing shows, each with the names of the definitions that are shown.
func (f *Fitter) Names(d Drawing) map[int][]string {
	shown := make(map[int][]string, len(d.plan.files))
	for n, k := range d.plan.files {
		var names []string
		for i, shape := range d.plan.shapes[n] {
			if shape != hidden {
				names = append(names, f.List[k].Defs[i].Name)
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

func (f *Fitter) draw(p plan) Drawing {
	d := Drawing{plan: p, Text: f.render(p)}
	d.Tokens = f.Counter.Count(d.Text)
	return d
}

// Fill makes the plan that fits the budget as the request counts it. The plan is made in
// characters, and the rate between characters and tokens is learned from the text itself.
func (f *Fitter) Fill(ctx context.Context) Drawing {
	budget, list := f.Budget, f.List
	room := 4 * float64(budget)
	low, high := 0.0, 0.0 // rooms known to fit and not to fit
	var best Drawing
	var over plan // the next larger one
	for range 12 {
		p, larger := fit(list, room)
		d := f.draw(p)
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
		best = f.topUp(ctx, best, over)
	}
	if kept, ok := f.previous(best); ok {
		return kept
	}
	return best
}

// topUp goes on line by line where a plan is worth as much as a much larger one, as when nothing tells
// files apart: as far as the budget goes.
func (f *Fitter) topUp(ctx context.Context, best Drawing, over plan) Drawing {
	_, steps := between(f.List, best.plan, over, 0)
	from := best.plan
	fits, not := 0, steps+1
	for not-fits > 1 && ctx.Err() == nil {
		mid := (fits + not) / 2
		p, _ := between(f.List, from, over, mid)
		if d := f.draw(p); d.Tokens <= f.Budget {
			best, fits = d, mid
		} else {
			not = mid
		}
	}
	return best
}
