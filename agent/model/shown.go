package model

import "strconv"

// Legend says what the figures in a list of models are.
const Legend = "The window is in tokens. Prices are in US dollars per million prompt / answer tokens."

// Short is a number of tokens the short way: 128k for 128000 and for 131072, and 1M from a million on; "" for none.
func Short(tokens int) string {
	switch {
	case tokens <= 0:
		return ""
	case tokens >= 1_000_000:
		return strconv.FormatFloat(float64(tokens/10_000)/100, 'f', -1, 64) + "M"
	case tokens >= 1000:
		return strconv.Itoa(tokens/1000) + "k"
	}
	return strconv.Itoa(tokens)
}

// Text is the price of a million tokens of prompts and of answers; "" where it is not known.
func (p Price) Text() string {
	if p.In == 0 && p.Out == 0 {
		return ""
	}
	return "$" + strconv.FormatFloat(p.In, 'f', -1, 64) + " / $" + strconv.FormatFloat(p.Out, 'f', -1, 64)
}
