// Package agent runs turns: it takes what a user asked, asks a model, and ends in an answer or in a
// proposal.
//
// It knows neither editors nor the wire formats of models: package lsp and the command line start
// turns and are told of them by events, package llm talks to the model, and package proposal keeps
// what a turn proposes. Nothing here writes a file of the user. Start at Engine, Session and Context.
//
// The way of one request:
//
//  1. A code action or a command reaches package lsp (lsp/doc.go tells its part), which knows the document,
//     the selection and the snapshot of the moment, and calls Session.Start (session.go). The call returns at
//     once; the turn waits when it follows up a running one, and is refused while another one edits.
//  2. starting (starting.go) takes over the files and the pending proposal of a turn that is followed
//     up; choose (strategy.go) decides coder, model by role, and edit format.
//  3. gather (gather.go) passes every file through the door of package workspace, asks where one is
//     protected, adds open documents while they fit, and has the map drawn (map.go) for what the talk is
//     about (topic.go): a Context.
//  4. assemble (assemble.go) makes the eight chunks of package prompt and fits them: a Prompt.
//  5. call (call.go) streams the answer through package llm, tells it as it comes, and has the edit
//     format's parser read the edits in it: a Reply. Calls by which the model looks around are carried out
//     (look.go) until it answers; one by which it says how far the task is ends the round (finish.go).
//  6. settle (settle.go) asks the door about each edit (permits.go), has package edits apply them in
//     memory, offers the files that the model asks for (offer.go), runs the checks of package verify, and
//     puts what the model must hear into words (news.go): an Outcome, with the Context of the next round.
//  7. The four values are a Round. The coder's Next (package coder, next.go) says what follows: once more
//     with the news, on as another coder or model, a question to the user, or the end.
//  8. conclude (conclude.go) adds the exchange to package history, and to the transcript on disk (record.go), and
//     makes one proposal of all changes; a turn that goes on by itself can make one after each round
//     (proposeround.go). What such a turn may use ends it also within a round (limits.go).
//     KindEnded ends the turn.
//  9. Package lsp shows the proposal (lsp/review). What the user accepts package proposal rebases on what is
//     there now, writes into its journal, and hands to a Delivery as a plan: lsp/deliver sends it as workspace
//     edits and believes it when the text is seen to have changed, the command line writes it to disk. Undo
//     and redo are plans too, made of the journal for all files of the turn. Each state of the proposal and
//     each landing is an event of the turn (tell.go), told once, after its end.
//
// A root has one Session (session.go): its history, what the user chose for it (choice.go), its turns and
// proposals. It ends with its folder (leave.go); what waits for a decision then is in the journal, and pends
// again when the folder is opened the next time.
//
// What was said and done can be taken back to before any turn (rewind.go).
//
// A turn (turn.go) is what these values add up to: rounds, where they have come to, usage, limits. What
// shows a map or a prompt without sending anything (show.go) calls the same gather and assemble.
package agent
