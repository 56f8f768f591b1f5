// Package present shows the user what happens in a workspace folder: proposals for review, documents to read, questions,
// and turns while they run.
//
// A Presenter is that of one folder: it gives packages review and turnview what they need of the client, the folder and its
// conversation. Documents are those that the server writes, of all folders. The package decides nothing and starts no turn,
// and knows no server. Start at Presenter.
package present
