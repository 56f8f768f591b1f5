package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
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

// cached asks the model, or takes the answer that it gave to the same request before, where the user wants that.
func (f *flow) cached(ctx context.Context, a agent.ModelRequest) (agent.ModelReply, error) {
	if !f.w.Settings.Pipeline.UseCache || f.w.StateDir == "" {
		return f.w.Call(ctx, a)
	}
	store := cache(filepath.Join(f.w.StateDir, "pipeline", "answers"))
	name, err := key(f.w.Model, a)
	known := false
	if err == nil {
		a.Given, known, err = store.get(name)
	}
	if known {
		f.w.Note(event.LevelInfo, "Reused a stored answer to the same request instead of calling the model.")
	}
	called, callErr := f.w.Call(ctx, a)
	if callErr == nil && !known && !called.Cut && err == nil {
		err = store.put(name, called.Text)
	}
	if err != nil {
		f.w.Note(event.LevelWarning, fmt.Sprintf("Cannot use the stored answers: %v.", err))
	}
	return called, callErr
}
