package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/sandbox"
)

// Verdict is what the checks came to, in one line: "syntax ✓, go vet ✓, 41 tests ✓, 12 s". It is empty
// when nothing was checked. The checks without a program are one, called syntax, but for those that found
// something wrong.
func Verdict(results []Result) string {
	var parts []string
	var took time.Duration
	syntax, caution := false, ""
	var emptied []string
	for _, r := range results {
		took += r.Took
		if r.Way != "" {
			caution = cautionOf(r.Way)
			emptied = append(emptied, r.Emptied...)
		}
		switch {
		case r.Command:
			if text := r.verdict(); text != "" {
				parts = append(parts, text)
			}
		case slices.ContainsFunc(r.Findings, func(f Finding) bool { return !f.Told }):
			parts = append(parts, r.Check+" ✗")
			syntax = syntax || r.Check == "syntax"
		case r.Check == "syntax":
			syntax = true
			if r.Err == nil {
				parts = append([]string{"syntax ✓"}, parts...)
			} else {
				parts = append([]string{"syntax partly checked"}, parts...)
			}
		}
	}
	if took >= time.Second {
		parts = append(parts, display.Duration(took.Round(time.Second)))
	}
	slices.Sort(emptied)
	for _, text := range []string{hidden(slices.Compact(emptied)), caution} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// verdict is what one command came to. What it complains of is told, also where it did so before the changes.
func (r Result) verdict() string {
	var parts []string
	say := func(n int, when string) {
		what := problems(n)
		if r.Tested {
			what = fmt.Sprintf("%d failed", n)
		}
		parts = append(parts, what+when)
	}
	found := r.count(r.Findings)
	switch {
	case r.Skipped == notConcerned:
		return ""
	case r.Skipped != "":
		first, _, _ := strings.Cut(r.Skipped, "\n")
		return fmt.Sprintf("%s not run (%s)", r.Check, strings.TrimSuffix(first, ":"))
	case found > 0 && r.Compared:
		say(found, " (new)")
	case found > 0:
		say(found, "")
	}
	if r.Before > 0 {
		say(r.Before, " (as before the change)")
	}
	switch {
	case len(parts) > 0:
		return r.Check + ": " + strings.Join(parts, ", ")
	case r.Tests == 1:
		return "1 test ✓"
	case r.Tests > 1:
		return fmt.Sprintf("%d tests ✓", r.Tests)
	}
	return r.Check + " ✓"
}

// count is how many problems findings are. A test that failed at several places is one.
func (r Result) count(list []Finding) int {
	n := 0
	tests := map[string]bool{}
	for _, f := range list {
		if f.test == "" || !tests[f.test] {
			n++
		}
		tests[f.test] = true
	}
	return n
}

func problems(n int) string {
	if n == 1 {
		return "1 problem"
	}
	return fmt.Sprintf("%d problems", n)
}

// cautionOf is what a way cannot promise, in a few words; "" for nothing.
func cautionOf(w sandbox.Way) string {
	switch w {
	case sandbox.Copied:
		return "in a copy of the folder without a sandbox"
	case sandbox.Overlay:
	}
	return ""
}

// mostTold is how many findings a model is told that asks for the checks.
const mostTold = 20

// Asked runs checks that a model calls for, and says what they came to. The consent of in must ask nobody: what a model calls
// for is no reason to put a question to the user.
func Asked(ctx context.Context, checks []Check, in Input) (string, error) {
	switch {
	case in.Settings.Level == Off:
		return "The user has switched checks off.", nil
	case len(in.Changes) == 0:
		return "Nothing was changed yet, so there is nothing to check.", nil
	}
	var refused []string
	consent := in.Consent
	in.Consent = func(ctx context.Context, w Wanted) (bool, error) {
		yes, err := consent(ctx, w)
		if err == nil && !yes {
			refused = append(refused, w.Command.String())
		}
		return yes, err
	}
	results, err := Run(ctx, checks, in)
	if err != nil {
		return "", err
	}
	return told(results, refused), nil
}

// told is what checks came to, for the model that asked for them. refused are the commands that did not run since the user has not
// allowed them.
func told(results []Result, refused []string) string {
	var b strings.Builder
	n := 0
	for _, r := range results {
		for _, f := range r.Findings {
			if f.Told {
				continue
			}
			if n++; n <= mostTold {
				fmt.Fprintf(&b, "%s: %s\n%s\n", r.Check, f, strings.TrimRight(f.Excerpt, "\n"))
			}
		}
		switch {
		case r.Err != nil:
			fmt.Fprintf(&b, "%s could not be run: %v.\n", r.Check, r.Err)
		case r.Skipped != "" && r.Skipped != notAllowed && r.Skipped != notConcerned:
			fmt.Fprintf(&b, "%s did not run: %s.\n", r.Check, r.Skipped)
		}
	}
	if n > mostTold {
		fmt.Fprintf(&b, "%d of %d findings are shown.\n", mostTold, n)
	}
	for _, one := range refused {
		fmt.Fprintf(&b, "Not run, because the user has not allowed it: %s\n", one)
	}
	return b.String() + "Checked: " + strings.ReplaceAll(Verdict(results), notAllowed, "not allowed")
}
