package match

// Rung names the step of the ladder at which a pattern found its place, or how else an edit came into its file.
type Rung string

// The rungs, from the strictest down.
const (
	RungExact      Rung = "exact"          // every line as it is, but for line ends
	RungTrailing   Rung = "trailing-space" // but for blanks at line ends
	RungIndent     Rung = "indentation"    // all lines further in or out by the same
	RungBlankLines Rung = "blank-lines"    // but for blank lines too many or too few
	RungElision    Rung = "elision"        // "..." stands for lines that stay
	RungJoined     Rung = "joined"         // lines of the file were left out between the parts of a hunk
	RungReordered  Rung = "reordered"      // lines that stay, or that go, in another order
	RungUnicode    Rung = "unicode"        // but for look-alikes such as curly quotes
	RungSimilar    Rung = "similar"        // lines that differ, held by lines that do not
)
