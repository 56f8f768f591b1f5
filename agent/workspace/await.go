package workspace

import "context"

// A file system may not answer: a network mount whose server is gone keeps who asks it waiting, and nothing
// interrupts that. So whoever judges or reads a file does it beside its caller, who leaves when the context
// ends.

// await runs f and returns what it gives, or the error of ctx when that ends first. Then f goes on by itself
// until the disk answers, and its result is dropped: it must not write to what its caller has.
func await[T any](ctx context.Context, f func() T) (T, error) {
	if ctx.Done() == nil {
		return f(), nil
	}
	type outcome struct {
		result   T
		panicked any
	}
	done := make(chan outcome, 1) // room for the one result, so that nobody has to take it
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			done <- o
		}()
		o.result = f()
	}()
	select {
	case o := <-done:
		if o.panicked != nil {
			panic(o.panicked) // in the caller, who has somebody above
		}
		return o.result, nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
