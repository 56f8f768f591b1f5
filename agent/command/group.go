package command

// Group is the heading below which lists that people read have a command.
type Group string

// The groups.
const (
	GroupChange   Group = "Change code"
	GroupAsk      Group = "Ask"
	GroupReview   Group = "Review and apply"
	GroupGit      Group = "Git"
	GroupRun      Group = "Run and test"
	GroupContext  Group = "Files and context"
	GroupTalk     Group = "Conversation"
	GroupModel    Group = "Model and settings"
	GroupProjects Group = "Whole projects"
)

// Groups returns them in the order in which lists have them. The result is the caller's own.
func Groups() []Group {
	return []Group{GroupChange, GroupAsk, GroupReview, GroupGit, GroupRun, GroupContext, GroupTalk, GroupModel, GroupProjects}
}
