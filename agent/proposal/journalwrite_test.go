package proposal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/edits"
)

// TestABrokenLastRecordIsCutOff: whatever of a record got to the disk before writing it failed is gone at
// once, so that nobody takes it for something that was sent.
func TestABrokenLastRecordIsCutOff(t *testing.T) {
	dir := t.TempDir()
	j := openJournal(t, dir, 1)
	full := errors.New("disk full")
	fails := func(*os.File) error { return full }
	long := strings.Repeat("long ", 1000)
	want := []string{}
	check := func(when string) {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join(dir, owner(1).Name()+"-1.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(string(raw)) {
			var r Record
			if err := json.Unmarshal([]byte(line), &r); err != nil || !strings.HasSuffix(line, "\n") {
				t.Fatalf("%s: %v in %q", when, err, line)
			}
			got = append(got, r.Delivery)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %q, want %q", when, got, want)
		}
	}
	for i := range 3 {
		if err := j.write(Record{Kind: RecordIntent, Delivery: "broken", Label: long}, fails); !errors.Is(err, full) {
			t.Fatalf("error %v", err)
		}
		check("after a failure")
		name := fmt.Sprint("good", i)
		if i == 1 {
			j.appendLazily(Record{Kind: RecordResult, Delivery: name})
			if err := j.Err(); err != nil {
				t.Fatal(err)
			}
		} else if err := j.append(Record{Kind: RecordIntent, Delivery: name}); err != nil {
			t.Fatal(err)
		}
		want = append(want, name)
		check("after the next")
	}
	// Where it cannot be cut off at once, it is as soon as that goes, and at the end at the latest.
	for _, end := range []func() error{
		func() error {
			want = append(want, "next")
			return j.append(Record{Kind: RecordIntent, Delivery: "next"})
		},
		j.Close,
	} {
		file := j.file
		if err := j.write(Record{Kind: RecordIntent, Delivery: "broken", Label: long}, func(*os.File) error {
			ro, err := os.Open(file.Name())
			if err != nil {
				return err
			}
			j.file = ro // nothing can be done to it now
			return full
		}); !errors.Is(err, full) {
			t.Fatalf("error %v", err)
		}
		_ = j.file.Close()
		j.file = file
		if err := end(); err != nil {
			t.Fatal(err)
		}
		check("at last")
	}
}

// TestAClosedJournal takes nothing more, and says so.
func TestAClosedJournal(t *testing.T) {
	j := openJournal(t, t.TempDir(), 1)
	j.appendLazily(Record{Kind: RecordResult, Delivery: "before"})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if records, err := j.Records(); err != nil || len(records) != 1 {
		t.Errorf("%+v, %v", records, err)
	}
	if err := j.append(Record{Kind: RecordIntent, Delivery: "late"}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("append: %v", err)
	}
	j.appendLazily(Record{Kind: RecordResult, Delivery: "late"})
	if err := j.Err(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a lazy one: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	if records, err := j.Records(); err != nil || len(records) != 1 {
		t.Errorf("afterwards: %+v, %v", records, err)
	}
}

// TestJournalsThatCannotBe are refused when they are made, or at the first record.
func TestJournalsThatCannotBe(t *testing.T) {
	if _, err := NewJournal("", owner(1)); err == nil {
		t.Error("without a folder")
	}
	for _, o := range []Owner{{}, {Host: "a", PID: 1}, {Host: "a", Start: "s"}, {PID: 1, Start: "s"}, {Host: "a", PID: -1, Start: "s"},
		{Host: "a-b", PID: 1, Start: "s"}, {Host: "a", PID: 1, Start: "../s"}, {Host: "a/b", PID: 1, Start: "s"}, {Host: "a", PID: 1, Start: `s\t`}} {
		if _, err := NewJournal(t.TempDir(), o); err == nil {
			t.Errorf("of %+v", o)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	j := openJournal(t, file, 1)
	if err := j.append(Record{}); err == nil {
		t.Error("a record in a folder that is a file")
	}
	if err := j.Err(); err != nil {
		t.Errorf("nothing was written lazily: %v", err)
	}
	if _, err := j.Records(); err == nil {
		t.Error("records of a folder that is a file")
	}
	if _, err := j.adoptDead(); err == nil {
		t.Error("adopted from a folder that is a file")
	}
	if n, err := journalled(t, j).book.adopt(); n != 0 || err == nil {
		t.Errorf("adopted %d, %v", n, err)
	}
	none := openJournal(t, filepath.Join(t.TempDir(), "none"), 1)
	if records, err := none.Records(); err != nil || records != nil {
		t.Errorf("records of a folder that is not there: %v, %v", records, err)
	}
	if records, err := none.adoptDead(); err != nil || records != nil {
		t.Errorf("adopted from a folder that is not there: %v, %v", records, err)
	}
	if n, err := newStore(t).book.adopt(); n != 0 || err != nil {
		t.Errorf("a store without a journal adopts %d, %v", n, err)
	}
}

// TestRecordsFromEverywhereAtOnce: none is lost, and each is whole.
func TestRecordsFromEverywhereAtOnce(t *testing.T) {
	const writers, each = 8, 60
	j := openJournal(t, filepath.Join(t.TempDir(), "deep", "down"), 1)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				r := Record{Kind: RecordResult, Delivery: fmt.Sprintf("%d.%d", w, i), Label: strings.Repeat("x", i*7)}
				if w%2 == 0 {
					j.appendLazily(r)
				} else if err := j.write(r, func(*os.File) error { return nil }); err != nil {
					t.Error(err)
				}
				if i%20 == 0 {
					if _, err := j.Records(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	records, err := j.Records()
	if err != nil || len(records) != writers*each {
		t.Fatalf("%d records, %v", len(records), err)
	}
	last := map[byte]int{}
	for _, r := range records {
		var w byte
		var i int
		if _, err := fmt.Sscanf(r.Delivery, "%c.%d", &w, &i); err != nil || i != last[w] {
			t.Fatalf("%s comes after %d others of its writer, %v", r.Delivery, last[w], err)
		}
		last[w]++
	}
}

// TestRecordsComeInOrder reads several files of one process.
func TestRecordsComeInOrder(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for i, at := range []int{5, 1, 3} {
		j := openJournal(t, dir, 1) // each takes a file of its own
		for k := range 2 {
			if err := j.append(Record{Kind: RecordResult, Delivery: fmt.Sprint(at + k), Time: now.Add(time.Duration(at+k) * time.Second)}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", owner(1).Name(), i+1))); err != nil {
			t.Error(err)
		}
	}
	records, err := openJournal(t, dir, 1).Records()
	var got []string
	for _, r := range records {
		got = append(got, r.Delivery)
		if r.Version != recordVersion || r.Owner != owner(1) {
			t.Errorf("%+v", r)
		}
	}
	if want := "1 2 3 4 5 6"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTextsOfARecord survive as they are; what is none is refused.
func TestTextsOfARecord(t *testing.T) {
	for _, text := range []string{"", "plain\n", "\xff\x00\r\n", "\u2028 \U0001f600", `{"base64":"eA=="}`, strings.Repeat("ab\n", 1000)} {
		raw, err := json.Marshal(RecordFile{Path: "a", Before: recordText{&text}})
		if err != nil {
			t.Fatal(err)
		}
		var back RecordFile
		if err := json.Unmarshal(raw, &back); err != nil || back.Before.value() != text || back.Before.text == nil {
			t.Errorf("%q became %q, %v", text, back.Before.value(), err)
		}
		if back.After.text != nil || back.After.value() != "" {
			t.Errorf("no text became %q", back.After.value())
		}
	}
	var none recordText
	if raw, err := json.Marshal(none); err != nil || string(raw) != "null" {
		t.Errorf("no text is %s, %v", raw, err)
	}
	for _, bad := range []string{`{"base64":"%"}`, `{"base64":3}`, `7`, `[]`, ``} {
		var text recordText
		if err := text.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s is a text: %q", bad, text.value())
		}
	}
}

// TestRecordsThatMakeNoSense are left out, each by itself, and those that do are taken.
func TestRecordsThatMakeNoSense(t *testing.T) {
	good := func() Record {
		return Record{Kind: RecordIntent, Delivery: "d", Root: "/root", Turn: "t", Op: opUndo, Label: "undo: x",
			Files: []RecordFile{{Path: "a", Op: edits.OpUpdate}, {Path: "b", Op: edits.OpCreate}, {Path: "c", Op: edits.OpDelete}, {Path: "d", Op: edits.OpRename, To: "e"}},
			Back:  []recordBack{{back: back{Delivery: "e", File: 3}, Steps: []int{0, 3}}}}
	}
	for name, test := range map[string]struct {
		change func(*Record)
		want   int
	}{
		"good":                        {func(*Record) {}, 1},
		"apply":                       {func(r *Record) { r.Op, r.Label = opApply, "" }, 1},
		"redo":                        {func(r *Record) { r.Op, r.Label = opRedo, "redo: " }, 1},
		"no id":                       {func(r *Record) { r.Delivery = "" }, 0},
		"another root":                {func(r *Record) { r.Root = "/other" }, 0},
		"a result":                    {func(r *Record) { r.Kind = RecordResult }, 0},
		"no operation":                {func(r *Record) { r.Op = "" }, 0},
		"a label that is short":       {func(r *Record) { r.Label = "undo:" }, 0},
		"takes back file -1":          {func(r *Record) { r.Back[0].File = -1 }, 0},
		"step -1":                     {func(r *Record) { r.Back[0].Steps[0] = -1 }, 0},
		"a step too far":              {func(r *Record) { r.Back[0].Steps[1] = 4 }, 0},
		"a file without an operation": {func(r *Record) { r.Files[3].Op = "" }, 0},
	} {
		r := good()
		test.change(&r)
		list := replay([]Record{r, r}, "/root")
		if len(list) != test.want {
			t.Errorf("%s: %d deliveries", name, len(list))
		}
		if len(list) == 1 {
			s := newStore(t)
			if n, _ := s.book.inherit(list); n != 1 {
				t.Errorf("%s: not kept", name)
			}
			if _, ok := s.Sent.LastApplied("e"); ok == (r.Op == opUndo) {
				t.Errorf("%s: LastApplied %v", name, ok)
			}
		}
	}
	// A result that does not fit its intent is none.
	r := good()
	for name, files := range map[string][]RecordFile{
		"fewer": {{State: LandLanded}}, "more": {{}, {}, {}, {}, {}}, "none": nil,
	} {
		list := replay([]Record{r, {Kind: RecordResult, Delivery: "d", Files: files}, {Kind: RecordResult, Delivery: "other", Files: files}}, "/root")
		if len(list) != 1 || list[0].files[0].state != LandUnknown {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// TestVersions: what is no record of this version is told apart from what a later one may understand.
func TestVersions(t *testing.T) {
	for line, want := range map[string]struct{ ok, later bool }{
		`{"v":1}`:                           {true, false},
		`{"v":1,"kind":"intent","new":[7]}`: {true, false},
		`{"v":2}`:                           {false, true},
		`{"v":2,"files":7,"kind":[]}`:       {false, true},
		`{"v":1,"files":7}`:                 {false, false},
		`{"v":0}`:                           {false, false},
		`{}`:                                {false, false},
		`{"v":-1}`:                          {false, false},
		`{"v":"2"}`:                         {false, false},
		`null`:                              {false, false},
		`7`:                                 {false, false},
		`{"v":2`:                            {false, false},
		``:                                  {false, false},
	} {
		r, err := parseRecord([]byte(line))
		if (err == nil) != want.ok || errors.Is(err, errLater) != want.later || r.Version != map[bool]int{true: 1}[want.ok] {
			t.Errorf("%s: %+v, %v", line, r, err)
		}
	}
}

// TestOwners: names of processes and back.
func TestOwners(t *testing.T) {
	me := ThisProcess()
	if me.PID != os.Getpid() || len(me.Host) != 8 {
		t.Errorf("%+v", me)
	}
	for _, o := range []Owner{me, owner(1), {Host: "h", PID: 2147483647, Start: unknownStart}} {
		if got, ok := ParseOwner(o.Name()); !ok || got != o {
			t.Errorf("%q: %+v, %v", o.Name(), got, ok)
		}
	}
	for _, name := range []string{"", "a", "a-1", "a-1-b-c", "-1-b", "a--b", "a-1-", "a-x-b", "a-0-b", "a-1-b.c", "a-1-b/c", "-a-1-b"} {
		if o, ok := ParseOwner(name); ok {
			t.Errorf("%q is %+v", name, o)
		}
	}
	for file, want := range map[string]string{"a-1-b-1.jsonl": "a-1-b", "x-1.jsonl": "x", "-1.jsonl": ""} {
		if got, ok := parseName(file); !ok || got != want {
			t.Errorf("%q: %q, %v", file, got, ok)
		}
	}
	for _, file := range []string{"", "x.jsonl", "a-1-b-1", "a-1-b-1.json", "a-1-b-1.jsonl.bak"} {
		if got, ok := parseName(file); ok {
			t.Errorf("%q is of %q", file, got)
		}
	}
	if o := (Owner{Host: me.Host, PID: me.PID, Start: unknownStart}); !o.alive() {
		t.Error("a process of which nobody knows when it started, and that runs")
	}
	if o := (Owner{Host: me.Host, PID: 1 << 30, Start: me.Start}); o.alive() {
		t.Error("a process that there cannot be")
	}
}
