// Package chat writes the conversation of a workspace folder into its prompt documents.
//
// Package review has the form of such a document; this package has it written. Where the client has the document open
// it is changed by edits that leave alone what the user is writing, else on disk. So nothing is ever written behind the
// back of an editor that has it open, which would then refuse to save it.
//
// A Chat is the conversation of one folder. It opens documents for what the user writes next, asks questions there, and
// says what became of changes. A Turn is what one turn says in it. The package starts no turn and knows no server.
// Start at Chat.
package chat
