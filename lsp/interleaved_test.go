package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"coauthor/lsp"
	"coauthor/lsp/lsptest"
)

// TestInterleavings lets a user type, ask, take hunks, undo, redo, stop and restart the server in random order, with every
// client, and holds after each step: a document reads what the user typed merged with the hunks that were taken, and nothing
// else. COAUTHOR_INTERLEAVINGS says how many orders are tried (10,000 before a release), COAUTHOR_SEED which one again, or with
// how many, which is the first of them.
func TestInterleavings(t *testing.T) {
	first, count := uint64(0), uint64(2*len(lsptest.ProfileNames()))
	if os.Getenv("COAUTHOR_LARGE") != "" {
		count = 400
	}
	if seed, err := strconv.ParseUint(os.Getenv("COAUTHOR_SEED"), 10, 64); err == nil {
		first, count = seed, 1
	}
	if n, err := strconv.ParseUint(os.Getenv("COAUTHOR_INTERLEAVINGS"), 10, 64); err == nil {
		count = n
	}
	t.Logf("seeds %d to %d", first, first+count-1)
	done := make(chan map[string]int)
	total := make(chan map[string]int)
	go func() {
		sum := map[string]int{}
		for tally := range done {
			for what, n := range tally {
				sum[what] += n
			}
		}
		total <- sum
	}()
	t.Run("all", func(t *testing.T) {
		for seed := first; seed < first+count; seed++ {
			names := lsptest.ProfileNames()
			profile := names[seed%uint64(len(names))]
			t.Run(fmt.Sprintf("seed %d, %s", seed, profile), func(t *testing.T) {
				t.Parallel()
				u := newUser(t, seed, profile)
				u.run()
				done <- u.tally
			})
		}
	})
	close(done)
	sum := <-total
	t.Logf("what happened: %v", sum)
	if count < 20 || t.Failed() {
		return
	}
	for _, what := range []string{"apply applied", "undoTurn undone", "redoTurn applied", "inline applied", "undoHunk undone", "keep kept", "cancelled", "restarts"} {
		if sum[what] == 0 {
			t.Errorf("there was no %q, so that the test shows little", what)
		}
	}
}

// slot is a line of the text as it was at the beginning, and what stands in its place now. What the user typed between the
// slots stands in gaps, so that whatever becomes of hunks, it is known where it must be.
type slot []string

// page is what a document must read: slots, and before, between and behind them the gaps.
type page struct {
	slots []slot
	gaps  [][]string // one more than slots
}

func (p *page) clone() *page {
	q := &page{}
	for _, s := range p.slots {
		q.slots = append(q.slots, slices.Clone(s))
	}
	for _, g := range p.gaps {
		q.gaps = append(q.gaps, slices.Clone(g))
	}
	return q
}

func (p *page) text() string {
	var b strings.Builder
	for i, g := range p.gaps {
		for _, line := range g {
			b.WriteString(line + "\n")
		}
		if i < len(p.slots) {
			for _, line := range p.slots[i] {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String()
}

// piece is a hunk of the model: it puts lines in the place of what a slot held.
type piece struct {
	file     string
	slot     int
	number   int
	old, new slot
	decided  bool // it was taken once
}

// request is one turn of which a change came.
type request struct {
	turn, proposal string
	pieces         []*piece
}

// interleavedUser is one order of events: the user, the editor, the server and the model.
type interleavedUser struct {
	t       *testing.T
	r       *rand.Rand
	scene   *scene
	inline  bool
	model   *pacedModel
	pages   map[string]*page
	history map[string]map[string]*page // by file and text: what every text of it meant
	made    []*request
	tally   map[string]int
	typed   int
	armed   *armedLine
	served  chan error
	story   []string
}

// armedLine is typed when the next edit arrives; until then it is not there.
type armedLine struct {
	file, line string
	gap        int // it becomes the first of this gap
}

const plainLines = 14

func newUser(t *testing.T, seed uint64, profile string) *interleavedUser {
	r := rand.New(rand.NewPCG(seed, 15))
	p := &play{
		roots: []string{"root"}, settings: map[string]any{}, files: map[string]string{}, unset: true,
		env: map[string]string{"OPENAI_API_KEY": "sk-test-0123456789"}, profiles: []string{profile},
	}
	u := &interleavedUser{
		t: t, r: r, inline: r.IntN(2) == 0, pages: map[string]*page{}, history: map[string]map[string]*page{}, tally: map[string]int{},
	}
	p.settings["preview"] = map[bool]string{true: "inline", false: "diff"}[u.inline]
	p.settings["verify"] = "off"
	if profile == "minimal" { // has no code actions to keep and undo with
		u.inline, p.settings["preview"] = false, "diff"
	}
	for _, name := range []string{"a.txt", "b.txt"} {
		q := &page{gaps: [][]string{nil}}
		for i := range plainLines {
			q.slots, q.gaps = append(q.slots, slot{fmt.Sprintf("%s line %d", name[:1], i)}), append(q.gaps, nil)
		}
		u.pages[name], u.history[name] = q, map[string]*page{}
		p.files["root/"+name] = q.text()
	}
	u.model = newPacedModel(t)
	p.settings["apiBase"] = u.model.url
	s := &scene{play: p, t: t, dir: t.TempDir(), files: maps.Clone(p.files), state: t.TempDir()}
	var err error
	if s.dir, err = filepath.EvalSymlinks(s.dir); err != nil {
		t.Fatal(err)
	}
	u.scene = s
	s.layOut()
	u.start()
	return u
}

// start starts a server and connects the editor, whose documents are as they were.
func (u *interleavedUser) start() {
	profile, err := lsptest.LoadProfile(u.scene.profiles[0])
	if err != nil {
		u.t.Fatal(err)
	}
	client, server := lsptest.Pipe()
	u.served = make(chan error, 1)
	go func() { u.served <- lsp.Serve(context.Background(), server, u.scene.options().Unhurried()) }()
	u.scene.editor = lsptest.New(u.t, client, profile, lsptest.Options{
		Settings: u.scene.clientSettings(), Clock: u.scene.clock.now, Unreviewed: true, HungAfter: 3 * hung,
		Report: func(violation string) {
			// The clock leaps whenever somebody sleeps, also while a key is on its way to the server.
			if !strings.Contains(violation, "after a key of the user") {
				u.t.Errorf("%s", violation)
			}
		},
		Folders: []string{filepath.Join(u.scene.dir, "root")},
	})
	u.scene.editor.Initialize()
	u.armed = nil
	for name, q := range u.pages {
		u.scene.editor.Open(name)
		if text, _ := u.scene.editor.Text(name); text != q.text() { // it was not saved
			u.scene.editor.SetText(name, q.text())
		}
		u.remember(name)
	}
	u.scene.moveTheCursor()
}

func (u *interleavedUser) remember(name string) {
	u.history[name][u.pages[name].text()] = u.pages[name].clone()
}

func (u *interleavedUser) run() {
	defer func() {
		if u.t.Failed() {
			u.t.Logf("%s\n%s", strings.Join(u.story, "\n"), u.scene.editor.Tail())
		}
	}()
	steps := []struct {
		weight int
		name   string
		do     func()
	}{
		{8, "type", u.types}, {4, "ask", u.asks}, {4, "apply", u.applies}, {1, "discard", u.discards}, {3, "undo", u.undoes},
		{2, "redo", u.redoes}, {3, "decide on a hunk", u.decides}, {1, "save", u.saves}, {1, "key of undo", u.undoKey},
		{1, "restart", u.restarts}, {2, "arm", u.arms},
	}
	sum := 0
	for _, s := range steps {
		sum += s.weight
	}
	for range 14 + u.r.IntN(12) {
		at := u.r.IntN(sum)
		for _, s := range steps {
			if at -= s.weight; at < 0 {
				u.tell("%s", s.name)
				s.do()
				break
			}
		}
		if u.t.Failed() {
			return
		}
	}
	u.settled()
	u.check("at the end", nil)
	u.scene.editor.Shutdown()
	u.ended()
}

func (u *interleavedUser) tell(format string, args ...any) {
	u.story = append(u.story, fmt.Sprintf(format, args...))
}

func (u *interleavedUser) file() string { return []string{"a.txt", "b.txt"}[u.r.IntN(2)] }

func (u *interleavedUser) fresh() string {
	u.typed++
	return fmt.Sprintf("user %d", u.typed)
}

// types lets the user insert a line, write over one, or delete one.
func (u *interleavedUser) types() {
	name := u.file()
	u.check("before typing", nil) // what was armed may be there by now
	q := u.pages[name]
	i := u.r.IntN(len(q.slots))
	switch u.r.IntN(6) {
	case 0:
		q.slots[i] = slot{u.fresh()}
	case 1:
		q.slots[i] = nil
	case 2:
		if n := len(q.slots[i]); n > 1 { // within what a hunk put there
			q.slots[i] = slices.Insert(q.slots[i], 1, u.fresh())
			break
		}
		fallthrough
	default:
		g := u.r.IntN(len(q.gaps))
		q.gaps[g] = slices.Insert(q.gaps[g], u.r.IntN(len(q.gaps[g])+1), u.fresh())
	}
	u.tell("  %s", name)
	u.remember(name)
	u.scene.editor.SetText(name, q.text())
}

// arms has the user type when the next edit arrives, in clients that then refuse it.
func (u *interleavedUser) arms() {
	p := u.scene.editor.Profile()
	versions, _ := field(p.Capabilities, "workspace", "workspaceEdit", "documentChanges").(bool)
	operations, _ := field(p.Capabilities, "workspace", "workspaceEdit", "resourceOperations").([]any)
	if u.armed != nil || p.Quirks.NoVersionCheck || p.Quirks.Rebases || !versions && len(operations) == 0 {
		return
	}
	name := u.file()
	q := u.pages[name]
	for range 20 {
		i := u.r.IntN(len(q.slots))
		if len(q.slots[i]) == 0 {
			continue
		}
		last := q.slots[i][len(q.slots[i])-1]
		u.armed = &armedLine{name, u.fresh(), i + 1}
		u.scene.editor.TypeBeforeNextEdit(name, "\n"+last+"\n", "\n"+last+"\n"+u.armed.line+"\n")
		u.tell("  %s behind %q", name, last)
		return
	}
}

// asks starts a turn; the user may type while the model writes, and may stop it.
func (u *interleavedUser) asks() {
	u.check("before a turn", nil)
	made := &request{}
	var reply strings.Builder
	for _, name := range []string{"a.txt", "b.txt"}[u.r.IntN(2):] {
		made.pieces = append(made.pieces, u.changes(name, &reply)...)
	}
	if len(made.pieces) == 0 {
		return
	}
	u.model.reply <- reply.String()
	u.scene.editor.Open("a.txt")
	u.scene.mark()
	result, failed := u.scene.editor.Command("coauthor.edit", map[string]any{"instruction": "change it", "uri": u.scene.editor.URI("a.txt")})
	made.turn, _ = field(result, "turnId").(string)
	if failed != nil || made.turn == "" {
		u.t.Errorf("the turn was refused: %v, %v", result, failed)
		return
	}
	select {
	case <-u.model.held:
	case <-time.After(4 * hung):
		u.t.Error("hung: the model was not asked")
		return
	}
	for range u.r.IntN(3) {
		u.types()
	}
	u.pending() // which tells the server what was typed: a client that checks no version may tell it later than an edit comes
	if u.r.IntN(5) == 0 {
		u.tell("  cancelled")
		if _, err := u.scene.editor.Command("coauthor.cancel", map[string]any{"turnId": made.turn}); err != nil {
			u.t.Errorf("cancel: %v", err)
		}
		select {
		case <-u.model.gone:
		case <-time.After(4 * hung):
			u.t.Error("hung: the connection to the model stays open")
		}
		u.tally["cancelled"]++
		u.settled()
		u.check("after a cancelled turn", nil)
		return
	}
	told := 0
	u.scene.editor.Do(func(l *lsptest.Log) { told = outcomes(l) })
	u.model.goOn <- struct{}{}
	u.settled()
	for end := time.Now().Add(hung); u.inline && time.Now().Before(end); u.scene.editor.Pause() { // it is applied behind the end of the turn
		now := 0
		u.scene.editor.Do(func(l *lsptest.Log) { now = outcomes(l) })
		// What is told may be about an earlier change, of which the client let the server know late.
		if state := u.stateOf(made.turn); state == "conflict" || now > told && state != "applying" && (state != "" || u.stands(made)) {
			break
		}
	}
	u.settled()
	for _, p := range u.pending() {
		if field(p, "turnId") == made.turn {
			made.proposal, _ = field(p, "proposalId").(string)
		}
	}
	u.made = append(u.made, made)
	if !u.inline {
		u.check("after a turn", nil)
		if made.proposal == "" {
			u.t.Errorf("nothing is pending after %s", made.turn)
		}
		return
	}
	taken := u.check("after a turn that is applied at once", u.forwards(made.pieces))
	decided(taken)
	unsure := false // a client that lied may leave nothing to decide on
	u.scene.editor.Do(func(l *lsptest.Log) {
		unsure = len(l.Logged) > 0 && strings.HasPrefix(l.Logged[len(l.Logged)-1].Text, "Coauthor: unverified")
	})
	if unsure {
		for _, h := range made.pieces {
			h.decided = true
		}
		return
	}
	if len(taken) > 0 && len(taken) < len(made.pieces) && made.proposal == "" {
		u.t.Errorf("%d of %d hunks are there, and the rest is not pending", len(taken), len(made.pieces))
	}
	if len(taken) == 0 && made.proposal == "" {
		u.t.Error("the change is neither applied nor pending")
	}
	if len(taken) == len(made.pieces) {
		u.tally["inline applied"]++
	}
}

// outcomes counts the log messages about what became of a change.
func outcomes(l *lsptest.Log) (n int) {
	for _, m := range l.Logged {
		if outcome.MatchString(m.Text) {
			n++
		}
	}
	return n
}

var outcome = regexp.MustCompile(`^Coauthor: [a-z]+, [0-9]+ files?`)

// changes writes a reply that replaces some lines of a file, far enough from each other to be hunks of their own.
func (u *interleavedUser) changes(name string, reply *strings.Builder) (list []*piece) {
	q := u.pages[name]
	apart := 3
	for i := range q.slots {
		if apart += len(q.gaps[i]); apart < 2 || len(q.slots[i]) == 0 || u.r.IntN(4) > 0 {
			apart += len(q.slots[i])
			continue
		}
		apart = 0
		h := &piece{file: name, slot: i, number: len(list) + 1, old: slices.Clone(q.slots[i])}
		for n := range 1 + u.r.IntN(3) {
			u.typed++
			h.new = append(h.new, fmt.Sprintf("model %d.%d", u.typed, n))
		}
		list = append(list, h)
		fmt.Fprintf(reply, "%s\n```\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n```\n\n", name, strings.Join(h.old, "\n"), strings.Join(h.new, "\n"))
	}
	return list
}

// settled waits until nothing runs, and closes the dialogs that came meanwhile: what is decided is decided by command.
func (u *interleavedUser) settled() {
	u.scene.settled()
	for u.scene.editor.Asked() != nil {
		u.scene.editor.Answer("")
	}
}

// pending lists what can be decided on.
func (u *interleavedUser) pending() []any {
	result, failed := u.scene.editor.Command("coauthor.status")
	if failed != nil {
		u.t.Fatalf("status: %v", failed)
	}
	list, _ := field(result, "pending").([]any)
	return list
}

// stands says whether something of a change is in the files.
func (u *interleavedUser) stands(m *request) bool {
	return slices.ContainsFunc(m.pieces, func(h *piece) bool {
		text, _ := u.scene.editor.Text(h.file)
		return strings.Contains(text, strings.Join(h.new, "\n"))
	})
}

// stateOf gives the state of the change of a turn, where it can be decided on.
func (u *interleavedUser) stateOf(turn string) string {
	for _, p := range u.pending() {
		if field(p, "turnId") == turn {
			state, _ := field(p, "state").(string)
			return state
		}
	}
	return ""
}

// chosen picks a request that waits; nil for none.
func (u *interleavedUser) chosen() *request {
	var waiting []*request
	for _, p := range u.pending() {
		for _, m := range u.made {
			if m.turn == field(p, "turnId") {
				m.proposal, _ = field(p, "proposalId").(string)
				waiting = append(waiting, m)
			}
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	m := waiting[u.r.IntN(len(waiting))]
	if _, failed := u.scene.editor.Command("coauthor.showPending", map[string]any{"turnId": m.turn}); failed != nil {
		u.t.Errorf("showPending: %v", failed)
	}
	u.settled()
	return m
}

// decide runs a command and gives the status that it ends with; "refused" where it is refused.
func (u *interleavedUser) decide(command string, arguments map[string]any) string {
	result, failed := u.scene.editor.Command("coauthor."+command, arguments)
	status, _ := field(result, "status").(string)
	if failed != nil {
		status = "refused"
		if failed.Code == -32603 {
			u.t.Errorf("%s: %v", command, failed)
		}
	}
	u.settled()
	u.tell("  %s %s: %s %v", command, describe(arguments), describe(result), failed)
	u.tally[command+" "+status]++
	return status
}

// applies takes a change, or a file or some hunks of it.
func (u *interleavedUser) applies() {
	m := u.chosen()
	if m == nil {
		return
	}
	meant, arguments := m.pieces, map[string]any{"turnId": m.turn}
	if u.r.IntN(2) == 0 {
		one := m.pieces[u.r.IntN(len(m.pieces))]
		arguments["files"] = []string{u.scene.editor.URI(one.file)}
		whole := u.r.IntN(2) == 0
		var hunks []int
		meant = slices.DeleteFunc(slices.Clone(meant), func(h *piece) bool {
			if h.file != one.file {
				return true
			}
			if h != one && !whole && u.r.IntN(2) == 0 {
				return true
			}
			hunks = append(hunks, h.number)
			return false
		})
		if !whole {
			arguments["hunks"] = hunks
		}
	}
	status := u.decide("apply", arguments)
	taken := u.check("after apply", u.forwards(meant))
	decided(taken)
	switch status {
	case "unverified": // a client that lied: what it did not take counts as sent
		for _, h := range meant {
			h.decided = true
		}
	case "conflict", "pending", "refused":
		if len(taken) > 0 {
			u.t.Errorf("the status is %s, but %d hunks were put in", status, len(taken))
		}
	case "applied":
		for _, h := range meant {
			if !h.decided && slices.Equal(u.pages[h.file].slots[h.slot], h.old) {
				u.t.Errorf("the status is applied, but hunk %d of %s is not there", h.number, h.file)
			}
			h.decided = true
		}
	}
}

// decided notes that hunks were put in: the key of undo may take them out again, and then no apply brings them back.
func decided(taken []*piece) {
	for _, h := range taken {
		h.decided = true
	}
}

func (u *interleavedUser) discards() {
	if m := u.chosen(); m != nil {
		u.decide("discard", map[string]any{"turnId": m.turn})
		u.check("after discard", nil)
	}
}

// turnBack undoes or redoes one of the turns, or the last.
func (u *interleavedUser) turnBack(command, good string, may func([]*piece) map[*piece]slot) {
	var all []*piece
	arguments := map[string]any{}
	if len(u.made) > 0 && u.r.IntN(2) == 0 {
		m := u.made[u.r.IntN(len(u.made))]
		arguments["turnId"], all = m.turn, m.pieces
	} else {
		for _, m := range u.made {
			all = append(all, m.pieces...)
		}
	}
	status := u.decide(command, arguments)
	taken := u.check("after "+command, may(all))
	if status == "refused" && len(taken) > 0 {
		u.t.Errorf("%s was refused, but %d hunks changed", command, len(taken))
	}
	if status == good && len(taken) == 0 && u.armed == nil {
		u.tally[command+" changed nothing"]++
	}
}

func (u *interleavedUser) undoes() { u.turnBack("undoTurn", "undone", u.backwards) }
func (u *interleavedUser) redoes() { u.turnBack("redoTurn", "applied", u.forwards) }

// decides keeps or undoes hunks under review.
func (u *interleavedUser) decides() {
	if !u.inline || len(u.made) == 0 {
		return
	}
	m := u.made[u.r.IntN(len(u.made))]
	h := m.pieces[u.r.IntN(len(m.pieces))]
	one := map[string]any{"uri": u.scene.editor.URI(h.file), "files": []string{u.scene.editor.URI(h.file)}, "hunks": []int{h.number}}
	if m.proposal != "" {
		one["proposalId"] = m.proposal
	}
	everything := func() (all []*piece) {
		for _, m := range u.made {
			all = append(all, m.pieces...)
		}
		return all
	}()
	switch u.r.IntN(6) {
	case 0, 1:
		u.decide("keep", one)
		u.check("after keep", nil)
	case 2, 3, 4:
		status := u.decide("undoHunk", one)
		if taken := u.check("after undoHunk", u.backwards(everything)); (status == "undone") != (len(taken) > 0) && status != "unverified" && status != "partial" {
			u.t.Errorf("the status of undoHunk is %s, and %d hunks changed", status, len(taken))
		}
	default:
		if command := []string{"keepAll", "undoAll"}[u.r.IntN(2)]; command == "keepAll" {
			u.decide(command, map[string]any{"turnId": m.turn})
			u.check("after keepAll", nil)
		} else {
			u.decide(command, map[string]any{"turnId": m.turn})
			u.check("after undoAll", u.backwards(m.pieces))
		}
	}
}

func (u *interleavedUser) saves() { u.scene.editor.SaveAll() }

// undoKey is the editor's own undo, which may take back what the server did.
func (u *interleavedUser) undoKey() {
	u.check("before the key of undo", nil)
	name := u.file()
	u.scene.editor.Undo(name)
	text, _ := u.scene.editor.Text(name)
	q, known := u.history[name][text]
	if !known {
		u.t.Errorf("the key of undo made a text that never was: %q", text)
		return
	}
	u.pages[name] = q.clone()
}

// restarts ends the server, in order or not, and starts another one.
func (u *interleavedUser) restarts() {
	u.check("before a restart", nil)
	if u.r.IntN(2) == 0 {
		u.scene.editor.Shutdown()
	} else {
		u.scene.editor.HangUp()
	}
	u.ended()
	u.tally["restarts"]++
	u.start()
	u.settled()
	u.check("after a restart", nil)
}

func (u *interleavedUser) ended() {
	select {
	case err := <-u.served:
		if err != nil {
			u.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(4 * hung):
		u.t.Error("hung: the server did not end")
	}
}

// forwards are the pieces that may come in now, one upon the other, with what they bring.
func (u *interleavedUser) forwards(list []*piece) map[*piece]slot {
	return u.reachable(list, func(h *piece) (from, to slot) { return h.old, h.new })
}

// backwards are those that may be taken back, with what stood there before.
func (u *interleavedUser) backwards(list []*piece) map[*piece]slot {
	return u.reachable(list, func(h *piece) (from, to slot) { return h.new, h.old })
}

func (u *interleavedUser) reachable(list []*piece, way func(*piece) (from, to slot)) map[*piece]slot {
	may := map[*piece]slot{}
	for more := true; more; {
		more = false
		for _, h := range list {
			from, to := way(h)
			stands := slices.Equal(u.pages[h.file].slots[h.slot], from)
			for before, with := range may {
				stands = stands || before.file == h.file && before.slot == h.slot && slices.Equal(with, from)
			}
			if _, known := may[h]; stands && !known {
				may[h], more = to, true
			}
		}
	}
	return may
}

func (u *interleavedUser) snapshot() map[string]string {
	texts := map[string]string{}
	for name := range u.pages {
		texts[name], _ = u.scene.editor.Text(name)
	}
	return texts
}

// check holds each document against what it must read, where the pieces may each have gone one way or not, and what was armed
// may have been typed. It gives the pieces that did.
func (u *interleavedUser) check(when string, may map[*piece]slot) (taken []*piece) {
	u.t.Helper()
	for name, text := range u.snapshot() {
		q := u.pages[name].clone()
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		present := map[string]bool{}
		for _, line := range lines {
			present[line] = true
		}
		if a := u.armed; a != nil && a.file == name && present[a.line] {
			q.gaps[a.gap] = slices.Insert(q.gaps[a.gap], 0, a.line)
			u.armed = nil
			u.history[name][q.text()] = q.clone() // the key of undo may come back to this
		}
		from := q.clone()
		for h, with := range may {
			if h.file == name && len(with) > 0 && present[with[0]] && !slices.Equal(with, u.pages[name].slots[h.slot]) {
				q.slots[h.slot] = slices.Clone(with)
				taken = append(taken, h)
			}
		}
		if want := q.text(); text != want {
			u.t.Fatalf("%s, %s reads\n%s\nand must read\n%s\n%s\n%s", when, name, text, want, strings.Join(u.story, "\n"), u.scene.editor.Tail())
		}
		u.between(from, q, name, may)
		u.pages[name] = q
		u.remember(name)
	}
	return taken
}

// between remembers what a document may have read on its way from one page to another: a command of which several edits come,
// or several tries, leaves a step of the editor's undo for each, which the key of undo comes back to.
func (u *interleavedUser) between(from, to *page, name string, may map[*piece]slot) {
	ways := []*page{from}
	for i, last := range to.slots {
		if slices.Equal(from.slots[i], last) {
			continue
		}
		held := []slot{last}
		for h, with := range may { // two changes of one line, the one upon the other
			if h.file == name && h.slot == i && !slices.ContainsFunc(held, func(s slot) bool { return slices.Equal(s, with) }) {
				held = append(held, with)
			}
		}
		for _, way := range ways[:len(ways):len(ways)] {
			for _, s := range held {
				next := way.clone()
				next.slots[i] = slices.Clone(s)
				ways = append(ways, next)
			}
		}
	}
	for _, way := range ways {
		u.history[name][way.text()] = way
	}
}

// pacedModel is a model over HTTP that says what it is told to, and stops in the middle until it may go on.
type pacedModel struct {
	url   string
	reply chan string   // what it says next
	held  chan struct{} // one for each answer that is in the middle
	goOn  chan struct{} // lets it go on
	gone  chan struct{} // one for each answer that nobody waited for
}

func newPacedModel(t *testing.T) *pacedModel {
	m := &pacedModel{reply: make(chan string, 1), held: make(chan struct{}, 1), goOn: make(chan struct{}, 1), gone: make(chan struct{}, 1)}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

// ServeHTTP streams one chat completion.
func (m *pacedModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		http.NotFound(w, r)
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	var text string
	select {
	case text = <-m.reply:
	default:
		http.Error(w, "nobody said what the model should say", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	say := func(delta map[string]any, finish any) {
		raw, _ := json.Marshal(map[string]any{"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		_, _ = fmt.Fprintf(w, "data: %s\n\n", raw)
		w.(http.Flusher).Flush()
	}
	say(map[string]any{"role": "assistant", "content": text[:len(text)/2]}, nil)
	m.held <- struct{}{}
	select {
	case <-m.goOn:
	case <-r.Context().Done():
		m.gone <- struct{}{}
		return
	}
	say(map[string]any{"content": text[len(text)/2:]}, nil)
	say(map[string]any{}, "stop")
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}
