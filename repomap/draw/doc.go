// Package draw chooses which lines of which files a map shows within a budget, and writes them. It is told how likely each file and
// each definition is wanted, and asks for nothing else: it knows no index, no request and no signal. Start at Fitter.
package draw
