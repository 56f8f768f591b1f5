package editstest

import "path"

// Language knows a few languages, as the real table does.
func Language(word string) string {
	if ext := path.Ext(word); ext != "" {
		word = ext[1:]
	}
	switch word {
	case "py", "python":
		return "python"
	case "go", "rs", "js", "ts", "json", "yaml", "vue", "html", "css", "sql", "lua", "rb", "diff":
		return word
	case "md", "markdown":
		return "markdown"
	case "sh", "bash", "zsh", "shell":
		return "bash"
	}
	return ""
}
