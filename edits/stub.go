package edits

func Diff(before, after string) []Hunk                                     { return nil }
func ApplyHunks(before string, hunks []Hunk) (string, error)               { return before, nil }
func Unified(c Change, context int) string                                 { return "" }
func Merge(base, ours, theirs string) (string, []Conflict)                 { return "", nil }
func Inverse(c Change) Change                                              { return c }
func Apply(files Files, list []Edit, problems []Problem, o Options) Result { return Result{} }
