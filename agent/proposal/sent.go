package proposal

// Sent tells what was delivered of the proposals of a root and what became of that. It is safe for concurrent use.
type Sent struct{ book *ledger }
