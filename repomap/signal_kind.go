package repomap

import "math"

// sizeSignal is the logarithm of the number of definitions: large files match everything.
func sizeSignal(q *scoring) []float64 {
	out := make([]float64, len(q.files()))
	for i, f := range q.files() {
		out[i] = math.Log(float64(1 + len(f.defs)))
	}
	return out
}

// kindSignal holds back what is seldom the thing to change: documents, and code of others.
func kindSignal(q *scoring) []float64 {
	out := make([]float64, len(q.files()))
	for i, f := range q.files() {
		switch f.class {
		case code, test:
		case prose:
			out[i] = -3
		case vendored:
			out[i] = -3
		}
	}
	return out
}
