package coder

import (
	"coauthor/agent/event"
	"coauthor/agent/llm"
)

// Next says how a turn goes on after a round. It is a function of what it is given and nothing else.
type Next func(Turn) Step

// Turn is what a coder knows of a turn when it decides.
type Turn struct {
	Request string // what the user said
	Limits  Limits
	Used    Used
	Confirm bool          // the user wants to be asked between a plan and its edits
	Rounds  []Round       // oldest first; the last one has just ended
	Answer  *event.Answer // to the question of the Ask that Next returned just before; nil when it asked nothing
}

// Last returns the round that has just ended.
func (t Turn) Last() Round { return t.Rounds[len(t.Rounds)-1] }

// Round is one model call that has ended, and what became of it.
type Round struct {
	Coder     string
	Text      string   // the reply as it came
	Prose     string   // the reply without its edits
	Cut       bool     // the reply ended before its time
	Edits     int      // how many edits it held, whatever became of them
	Reflected bool     // the model was asked again about its last reply
	Before    string   // stands for all changes before the round, what the checks found in them, and the chat
	After     string   // the same after it
	Changed   []string // files that it changed in memory
	Chat      []string // files that the model may change, as they are after this round
	Mentioned []string // files that the reply names and the model was not shown, for a coder that leads
	Named     []string // all existing files that the reply names, sorted, for a coder that finds files
	Seen      []string // files of which tools showed the model something in this talk, sorted
	News      string   // what the engine has to say to it: refused edits, added files, findings; "" for nothing
	Why       string   // the same in a few words for the user
	Checks    string   // what the checks came to, in one line; "" where nothing was checked
	Left      []string // what they complain of that was there before the turn's changes
	Said      Verdict  // what the reply says about the task
	Stopped   string   // which limit of the turn ended the round before its time; "" for none
	Unread    string   // why what it says cannot be read, for the model; "" when it can
	Says      Saying   // how it was to say it
	Landed    string   // where edits landed that were not as the file is, for the model
}

// Saying is how a model says that nothing of its task is left.
type Saying string

// The ways.
const (
	SaysByLine   Saying = ""       // a last line of its reply
	SaysByFinish Saying = "finish" // a call of the tool for that
	SaysByCall   Saying = "call"   // the call that its reply is, without an edit
)

// sentence tells the model how.
func (s Saying) sentence() string {
	switch s {
	case SaysByFinish:
		return "call finish with done true and make no edits"
	case SaysByCall:
		return "say so in `explanation` and leave the list empty"
	case SaysByLine:
	}
	return "answer with the line DONE and no edits"
}

// Verdict is what a model says about its task at the end of a reply.
type Verdict struct {
	Said    bool   // it says anything about it
	Done    bool   // nothing is left
	Next    string // what it does next; "" when it does not say
	Summary string // for the user; "" when there is none
}

// Step is how a turn goes on: Done, Again, HandOver or Ask.
type Step interface{ step() }

// Done ends the turn: in one proposal of everything that its rounds changed, or in an answer. Files and Drop
// are as those of HandOver.
type Done struct {
	Files, Drop []string
	Why         string // for the user: a whole sentence, when the task may not be done
}

// Again asks the same model once more, with News behind what was said. That counts as a reflection, of
// which a turn has as many as the setting turn.maxReflections says.
type Again struct {
	News string // for the model
	Why  string // for the user, in a few words
}

// HandOver goes on as another coder, model or role, or as the same one with something else to do. Files
// and model are gathered again; what was changed so far stays.
type HandOver struct {
	To     string        // name of the coder; "" is the same
	Role   llm.ModelRole // "" is that of the coder's row
	Model  string        // "" is what the role stands for
	Format string        // edit format; "" is what coder, request, settings and model say
	// Message is what the model is told. "" repeats the user's request, with its diagnostics.
	Message string
	// About is what the next round is about, in the words of the user or a model: the repository map is drawn for it
	// beside the user's request. "" is a Message that begins a new talk.
	About string
	// Continues puts Message behind what was said in this turn so far. Otherwise it begins a new talk, and
	// the model sees nothing of the rounds before.
	Continues bool
	// Files are to be added to the chat, as far as they fit and may be sent; the user is asked about
	// protected ones. Drop are to be taken out again.
	Files, Drop []string
	Why         string // for the user: what happens now, in a few words
}

// Ask puts a question to the user. Next is then called again for the same round, with the answer.
type Ask struct{ Question event.Question }

func (Done) step()     {}
func (Again) step()    {}
func (HandOver) step() {}
func (Ask) step()      {}

// Reflect is the Next of every coder that edits or only answers: the model is asked again while there are news
// for it.
func Reflect(t Turn) Step {
	if r := t.Last(); r.News != "" {
		return Again{News: r.News, Why: r.Why}
	}
	return Done{}
}

// Finish is the Next of a coder whose first reply is the answer.
func Finish(Turn) Step { return Done{} }
