package prompt

// MostTries is how often a model is asked about one file in one request. What is wrong with it then the user is told.
const MostTries = 2

// Tries counts how often the model was asked about what: about a file, or about what may be right as it is. It is not
// changed: With makes another one.
type Tries map[string]int

func keyOf(q Question) string {
	if q.Once {
		return q.Path + "\x00" + q.Kind
	}
	return q.Path
}

// Left says whether a question may still be asked.
func (t Tries) Left(q Question) bool {
	if q.Goal {
		return true
	}
	if q.Once {
		return t[keyOf(q)] == 0
	}
	return t[keyOf(q)] < MostTries
}

// With counts questions that are asked together: those about one file as one try.
func (t Tries) With(list []Question) Tries {
	more := Tries{}
	for key, n := range t {
		more[key] = n
	}
	for _, q := range list {
		if q.Goal {
			continue
		}
		more[keyOf(q)] = t[keyOf(q)] + 1
	}
	return more
}
