package workspace

import "slices"

// Consent is the user's word that something may be written. The zero value is nobody's word: nothing is
// written with it.
type Consent struct {
	given bool
	named []string
}

// Agreed is the consent of a user who has accepted a change, or whose command says so. That is enough for files
// of which the door says Allow. Those of which it says Ask must be among the named: the user was shown their
// names and agreed to each.
func Agreed(named ...string) Consent { return Consent{given: true, named: named} }

// covers says why a decision about a write is not covered; nil when it is.
func (c Consent) covers(d Decision) error {
	switch {
	case d.Verdict == Refuse:
		return &RefusedError{d}
	case !c.given:
		return &RefusedError{refused(d.Path, CodeConsent, "you did not allow this change")}
	case d.Verdict == Ask && !slices.ContainsFunc(c.named, func(p string) bool { return cleanOrSame(p) == d.Path }):
		return &RefusedError{d}
	}
	return nil
}

// Writer writes below the root with a user's consent; there is no other way to write there but for the documents of
// the folder .coauthor, which are ours.
type Writer struct {
	d       *Door
	consent Consent
}

// With returns the writer of what the user has agreed to.
func (d *Door) With(c Consent) Writer { return Writer{d, c} }
