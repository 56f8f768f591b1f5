package event

import "slices"

// The state machine of a turn and that of a proposal, as tables: what is no row does not happen. The tests of both draw
// from them: each row is gone through, nothing else is, and the store of proposals refuses what a user may not do in a state.

// Step is what takes a turn from one state to another.
type Step string

// The steps of a turn.
const (
	StepBegin   Step = "begin"   // it is its turn
	StepCollect Step = "collect" // it goes on as another coder or model, for which files are gathered again
	StepRequest Step = "request" // the model is asked
	StepHear    Step = "hear"    // the first words of a reply have come
	StepCheck   Step = "check"   // the edits are carried out in memory, and checked
	StepReflect Step = "reflect" // the model is to correct what was wrong
	StepAnswer  Step = "answer"  // it ends in an answer
	StepPropose Step = "propose" // it ends in a proposal
	StepFail    Step = "fail"
	StepCancel  Step = "cancel"
)

// TurnTransition is a row of the state machine of a turn.
type TurnTransition struct {
	From State
	On   Step
	To   State
}

// TurnTransitions returns the state machine of a turn. Within a state it may be told again, with other words.
func TurnTransitions() []TurnTransition {
	rows := []TurnTransition{
		{TurnQueued, StepBegin, TurnCollecting},

		{TurnCollecting, StepRequest, TurnRequesting},
		{TurnCollecting, StepCheck, TurnVerifying}, // of a pipeline that asks no model
		{TurnCollecting, StepAnswer, TurnAnswered}, // the same
		{TurnCollecting, StepPropose, TurnProposed},

		{TurnRequesting, StepHear, TurnStreaming},
		{TurnRequesting, StepCheck, TurnVerifying},  // the reply ended before its first word
		{TurnRequesting, StepPropose, TurnProposed}, // it cannot be asked again, and what came before counts

		{TurnStreaming, StepRequest, TurnRequesting}, // it has looked at files
		{TurnStreaming, StepCheck, TurnVerifying},
		{TurnStreaming, StepCollect, TurnCollecting},
		{TurnStreaming, StepAnswer, TurnAnswered},
		{TurnStreaming, StepPropose, TurnProposed}, // the stream broke, and what came before counts

		{TurnVerifying, StepRequest, TurnRequesting}, // the next call of a pipeline
		{TurnVerifying, StepReflect, TurnReflecting},
		{TurnVerifying, StepCollect, TurnCollecting},
		{TurnVerifying, StepAnswer, TurnAnswered},
		{TurnVerifying, StepPropose, TurnProposed},

		{TurnReflecting, StepRequest, TurnRequesting},
		{TurnReflecting, StepPropose, TurnProposed}, // the correction cannot be asked for, and what there is counts
	}
	for _, from := range States() {
		if from.Final() {
			continue
		}
		rows = append(rows, TurnTransition{from, StepCancel, TurnCancelled})
		if from != TurnQueued {
			rows = append(rows, TurnTransition{from, StepFail, TurnFailed})
		}
	}
	return rows
}

// MayFollow says whether a turn may come from one state to another.
func (s State) MayFollow(before State) bool {
	return s == before && !s.Final() || slices.ContainsFunc(TurnTransitions(), func(t TurnTransition) bool { return t.From == before && t.To == s })
}

// UserAction is what takes a proposal from one state to another: what the user does with it, and how the editor's answer and
// its documents then show it.
type UserAction string

// The actions. The user's own are apply, discard, amend, undo and redo.
const (
	ActionApply   UserAction = "apply"   // all of it, or a part
	ActionDiscard UserAction = "discard" // the same
	ActionAmend   UserAction = "amend"   // a follow-up makes the next revision of it, which is pending
	ActionUndo    UserAction = "undo"    // of its turn, or of hunks
	ActionRedo    UserAction = "redo"
	ActionAnswer  UserAction = "answer" // the editor has answered what was sent to it
	ActionView    UserAction = "see"    // the documents show what has arrived, or was taken back
)

// ProposalTransition is a row of the state machine of a proposal.
type ProposalTransition struct {
	From ProposalState
	On   UserAction
	To   ProposalState
}
