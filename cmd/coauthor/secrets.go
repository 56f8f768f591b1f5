package main

import "sync"

// secrets are keys that the editor has for the user, by the names of their variables. They stand above the environment,
// and nowhere but here: no program that is run gets them, and nothing writes them down. The zero value is ready.
type secrets struct {
	mu     sync.Mutex
	values map[string]string // guarded by mu
}

// set keeps a key; "" forgets it.
func (s *secrets) set(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value == "" {
		delete(s.values, name)
		return
	}
	if s.values == nil {
		s.values = map[string]string{}
	}
	s.values[name] = value
}

// get returns a key; "" for none.
func (s *secrets) get(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[name]
}
