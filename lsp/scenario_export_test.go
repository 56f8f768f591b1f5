package lsp

// Hurry returns options with which the client is given so much of the usual time.
func (o Options) Hurry(factor float64) Options {
	o.patience = factor
	return o
}
