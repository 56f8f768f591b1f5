package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/settings"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
)

// section is the name of our settings in a client's configuration.
const section = "coauthor"

// config holds the client's layer of the settings. All layers are merged whenever they are asked
// for, which a turn does once: so a change of any of them takes effect from the next turn on.
type config struct {
	s       *server
	writers client.Writers // who can write what the client sends; set by initialize
	mu      sync.Mutex
	client  json.RawMessage // guarded by mu
	from    origin          // guarded by mu; of client
	times   int             // guarded by mu; see heard
	trust   map[string]bool // guarded by mu; the editor's word, by root; "" is for all others
	told    map[string]bool // guarded by mu; warnings that were logged
	asked   chan struct{}   // closed when the client was asked for its settings and has answered
	once    sync.Once       // closes asked
}

// origin is how the client told its settings.
type origin int

const (
	fromOptions origin = iota // with initialize
	fromPush                  // with workspace/didChangeConfiguration
	fromPull                  // as the answer to workspace/configuration
)

func newConfig(s *server) *config {
	return &config{s: s, told: map[string]bool{}, trust: map[string]bool{}, asked: make(chan struct{})}
}

// wait returns when the client's first settings are here. A client that takes too long to tell them
// is served with those that there are.
func (c *config) wait(ctx context.Context) {
	select {
	case <-c.asked:
	case <-ctx.Done():
	case <-time.After(c.s.opts.within(settingsWithin)):
	}
}

// settingsWithin leaves a command time for its own work within the second that it has.
const settingsWithin = 500 * time.Millisecond

// settings merges the layers for a root.
func (c *config) settings(root string) settings.Settings {
	v, _ := c.load(root)
	return v
}

// load is settings with what is wrong in them.
func (c *config) load(root string) (settings.Settings, []settings.Warning) {
	v, warnings := c.s.opts.Settings(root, c.layer(root))
	for _, w := range warnings {
		if c.unsaid(w.Source + "\x00" + w.Key + "\x00" + w.Text) {
			c.s.log.Warn("setting ignored", "source", w.Source, "key", w.Key, "line", w.Line, "problem", w.Text)
		}
	}
	return v, warnings
}

// unsaid says whether a problem was not logged yet; from now on it was.
func (c *config) unsaid(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.told[key]
	c.told[key] = true
	return !known
}

// sayAgain has problems logged once more that were.
func (c *config) sayAgain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.told)
}

// layer is what the client said that counts for a root.
func (c *config) layer(root string) settings.Editor {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := settings.Editor{Settings: c.client, Own: c.writers == client.UserWrites}
	for _, key := range []string{root, ""} {
		if word, known := c.trust[key]; known && l.Trusted == nil {
			l.Trusted = &word
		}
	}
	return l
}

// setTrust notes the editor's word on a root; "" is for all that it says nothing else of.
func (c *config) setTrust(root string, trusted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if root == "" {
		clear(c.trust)
	}
	c.trust[root] = trusted
}

// own returns the client's layer.
func (c *config) own() json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.client
}

// set replaces the client's layer. An empty object is a layer too: it takes back what was set before.
// Anything but an object is no settings, and set returns false.
func (c *config) set(raw json.RawMessage, from origin) bool {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object == nil {
		return false
	}
	if inner, ok := object[section]; ok { // {"coauthor": {…}}, the shape of a settings file
		if raw, object = inner, nil; json.Unmarshal(raw, &object) != nil || object == nil {
			return false
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.client, c.from = raw, from
	c.times++
	return true
}

// heard returns how often the client has told settings so far.
func (c *config) heard() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.times
}

// takeBack drops the client's layer when it came in one of the given ways and no other came since
// heard was asked.
func (c *config) takeBack(heard int, came ...origin) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.times == heard && slices.Contains(came, c.from) {
		c.client = json.RawMessage("{}")
	}
}

// start takes the client's first settings: those that stand in the options by themselves, else the
// options without the fields that are no settings.
func (c *config) start(options json.RawMessage, o initOptions) {
	if o.Trusted != nil {
		// A repository that can write the options can take trust away, and not give it.
		if *o.Trusted && c.writers == client.AnybodyWrites {
			c.s.log.Warn("setting ignored", "source", "initializationOptions", "key", "trusted",
				"problem", "a repository can change these editor options; add the folder to trust.roots in your user settings")
		} else {
			c.setTrust("", *o.Trusted)
		}
	}
	if len(o.Settings) > 0 {
		c.set(o.Settings, fromOptions)
		return
	}
	var object map[string]json.RawMessage
	_ = json.Unmarshal(options, &object) // of what is no object nothing is left, which set does not take
	delete(object, "hasInput")
	delete(object, "trusted")
	delete(object, "token") // of --listen
	if _, err := client.QuirksOf(o.Client); err != nil && o.Client != "" && o.Client != "auto" {
		delete(object, "client") // the name of a plug-in, and no profile
	}
	if raw, err := json.Marshal(object); err == nil {
		c.set(raw, fromOptions)
	}
}

// didSetTrust is our own notification: the editor's word on a folder, or on all of them. No settings
// send it, so it is the user's.
func (c *config) didSetTrust(_ context.Context, p *setTrustParams) error {
	dir := ""
	if p.URI != "" {
		abs, ok := document.PathOfURI(p.URI)
		if !ok {
			return fmt.Errorf("trust for %s, which is not a folder", p.URI)
		}
		dir = filepath.Clean(abs)
	}
	c.setTrust(dir, p.Trusted)
	return nil
}

// didChangeConfiguration takes what clients send: our section within their settings, our settings
// themselves, or nothing, which means that they want to be asked. Settings that are empty as a whole
// mean the same, and that what was sent before is taken back; but Eglot sends them at every start, so
// they say nothing of what came with initialize.
func (c *config) didChangeConfiguration(_ context.Context, p *settingsParams) error {
	var object map[string]json.RawMessage
	if json.Unmarshal(p.Settings, &object) == nil && len(object) > 0 {
		c.set(p.Settings, fromPush)
		return nil
	}
	empty, heard := object != nil, c.heard()
	c.s.tasks.Background(func(ctx context.Context) {
		told, err := c.pullConfiguration(ctx)
		if empty && !told && err == nil {
			c.takeBack(heard, fromPush, fromPull)
		}
	})
	return nil
}

// pullConfiguration asks the client for our section and says whether it has settings there. An error
// is a client that could not say.
func (c *config) pullConfiguration(ctx context.Context) (told bool, err error) {
	if !c.s.client.Caps.Configuration {
		return false, nil
	}
	heard := c.heard()
	raw, err := c.s.client.Configuration(ctx, section)
	if err != nil {
		c.s.log.Info("configuration not read", "err", err)
		return false, err
	}
	var object map[string]json.RawMessage
	_ = json.Unmarshal(raw, &object) // what is no object is no settings
	switch {
	case len(object) > 0:
		return c.set(raw, fromPull), nil
	case object != nil:
		// Of a section that it does not know, lsp-mode says that it is empty, whatever initialize carried.
		c.takeBack(heard, fromPush, fromPull)
	default:
		c.takeBack(heard, fromPull)
	}
	return false, nil
}

// watchConfiguration asks to be told of changes, where the client offers it.
func (c *config) watchConfiguration(ctx context.Context) {
	if !c.s.client.Caps.WatchConfiguration {
		return
	}
	name := section
	err := c.s.client.Register(ctx, "coauthor-configuration", protocol.MethodWorkspaceDidChangeConfiguration,
		&protocol.DidChangeConfigurationRegistrationOptions{Section: protocol.String(name)})
	if err != nil {
		c.s.log.Info("not watching the configuration for changes", "err", err)
	}
}

// of returns what is in force for a root at this moment.
func (c *config) of(r *folder.Folder) settings.Settings { return c.settings(r.Dir) }
