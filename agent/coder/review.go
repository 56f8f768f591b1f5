package coder

// reviewer reads changes and says what is wrong with them. It is given them by the command that begins its turn.
func reviewer() Coder {
	return Coder{Name: Review, Title: "Review changes", Inner: true, Tools: true, Template: "review.md.tmpl", Next: Finish,
		Doc: "Reviews changes and reports problems.", Said: "What to look for."}
}

// Review is the coder of turns that review changes.
const Review = "review"
