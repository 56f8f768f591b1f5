package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"

	"coauthor/agent"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// framed is a message as it stands on the wire.
func framed(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// ended notes that it was closed.
type ending struct {
	io.Reader
	io.Writer
	closed int
	err    error
}

func (e *ending) Close() error { e.closed++; return e.err }

// A connection of two streams is one to read and write, and closes what can be closed of both, with what went wrong.
func TestStreams(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	for _, c := range []struct{ in, out error }{{nil, nil}, {first, nil}, {nil, second}, {first, second}} {
		var written bytes.Buffer
		in, out := &ending{Reader: strings.NewReader("hello"), err: c.in}, &ending{Writer: &written, err: c.out}
		s := Streams(in, out)
		read, err := io.ReadAll(s)
		if _, werr := io.WriteString(s, "there"); err != nil || werr != nil || string(read) != "hello" || written.String() != "there" {
			t.Errorf("%q, %v, %q, %v", read, err, written.String(), werr)
		}
		err = s.Close()
		if in.closed != 1 || out.closed != 1 || errors.Is(err, first) != (c.in != nil) || errors.Is(err, second) != (c.out != nil) || (err == nil) != (c.in == nil && c.out == nil) {
			t.Errorf("%+v: closed %d and %d times, %v", c, in.closed, out.closed, err)
		}
	}
	if err := Streams(strings.NewReader(""), io.Discard).Close(); err != nil {
		t.Error(err)
	}
}

// A pipe that the client named is spoken with in both directions; one that is not there is named in the error.
func TestDialPipe(t *testing.T) {
	dir, err := os.MkdirTemp("", "pipe") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "p")
	if c, err := DialPipe(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, %v", c, err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	client := make(chan net.Conn, 1)
	go func() {
		if conn, err := l.Accept(); err == nil {
			client <- conn
		}
	}()
	c, err := DialPipe(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	far := receive(t, "the connection", client)
	for from, to := range map[io.Writer]io.Reader{c: far, far: c} {
		got := make([]byte, 5)
		if _, err := io.WriteString(from, "hello"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(to, got); err != nil || string(got) != "hello" {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(far); err != nil || len(rest) != 0 {
		t.Errorf("%q, %v", rest, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DialPipe(gone, path); err == nil {
		t.Error("connected after the end")
	}
}

// Strangers who say nothing, too much or the wrong thing keep nobody out, and all of them are hung up on as soon as the
// client is there; of two who know the token one is served.
func TestStrangers(t *testing.T) {
	type served struct {
		conn io.ReadWriteCloser
		err  error
	}
	found, address := make(chan served, 1), make(chan string, 1)
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	go func() {
		conn, err := ListenTCP(ctx, "127.0.0.1:0", "secret", func(addr string) { address <- addr })
		found <- served{conn, err}
	}()
	addr := receive(t, "the address", address)
	if _, err := ListenTCP(ctx, addr, "secret", nil); err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("two listen on one address: %v", err)
	}
	dial := func(text string) net.Conn {
		t.Helper()
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		if err := conn.SetDeadline(time.Now().Add(hung)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	// Who would make us hold more than a first message has is not even told.
	if answer, err := io.ReadAll(dial(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", maxFirst+1, strings.Repeat(" ", maxFirst+1)))); len(answer) != 0 || err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("answered %q, %v", answer, err)
	}
	silent := make([]net.Conn, maxStrangers-2)
	for i := range silent {
		silent[i] = dial([]string{"", "Content-Length: 100\r\n", framed("{")[:20]}[i%3])
	}
	hello := framed(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"initializationOptions":{"token":"secret"}}}`)
	clients := []net.Conn{dial(hello), dial(hello)}
	got := receive(t, "a client", found)
	if got.err != nil {
		t.Fatal(got.err)
	}
	defer func() { _ = got.conn.Close() }()
	for i, conn := range silent {
		if rest, err := io.ReadAll(conn); len(rest) != 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("stranger %d: %q, %v", i, rest, err)
		}
	}
	if _, err := io.WriteString(got.conn, "you"); err != nil {
		t.Error(err)
	}
	if err := got.conn.Close(); err != nil {
		t.Error(err)
	}
	spoken := 0
	for _, conn := range clients {
		if said, _ := io.ReadAll(conn); string(said) == "you" { // the other was hung up on
			spoken++
		}
	}
	if spoken != 1 {
		t.Errorf("%d clients are served", spoken)
	}
}

// A log of our own that wants less than the client's is not given what it does not want.
func TestLogsThatDiffer(t *testing.T) {
	d := newDesk(t, nil, nil)
	told := 0
	d.note = func(string, json.RawMessage) { told++ }
	var own bytes.Buffer
	log := slog.New(&clientLog{next: slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelError}), client: d.s.client})
	log.Warn("careful")
	if own.Len() != 0 || told != 1 {
		t.Errorf("logged %q, told %d", own.String(), told)
	}
	log.Error("broken")
	mustHold(t, own.String(), "broken")
	if told != 2 || strings.Contains(own.String(), "careful") {
		t.Errorf("logged %q, told %d", own.String(), told)
	}
}

// What comes behind initialize waits for it, whatever it is; other calls wait for none. A call that has ended is forgotten.
func TestOrderOfCalls(t *testing.T) {
	free, began := make(chan struct{}), make(chan struct{}, 1)
	var r *router
	notes := make(chan string, 10)
	p, _ := startRouter(t, func(made *router, _ jsonrpc2.Conn) {
		r = made
		r.phase.Store(int32(fresh))
		onCall(r, "initialize", none, func(context.Context, *empty, struct{}) (any, error) {
			began <- struct{}{}
			<-free
			r.phase.Store(int32(running))
			return json.RawMessage(`{"raw":true}`), nil
		})
		onCall(r, "wait", none, func(ctx context.Context, _ *empty, _ struct{}) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
		onCall(r, "quick", none, func(context.Context, *empty, struct{}) (any, error) { return map[string]int{"n": 1}, nil })
		onCall(r, "bad", none, func(context.Context, *empty, struct{}) (any, error) { return make(chan int), nil })
		onNote(r, "note", func(context.Context, *empty) error { notes <- "note"; return nil })
		onNote(r, "fails", func(context.Context, *empty) error { return io.ErrNoProgress })
		onNote(r, "exit", func(context.Context, *empty) error { notes <- "exit"; return nil })
	})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"quick"}`)
	p.expect(`"id":1,`, `-32002`)
	p.send(`{"jsonrpc":"2.0","method":"note"}`) // dropped
	p.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if got := receive(t, "the exit", notes); got != "exit" {
		t.Errorf("%s came before initialize", got)
	}
	// In one piece: nothing more is read before initialize has its answer.
	p.raw(framed(`{"jsonrpc":"2.0","id":2,"method":"initialize"}`) + framed(`{"jsonrpc":"2.0","method":"note"}`) + framed(`{"jsonrpc":"2.0","id":3,"method":"quick"}`))
	receive(t, "the start", began)
	select {
	case got := <-notes:
		t.Errorf("%s overtook initialize", got)
	case got := <-p.in:
		t.Errorf("%s overtook initialize", got)
	case <-time.After(20 * time.Millisecond): // in which one that overtakes would be here
	}
	close(free)
	for range 2 {
		if got := p.next(); !strings.Contains(got, `"id":2,"result":{"raw":true}`) && !strings.Contains(got, `"id":3,"result":{"n":1}`) {
			t.Error(got)
		}
	}
	receive(t, "the note", notes)
	p.send(`{"jsonrpc":"2.0","id":4,"method":"initialize"}`)
	p.expect(`"id":4,`, `-32600`)
	// A result that is none is an error, and so is a note that fails; both harm nothing.
	p.send(`{"jsonrpc":"2.0","id":5,"method":"bad"}`)
	p.expect(`"id":5,`, `-32603`, "bad")
	p.send(`{"jsonrpc":"2.0","method":"fails"}`)
	// Each cancel ends its own call, and no other one.
	for i := range 20 {
		p.send(`{"jsonrpc":"2.0","id":%d,"method":"wait"}`, 100+i)
		p.send(`{"jsonrpc":"2.0","id":"%s","method":"wait"}`, strings.Repeat("x", i+1))
	}
	for _, i := range []int{13, 2, 19, 0, 7} {
		p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`, 100+i)
		p.expect(fmt.Sprintf(`"id":%d,`, 100+i), `-32800`)
		p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"%s"}}`, strings.Repeat("x", i+1))
		p.expect(fmt.Sprintf(`"id":"%s",`, strings.Repeat("x", i+1)), `-32800`)
	}
	p.send(`{"jsonrpc":"2.0","id":6,"method":"quick"}`)
	p.expect(`"id":6,`)
	for end := time.Now().Add(hung); ; time.Sleep(time.Millisecond) { // an answer goes out before its call is forgotten
		r.mu.Lock()
		left := len(r.running)
		r.mu.Unlock()
		if left == 30 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d calls are remembered, 30 run", left)
		}
	}
	r.phase.Store(int32(shutdown))
	p.send(`{"jsonrpc":"2.0","id":7,"method":"quick"}`)
	p.expect(`"id":7,`, `-32600`)
	p.send(`{"jsonrpc":"2.0","method":"note"}`)
	p.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if got := receive(t, "the exit", notes); got != "exit" {
		t.Errorf("%s was taken after shutdown", got)
	}
}

// bare are the options without which there is no server, and none of the others.
func bare() Options {
	return Options{
		Engine: func(h Hooks) *agent.Engine {
			return agent.NewEngine(agent.Options{Settings: h.Settings, Changed: h.Changed})
		},
		Settings: func(string, settings.Editor) (settings.Settings, []settings.Warning) { return settings.Defaults(), nil },
		Workspace: func(root string, _ func() settings.Settings) (*workspace.Workspace, error) {
			return workspace.Open(root, workspace.Options{})
		},
	}
}

// A server with nothing but what it must have works, and ends with whatever ends it: the connection, its context, or an
// exit, with or without a shutdown.
func TestHowAServerEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(p *peer, stop func())
		want error
	}{
		{"the client hangs up", func(p *peer, _ func()) { _ = p.conn.Close() }, nil},
		{"the context ends", func(_ *peer, stop func()) { stop() }, nil},
		{"exit", func(p *peer, _ func()) { p.send(`{"jsonrpc":"2.0","method":"exit"}`) }, ErrNoShutdown},
		{"shutdown and exit", func(p *peer, _ func()) {
			p.send(`{"jsonrpc":"2.0","id":9,"method":"shutdown"}`)
			p.expect(`"id":9,"result":null`)
			p.send(`{"jsonrpc":"2.0","method":"exit"}`)
			p.send(`{"jsonrpc":"2.0","method":"exit"}`) // some say it twice
		}, nil},
	} {
		for _, started := range []bool{false, true} {
			if !started && strings.HasPrefix(c.name, "shutdown") {
				continue
			}
			near, far := net.Pipe()
			ctx, stop := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- Serve(ctx, far, bare()) }()
			p := newPeer(t, near)
			if started {
				p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":%d,"capabilities":{}}}`, os.Getpid())
				p.expect(`"id":1`)
				p.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
				p.send(`{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"coauthor.status"}}`)
				p.expect(`"id":2,"result":{`)
			}
			c.end(p, stop)
			if err := receive(t, "the end", served); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%s, started %v: %v", c.name, started, err)
			}
			if _, err := near.Write([]byte("x")); err == nil {
				t.Errorf("%s, started %v: the connection is open", c.name, started)
			}
			stop()
		}
	}
}

// Every message of the protocol that a client may send does what it is for, and none is left out of the table.
func TestEveryMethodIsTaken(t *testing.T) {
	r := newRig(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	uri := r.uri("a.txt")
	for method, params := range map[string]string{
		"workspace/executeCommand":      `{"command":"coauthor.status"}`,
		"textDocument/codeAction":       fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{},"context":{"diagnostics":[]}}`, uri),
		"workspace/textDocumentContent": `{"uri":"coauthor:/x"}`,
	} {
		if got := r.call(method, params); strings.HasPrefix(got, "error") {
			t.Errorf("%s: %s", method, got)
		}
	}
	if got := r.call(methodGetPending, "{}"); strings.Contains(got, "-32601") {
		t.Errorf("%s: %s", methodGetPending, got)
	}
	for method, params := range map[string]string{
		"$/cancelRequest": `{"id":99}`, "textDocument/didSave": fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri),
		"workspace/didChangeWatchedFiles": `{"changes":[]}`, "window/workDoneProgress/cancel": `{"token":"x"}`,
		methodDidFocus: fmt.Sprintf(`{"uri":%q}`, uri), methodDiagnostics: fmt.Sprintf(`{"uri":%q,"diagnostics":[]}`, uri),
		methodSetTrust: `{"trusted":false}`, "workspace/didChangeConfiguration": `{"settings":{}}`,
		"workspace/didChangeWorkspaceFolders": `{"event":{"added":[],"removed":[]}}`,
	} {
		r.note(method, params)
	}
	r.note("something/else", `{}`)
	r.note("$/of/no/interest", `{}`)
	r.command("status", "")
	log := r.log.String()
	if n := strings.Count(log, "notification ignored"); n != 1 || !strings.Contains(log, "something/else") || strings.Contains(log, "notification failed") {
		t.Errorf("%d ignored:\n%s", n, log)
	}
	for i, wrong := range []string{"window/workDoneProgress/cancel", "$/cancelRequest"} {
		r.note(wrong, `{"token":7,"id":null}`) // a token of the client's own, and no call
		r.command("status", "")
		if log := r.log.String(); strings.Count(log, "notification failed") != i+1 || !strings.Contains(log, "method="+wrong) {
			t.Errorf("%s:\n%s", wrong, log)
		}
	}
}

// What runs beside the reading ends with the session, and a panic there costs nothing else.
func TestWorkInTheBackground(t *testing.T) {
	d := newDesk(t, nil, nil)
	var notes []string
	done := make(chan struct{})
	d.note = func(method string, params json.RawMessage) { notes = append(notes, string(params)) }
	if !d.s.background(func(context.Context) { defer close(done); panic("oh") }) {
		t.Fatal("nothing may begin")
	}
	receive(t, "the panic", done)
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	d.s.tasks.wait(ctx)
	if ctx.Err() != nil || len(notes) == 0 || !strings.Contains(notes[0], "oh") {
		t.Errorf("told %q", notes)
	}
	ran := make(chan error, 1)
	if !d.s.background(func(ctx context.Context) { <-ctx.Done(); ran <- ctx.Err() }) {
		t.Fatal("nothing may begin after a panic")
	}
	d.s.cancel()
	receive(t, "the end of the work", ran)
	d.s.tasks.close()
	if d.s.background(func(context.Context) { t.Error("it ran after the end") }) {
		t.Error("it was begun after the end")
	}
	// A progress that begins after the end says nothing, and nobody waits for it.
	p := d.s.newProgress("x", "y", func() {})
	p.end("over")
	within(t, "a progress after the end", func() { p.wait(t.Context()); d.s.turns.wait(t.Context()) })
}

// How long a command may take is what it is, or what a test makes of it.
func TestTimesAreScaled(t *testing.T) {
	for slack, want := range map[float64]time.Duration{0: time.Second, 1: time.Second, 20: 20 * time.Second, 0.5: time.Second / 2} {
		if got := (&Options{slack: slack}).within(time.Second); got != want {
			t.Errorf("%v: %v", slack, got)
		}
	}
}

// One large message is not kept for ever, neither of those that are read nor of those that are written.
func TestLargeMessagesAreLetGo(t *testing.T) {
	large := fmt.Sprintf(`{"jsonrpc":"2.0","method":"large","params":{"x":"%s"}}`, strings.Repeat("x", 9<<20))
	small := `{"jsonrpc":"2.0","method":"small"}`
	s := newStream(Streams(strings.NewReader(framed(large)+framed(small)+framed(small)), io.Discard), slog.New(slog.DiscardHandler), func() {})
	for i, want := range []string{"large", "small", "small"} {
		m, _, err := s.Read(t.Context())
		if err != nil || m.(*jsonrpc2.Notification).Method() != want {
			t.Fatalf("%d: %v, %v", i, m, err)
		}
	}
	if cap(s.body) > 1<<20 {
		t.Errorf("%d bytes are kept of what was read", cap(s.body))
	}
	if _, err := s.Write(t.Context(), notification("large", `{"x":"`+strings.Repeat("x", 9<<20)+`"}`)); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	kept := cap(s.message)
	s.mu.Unlock()
	if kept > 8<<20 {
		t.Errorf("%d bytes are kept of what was written", kept)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A client that does not read what is left for it holds nobody up for long at the end.
func TestTheEndWaitsForNobody(t *testing.T) {
	t.Parallel()
	c := &stuck{free: make(chan struct{})}
	defer close(c.free)
	s := newStream(c, slog.New(slog.DiscardHandler), func() {})
	if _, err := s.Write(t.Context(), notification("n", `{}`)); err != nil {
		t.Fatal(err)
	}
	within(t, "the close", func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.gone {
		t.Error("the connection is open")
	}
}

// What a client complains about is read whether it is a string or a markup, and has no text else.
func TestMessagesOfComplaints(t *testing.T) {
	for raw, want := range map[string]string{
		`"plain"`: "plain", `{"kind":"markdown","value":"*m*"}`: "*m*", `""`: "", `7`: "", `null`: "", `{}`: "", `[]`: "",
	} {
		if got := (wireDiagnostic{Message: json.RawMessage(raw)}).message(); got != want {
			t.Errorf("%s is %q", raw, got)
		}
	}
	if got := (wireDiagnostic{}).message(); got != "" {
		t.Errorf("none is %q", got)
	}
}

// Only where a client can be asked to watch files, and it costs the user nothing, it is asked to watch all of them.
func TestWhoIsAskedToWatch(t *testing.T) {
	for _, c := range []struct {
		can   bool
		quirk string
		asked bool
	}{
		{true, "true", true}, {true, "false", false}, {false, "true", false}, {false, "false", false},
	} {
		asked := make(chan string, 8)
		r := newRig(t, nil, nil)
		r.answer = func(method string, params json.RawMessage) string {
			if method == "client/registerCapability" && strings.Contains(string(params), "didChangeWatchedFiles") {
				asked <- string(params)
			}
			return "null"
		}
		r.initialize(fmt.Sprintf(`{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":%v}}}`, c.can), `{"clientQuirks":{"watchTree":`+c.quirk+`}}`)
		r.command("status", "")
		if c.asked {
			mustHold(t, receive(t, "a registration", asked), `"globPattern":"**/*"`)
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), hung)
		r.call("shutdown", "null")
		r.s.tasks.wait(ctx)
		cancel()
		if len(asked) != 0 {
			t.Errorf("%+v: asked %s", c, <-asked)
		}
	}
}

// A profile says which of its switches are on, by the names that users set them by.
func TestSwitchesOfAProfile(t *testing.T) {
	q := quirks{Client: "x", Names: []string{"X"}, Menu: "m"}
	if got := q.switches(); len(got) != 0 {
		t.Errorf("%q are on", got)
	}
	if unknown := q.override(map[string]bool{"splitFiles": true, "watchTree": true, "onlyLF": false}); len(unknown) != 0 {
		t.Errorf("unknown %q", unknown)
	}
	if got := q.switches(); !slices.Equal(got, []string{"splitFiles", "watchTree"}) {
		t.Errorf("%q are on", got)
	}
	if unknown := q.override(map[string]bool{"writtenBy": true, "client": true, "menu": true, "": true}); len(unknown) != 4 || q.Client != "x" || q.WrittenBy != anybodyWrites {
		t.Errorf("unknown %q, %+v", unknown, q)
	}
	if _, err := quirksOf("nonsense"); err == nil || !strings.Contains(err.Error(), "nonsense") || !strings.Contains(err.Error(), "neovim") {
		t.Errorf("%v", err)
	}
	for _, c := range []struct {
		caps clientCaps
		want writers
	}{
		{clientCaps{Name: "Neovim"}, userWrites}, {clientCaps{Name: "a stranger"}, anybodyWrites}, {clientCaps{Name: "helix"}, profileOf(t, "helix").WrittenBy},
		{clientCaps{FailureHandling: "textOnlyTransactional", HonorsAnnotations: true}, profileOf(t, "vscode").WrittenBy},
	} {
		if got := writersOf(&c.caps); got != c.want {
			t.Errorf("%+v: %q", c.caps, got)
		}
	}
}
