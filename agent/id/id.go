// Package id makes the names of turns, questions, proposals and deliveries: random, and so unique over
// servers and restarts. It is a leaf. Start at New.
package id

import (
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"io"
	"strings"
	"sync"
)

// New returns prefix and behind it 80 random bits as 16 small letters and digits, which can be typed
// and double-clicked. A nil random is crypto/rand.
func New(random io.Reader, prefix string) (string, error) {
	if random == nil {
		random = rand.Reader
	}
	raw := make([]byte, 10)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return prefix + strings.ToLower(base32.StdEncoding.EncodeToString(raw)), nil
}

// Shared returns random for the use of several goroutines at a time. A nil random stays nil.
func Shared(random io.Reader) io.Reader {
	if random == nil {
		return nil
	}
	return &shared{random: random}
}

type shared struct {
	mu     sync.Mutex
	random io.Reader // guarded by mu
}

func (s *shared) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.Read(p)
}
