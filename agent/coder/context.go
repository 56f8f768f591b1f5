package coder

import "slices"

// finder finds the files of a task: the model names them, they come into the chat, and it looks again until
// it names the same.
func finder() Coder {
	return Coder{Name: "context", Title: "Find the files to change", Menu: "find the files to change…", Finds: true, Tools: true, Template: "context.md.tmpl", Next: lookAgain,
		Doc: "Finds the files that a task needs to change and adds them to the chat.", Said: "The task."}
}

// mostLooks is how often a model is asked for the files of one task.
const mostLooks = 4

const lookedAt = "The chat now holds the files that you named, as far as you may see them; their full text is above. Look at them and give the whole list once more: the same if it is right, a shorter one if a file need not change, a longer one if one is missing."

// lookAgain has the model look at the files that it named, until the list stays, or names none that tools have not shown it. What
// the user put into the chat stays there.
func lookAgain(t Turn) Step {
	r := t.Last()
	if r.Cut || len(r.Named) == 0 {
		return Done{}
	}
	own := t.Rounds[0].Chat
	var more, less []string
	for _, path := range r.Named {
		if !slices.Contains(r.Chat, path) {
			more = append(more, path)
		}
	}
	for _, path := range r.Chat {
		if !slices.Contains(own, path) && !slices.Contains(r.Named, path) {
			less = append(less, path)
		}
	}
	n := len(t.Rounds)
	unseen := slices.ContainsFunc(more, func(path string) bool { return !slices.Contains(r.Seen, path) })
	if n >= mostLooks || !unseen || n > 1 && slices.Equal(t.Rounds[n-2].Named, r.Named) {
		return Done{Files: more, Drop: less}
	}
	return HandOver{Message: lookedAt, About: r.Text, Continues: true, Files: more, Drop: less, Why: "Looking at the files"}
}
