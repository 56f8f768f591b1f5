package repomap

// scratch is memory that a map needs and leaves behind: much, in a large tree, and for the next map the
// same. What lies in it is rubbish.
type scratch struct {
	marks             []mark
	forward, backward []float32
	parts             [parts]struct{ forward, backward []float32 }
}

// borrow gives memory to one map, which gives it back.
func (k *keeper) borrow() *scratch {
	if s, ok := k.scratch.Get().(*scratch); ok {
		return s
	}
	return &scratch{}
}

func (k *keeper) giveBack(s *scratch) { k.scratch.Put(s) }
