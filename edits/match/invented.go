package match

import "slices"

// WithoutInvented finds the place of a hunk by its lines without the comments that it invents, with both readings of it.
// had are the lines of the file before the reply, as a Set.
func WithoutInvented(b *Text, p *Pattern, had func() map[string]bool, w Where) (*Pattern, Place, bool) {
	s := newSearch(b, w)
	for _, rungs := range [][]rung{ladder[:strict], ladder[strict:]} {
		for _, reading := range []*Pattern{p, p.other} {
			if reading == nil || !reading.hunk || !slices.ContainsFunc(reading.Lines, mayBeInvented) {
				continue
			}
			q := reading.withoutInvented(had())
			if q == nil {
				continue
			}
			if pl, missed := s.locate(q, rungs); missed == nil && pl.indent == nil {
				return q, pl, true
			}
		}
	}
	return nil, Place{}, false
}

// mayBeInvented says whether a line of a hunk is a comment that the file is said to have.
func mayBeInvented(l Line) bool { return l.Sign != '+' && isRemark(l.Text) }

// withoutInvented deals with comments that a hunk takes for lines of the file, where the file did not hold them before
// the reply: those that shall stay become new lines, which need a line of the file above them in the hunk; those that
// shall go are gone.
func (p *Pattern) withoutInvented(had map[string]bool) *Pattern {
	lines := make([]Line, 0, len(p.Lines))
	anchored, some := false, false
	for _, l := range p.Lines {
		switch {
		case l.Sign == '+':
		case isRemark(l.Text) && !had[Trim(l.Text)]:
			if l.Sign == ' ' && (!anchored || takesAway(p.Lines, l.Text)) || resembled(l.Text, had) {
				return nil
			}
			some = true
			if l.Sign == '-' {
				continue
			}
			l.Sign = '+'
		default:
			anchored = anchored || !IsBlank(l.Text)
		}
		lines = append(lines, l)
	}
	if !some || !anchored {
		return nil
	}
	return p.With(lines)
}

// takesAway says whether a hunk takes a line away: one that it keeps elsewhere then says two things.
func takesAway(lines []Line, text string) bool {
	return slices.ContainsFunc(lines, func(l Line) bool {
		return l.Sign == '-' && Trim(l.Text) == Trim(text)
	})
}

// resembled says whether one of the lines is nearly this one.
func resembled(text string, lines map[string]bool) bool {
	text = Trim(text)
	for have := range lines {
		if endsAlike(text, have) >= similarLine && Alike(text, have) >= similarSingle {
			return true
		}
	}
	return false
}
