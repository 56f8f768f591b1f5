// Package remote asks models over the network.
//
// It finds the endpoint and the key of a model, sends a request through the wire of its interface, and reads the answer
// against the clock. What a server refuses is classified, adapted to and said here, once for all wires. The main types are
// Client and Options.
package remote

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/wire"
	"coauthor/agent/model"
)

// Options configures New. Zero values are replaced by sensible ones.
type Options struct {
	HTTP       *http.Client // its CheckRedirect is replaced by ours
	Env        func(name string) string
	Starter    Starter
	Clock      func() time.Time
	Sleep      func(ctx context.Context, d time.Duration) error
	Rand       io.Reader // jitter of the retries
	Log        *slog.Logger
	LogPrompts bool          // Log gets prompts and answers, with what looks like a key cut out
	Connect    time.Duration // default 15 s; unused with HTTP
	FirstToken time.Duration // from the call to the first piece of the reply; default half of Total, at least 5 min
	Idle       time.Duration // between two pieces; default a fifth of Total, at least 2 min
	// KeyCommand runs the command of a profile's APIKeyCommand and returns what it prints; nil runs none.
	KeyCommand func(ctx context.Context, command string) (string, error)
	// Proxy is asked for the proxy of each request, as the function Proxy makes it; nil goes without. Unused with HTTP.
	Proxy func(*http.Request) (*url.URL, error)
	// Roots are the certificates to trust; nil are the system's. Unused with HTTP.
	Roots   *x509.CertPool
	Total   time.Duration // the whole call with its retries; default 10 min
	Retries int           // default 3; negative for none

	linger time.Duration // for the usage, once the model said why it stopped; default 10 s
}

// Starter is what the program was started by, and so how it gets a key: advice is in its words.
type Starter string

// What starts the program.
const (
	ByEditor Starter = ""
	ByShell  Starter = "shell"
)

// set says how to give a variable a value.
func (s Starter) set(name, value string) string {
	if s == ByShell {
		return "Set " + name + value + " in the environment of this command"
	}
	return "Set " + name + value + " in the environment that starts your editor, and restart the editor"
}

// setUp names the commands that make a setup and check it: where none is there, everything that asks a model says so.
const setUp = " Run `coauthor init` to set up a model; `coauthor doctor` checks your setup."

// setUp is that sentence for those who are at a shell.
func (s Starter) setUp() string {
	if s == ByShell {
		return setUp
	}
	return ""
}

// Client is an llm.Client for every endpoint, through the interface of its model. It is safe for
// concurrent use.
type Client struct {
	o Options

	mu      sync.Mutex
	learned map[string]lesson // guarded by mu: by base URL and model
	keys    map[string]string // guarded by mu: what each key command printed
	gone    map[string]gone   // guarded by mu: models that could not be had
	ended   map[string]bool   // guarded by mu: models that did not go on with a given beginning
}

// lesson is what an endpoint taught us about itself.
type lesson struct {
	without wire.Adaptations
	base    *url.URL // where it really answers; nil: where the setting says
	told    bool     // the user knows which of their settings do not suit the model
	window  int      // the user knows that Ollama's window of this size is too small
}

// New returns a client.
func New(o Options) *Client {
	if o.Connect <= 0 {
		o.Connect = 15 * time.Second
	}
	if o.HTTP == nil {
		o.HTTP = defaultHTTP(o)
	}
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Total <= 0 {
		o.Total = 10 * time.Minute
	}
	if o.FirstToken <= 0 {
		o.FirstToken = max(5*time.Minute, o.Total/2)
	}
	if o.Idle <= 0 {
		o.Idle = max(2*time.Minute, o.Total/5)
	}
	if o.linger <= 0 {
		// Some servers keep the connection open behind the finish_reason and send nothing more, not even [DONE]. That is
		// the end that they announced, where silence before it, or behind text that came after it, is a cut: nothing is
		// staked on it, since an edit that its format has not closed is refused however the reply ended.
		o.linger = 10 * time.Second
	}
	switch {
	case o.Retries == 0:
		o.Retries = 3
	case o.Retries < 0:
		o.Retries = 0
	}
	return &Client{o: o, learned: map[string]lesson{}, keys: map[string]string{}, gone: map[string]gone{}, ended: map[string]bool{}}
}

// Waits between attempts: the first, the longest of our own, and the longest that a server may ask for where another
// model could answer instead.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 20 * time.Second
	longestAway = time.Minute
)

// patience is the longest that a server may ask the client to wait: half of the time that the call has, so that the
// answer has the other half. A server that asks for more is believed, and the call fails at once with that advice.
func (c *call) patience() time.Duration {
	if c.request.Fallback != nil {
		return min(longestAway, c.client.o.Total/2)
	}
	return c.client.o.Total / 2
}

// one asks one model. It tries again only while nothing of a reply has been passed on.
func (c *Client) one(ctx context.Context, r llm.Request, on func(llm.Delta)) (llm.Reply, *llm.Error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.o.Total, tookTooLong(c.o.Total))
	defer cancel()
	r.Messages = llm.Prefixed(r.Model, r.Messages)
	call, err := c.newCall(ctx, r)
	if err != nil {
		return llm.Reply{}, err
	}
	call.unsent()
	c.logPrompt(call.ep.host, r, call.secrets)
	reply, err := call.converse(ctx, on)
	c.logAnswer(call.ep.host, r, reply, err, call.secrets)
	return reply, err
}

// converse sends the call until there is an answer, or no use in sending it again.
func (c *call) converse(ctx context.Context, on func(llm.Delta)) (llm.Reply, *llm.Error) {
	var spent event.Usage
	for attempt := 0; ; {
		reply, err := c.attempt(ctx, on)
		c.settle(err)
		if err == nil && c.ignoresForce(reply) {
			spent = spent.Add(reply.Usage)
			continue
		}
		reply.Usage = spent.Add(reply.Usage)
		if err == nil {
			c.dropped(ctx, reply)
			reply.Notes = append(reply.Notes, c.remarks...)
			return reply, nil
		}
		if reply.Text != "" || reply.Reasoning != "" {
			err.Partial = reply
			return reply, err
		}
		if ctx.Err() == nil && (c.adapt(err) || c.unthink(err) || c.freshKey(ctx, err)) {
			continue
		}
		if c.missing != nil && err.PathMissing {
			return reply, c.missing // neither way of reading the base URL is right
		}
		if ctx.Err() != nil || attempt >= c.client.o.Retries || !transient(err) || err.RetryAfter > c.patience() {
			return reply, err
		}
		wait := c.client.wait(attempt, err.RetryAfter)
		attempt++
		if c.request.OnRetry != nil {
			c.request.OnRetry(attempt, wait, err)
		}
		if err := c.client.o.Sleep(ctx, wait); err != nil {
			return reply, c.failed(ctx, err)
		}
	}
}

// newCall checks what can be checked without the network.
func (c *Client) newCall(ctx context.Context, r llm.Request) (*call, *llm.Error) {
	ep, err := newEndpoint(r.Model)
	if err != nil {
		return nil, err
	}
	key, err := c.keyFor(ctx, r.Model, ep)
	if err != nil {
		return nil, err
	}
	call := &call{client: c, request: r, ep: ep, secret: key, secrets: secretsOf(key, r.Model.Headers), base: ep.base}
	l := c.lesson(call)
	if l.base != nil {
		call.base = l.base
	}
	call.body = bodyOf(r, l.without)
	return call, nil
}

func lessonKey(c *call) string { return c.ep.base.String() + "\n" + c.request.Model.ID }

func (c *Client) lesson(of *call) lesson {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.learned[lessonKey(of)]
}

// learn changes what is known of an endpoint.
func (c *Client) learn(of *call, change func(*lesson)) lesson {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.learned[lessonKey(of)]
	l.without = maps.Clone(l.without)
	if l.without == nil {
		l.without = wire.Adaptations{}
	}
	change(&l)
	c.learned[lessonKey(of)] = l
	return l
}

// adapt changes the call so that what the endpoint refused is not asked for again. It is false when
// there is nothing to change; every change happens at most once.
func (c *call) adapt(err *llm.Error) bool {
	if err.PathMissing && c.ep.other != nil && c.base == c.ep.base && c.body.Api != model.Ollama {
		c.base, c.missing = c.ep.other, err
		return true
	}
	a := adaptationTo(c.request, c.body.Api, err)
	if a == "" || c.client.lesson(c).without[a] {
		return false
	}
	if a == wire.WithoutStream {
		c.remarks = append(c.remarks, c.ep.host+" does not stream "+c.request.Model.Name+" ("+strings.TrimRight(err.Said, ".")+"), so answers will arrive all at once.")
	}
	if a == wire.WithoutEffort {
		c.remarks = append(c.remarks, c.ep.host+" does not support tools while "+c.request.Model.Name+" thinks, so Coauthor turns thinking off (model.reasoningEffort: none).")
	}
	l := c.client.learn(c, func(l *lesson) { l.without[a] = true })
	c.body = bodyOf(c.request, l.without)
	return true
}

// ignoresForce says whether a server answered a forced call with nothing, as some do, and has the tool
// offered from now on.
func (c *call) ignoresForce(r llm.Reply) bool {
	if c.request.Tool == nil || r.Text != "" || r.Finish != llm.FinishStop || c.client.lesson(c).without[wire.WithoutForce] {
		return false
	}
	l := c.client.learn(c, func(l *lesson) { l.without[wire.WithoutForce] = true })
	c.body = bodyOf(c.request, l.without)
	return true
}

// settle remembers where the endpoint answers once it did, be it with an error.
func (c *call) settle(err *llm.Error) {
	if c.missing != nil && (err == nil || err.Status != 0 && !err.PathMissing) {
		c.client.learn(c, func(l *lesson) { l.base = c.base })
	}
}

// wait is how long to wait before the next attempt: what the server asked for, or a doubling time with
// up to a half of it as jitter, so that many clients do not come back together.
func (c *Client) wait(attempt int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	d := min(firstWait<<min(attempt, 10), longestWait)
	var b [1]byte
	if _, err := io.ReadFull(c.o.Rand, b[:]); err != nil {
		return d
	}
	return d + d*time.Duration(b[0])/512
}

func sleep(ctx context.Context, d time.Duration) error {
	over, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-over.Done()
	return ctx.Err()
}

func tookTooLong(d time.Duration) *llm.Error {
	return &llm.Error{
		Kind: llm.Timeout, Err: context.DeadlineExceeded,
		Message: "The model's answer took longer than " + d.String() + ".",
		Advice:  "Raise network.requestTimeout, make a smaller request, or choose a faster model.",
	}
}

var _ llm.Client = (*Client)(nil)

var errNoFinish = errors.New("the stream ended without a finish reason")
