package pipeline

import "coauthor/agent/command"

// Differences returns what differs on purpose from gpt-engineer, with the reason, for users.
func Differences() []command.Meaning {
	return []command.Meaning{
		{Name: "No time limit for reading a diff", Doc: "Coauthor limits the work instead of the time: the size of an answer, and the places where it looks for a hunk. The result does not depend on the speed of the machine."},
		{Name: "No benchmark runner", Doc: "A benchmark compares models or programs; it is not part of working on a project. `--json` lets a benchmark of your own run Coauthor."},
		{Name: "No telemetry", Doc: "Coauthor sends your requests and files only to the model's server. It does not ask for consent to collect data, because it collects none."},
		{Name: "Exit status 2", Doc: "Flags that cannot be combined end the command with status 2, before anything is sent. Status 1 means that the change was not applied, or not completely."},
		{Name: "Consent before running", Doc: "A generated script runs only after you have seen it, and in a copy of the folder."},
		{Name: "One change at the end", Doc: "Files are written after you review them, not while the model answers."},
		{Name: "Logs outside the project", Doc: "The project folder contains only the project. The logs are in a folder of their own; see [Logs](#logs)."},
	}
}
