package coder

import "coauthor/agent/llm"

// helper answers questions about the program itself. What it has to know stands in the passages that it is
// given.
func helper() Coder {
	return Coder{Name: "help", Title: "Ask about Coauthor", Menu: "ask about Coauthor…", Manual: true, Role: llm.RoleWeak, Template: "help.md.tmpl", Next: Finish,
		Doc: "Answers questions about Coauthor from its documentation.", Said: "The question."}
}
