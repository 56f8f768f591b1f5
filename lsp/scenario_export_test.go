package lsp

// Hurry returns options with which the client is given so much of the usual time.
func (o Options) Hurry(factor float64) Options {
	o.patience = factor
	return o
}

// Unhurried returns options with which a command has long enough for its work on any machine.
func (o Options) Unhurried() Options {
	o.slack = 20
	return o
}
