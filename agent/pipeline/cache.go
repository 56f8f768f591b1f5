package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"coauthor/agent"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/strategy"
)

// keptAnswers is how many answers the store holds.
const keptAnswers = 500

// cache is the folder in which answers are kept, each under the sum of its whole request; "" keeps none.
type cache string

// key names a request: the model with all that decides how it is asked, the form of the answer, and every message.
func key(m strategy.Model, a agent.ModelRequest) (string, error) {
	p := m.Profile
	p.Headers, p.Price = nil, model.Price{} // neither changes the answer
	data, err := json.Marshal(struct {
		Profile     model.Profile
		Temperature *float64
		Format      string
		Messages    []llm.Message
	}{p, m.Temperature, a.Format, a.Messages})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// get returns the answer to a request.
func (c cache) get(key string) (text string, ok bool, err error) {
	data, err := os.ReadFile(filepath.Join(string(c), key))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, err
	}
	return string(data), len(data) > 0, nil
}

// put keeps an answer, in the place of the oldest where there are many.
func (c cache) put(key, text string) error {
	if err := os.MkdirAll(string(c), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(string(c), "new-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(string(c), key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	return c.prune()
}

func (c cache) prune() error {
	entries, err := os.ReadDir(string(c))
	if err != nil || len(entries) <= keptAnswers {
		return err
	}
	type kept struct {
		name string
		at   time.Time
	}
	var list []kept
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			list = append(list, kept{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b kept) int { return a.at.Compare(b.at) })
	for _, old := range list[:max(0, len(list)-keptAnswers)] {
		err = errors.Join(err, os.Remove(filepath.Join(string(c), old.name)))
	}
	return err
}
