package coder

import "strings"

// PlanSign is the last line of a plan. A reply without it is an answer, a question or what was left of a plan, and nothing is
// written of it.
const PlanSign = "PLAN COMPLETE"

// QuestionSign is the last line of a reply that can only be completed with an answer by the user.
const QuestionSign = "ANSWER NEEDED"

// Asks says whether a reply ends with QuestionSign. A question without it is read as any other answer.
func Asks(reply string) bool { return lastLine(reply) == QuestionSign }

// WithoutSign is a reply without its last line, which is a sign.
func WithoutSign(reply string) string {
	reply = strings.TrimSpace(reply)
	return strings.TrimSpace(reply[:strings.LastIndexByte(reply, '\n')+1])
}

// lastLine is the last line of a text that says something, without the decoration that models put
// around a marker.
func lastLine(text string) string {
	text = strings.TrimRight(text, " \t\r\n`")
	return strings.Trim(text[strings.LastIndexByte(text, '\n')+1:], " \t\r*_`.#>")
}
