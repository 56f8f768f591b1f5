package lsp

import (
	"fmt"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"coauthor/agent/proposal"
)

// docNames are the names of the documents that the server writes about turns, as a person would look for
// them: when it was, and about which file. A document keeps its name as long as the server runs.
type docNames struct {
	mu     sync.Mutex
	names  map[docKey]string // guarded by mu
	owners map[string]docKey // guarded by mu; the other way round
}

// docKey is what a document is about. A follow-up has a document of its own, because that of the turn
// before it may still be open.
type docKey struct {
	root           *rootState
	turn, proposal string // proposal is "" for an answer
}

// nameTime is to the second, in the order in which names are sorted, and with nothing that Windows forbids.
const nameTime = "2006-01-02-15.04.05"

// maxNameBytes leaves room for the time and for what the file system adds.
const maxNameBytes = 100

// of returns the name of a document, which it makes when it is asked first. free says whether a name can
// be had: two turns may end in one second. It may look at the disk.
func (d *docNames) of(key docKey, free func(name string) bool, prefix string, at time.Time, about, suffix string) string {
	stem := prefix + at.Format(nameTime)
	if about != "" {
		stem += "-" + cutName(about)
	}
	name := stem + suffix
	for n := 2; ; n++ {
		ok := free(name)
		if is, taken := d.take(key, name, ok); taken {
			return is
		}
		name = fmt.Sprintf("%s-%d%s", stem, n, suffix)
	}
}

// take gives a document the name if it is free, unless it has one already.
func (d *docNames) take(key docKey, name string, free bool) (is string, taken bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if is, known := d.names[key]; known {
		return is, true
	}
	if _, owned := d.owners[name]; owned || !free {
		return "", false
	}
	if d.names == nil {
		d.names, d.owners = map[docKey]string{}, map[string]docKey{}
	}
	d.names[key], d.owners[name] = name, key
	return name, true
}

// owner returns what a document with this name is about.
func (d *docNames) owner(name string) (docKey, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key, known := d.owners[name]
	return key, known
}

// cutName shortens the name of a file from the front, so that its ending stays.
func cutName(name string) string {
	if len(name) <= maxNameBytes {
		return name
	}
	name = name[len(name)-maxNameBytes:]
	for !utf8.RuneStart(name[0]) {
		name = name[1:]
	}
	return name
}

// diffName is the name of the diff of a proposal: when it was shown first, and the first file in it.
func (s *server) diffName(r *rootState, p *proposal.Proposal) string {
	about := "changes"
	if files := s.inOrder(r, p); len(files) > 0 {
		about = path.Base(files[0].Path())
	}
	return s.names.of(docKey{r, p.Turn, p.ID}, s.freeName(r), "", s.opts.Clock(), about, ".diff")
}

// answerName is the name of the document with the answer of a turn.
func (s *server) answerName(r *rootState, turn string) string {
	return s.names.of(docKey{root: r, turn: turn}, s.freeName(r), answerPrefix, s.opts.Clock(), "", ".md")
}

func (s *server) freeName(r *rootState) func(string) bool {
	return func(name string) bool { return !r.ws.Door().OnDisk(path.Join(ownFolder, name)) }
}

// ownFolder is where the documents lie that the server writes, below the root.
const ownFolder = ".coauthor"

// virtualURI is where the client asks for a document that is on no disk.
func virtualURI(name string) string {
	return (&url.URL{Scheme: section, OmitHost: true, Path: "/" + name}).String()
}

// virtualName is the name of one of our virtual documents, without what the client may have escaped.
func virtualName(uri string) string {
	_, rest, _ := strings.Cut(uri, ":")
	name, err := url.PathUnescape(strings.TrimLeft(rest, "/"))
	if err != nil {
		return ""
	}
	return name
}
