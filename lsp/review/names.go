package review

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Names are the names of the documents that the server writes about turns, as a person would look for
// them: when it was, and about which file. A document keeps its name as long as the server
// runs. R is the root that a document belongs to. The zero value is ready.
type Names[R comparable] struct {
	mu     sync.Mutex
	names  map[Key[R]]string // guarded by mu
	owners map[string]Key[R] // guarded by mu; the other way round
}

// Key is what a document is about. A follow-up has a document of its own, and so has each attempt, because that of the turn
// or the attempt before it may still be open.
type Key[R comparable] struct {
	Root           R
	Turn, Proposal string // Proposal is "" for an answer
	Attempt        int    // of the proposal; 0 for one without
}

// nameTime is to the second, in the order in which names are sorted, and with nothing that Windows forbids.
const nameTime = "2006-01-02-15.04.05"

// maxNameBytes leaves room for the time and for what the file system adds.
const maxNameBytes = 100

// Of returns the name of a document, which it makes when it is asked first. free says whether a name can
// be had: two turns may end in one second. It may look at the disk.
func (d *Names[R]) Of(key Key[R], free func(name string) bool, prefix string, at time.Time, about, suffix string) string {
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
func (d *Names[R]) take(key Key[R], name string, free bool) (is string, taken bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if is, known := d.names[key]; known {
		return is, true
	}
	if _, owned := d.owners[name]; owned || !free {
		return "", false
	}
	if d.names == nil {
		d.names, d.owners = map[Key[R]]string{}, map[string]Key[R]{}
	}
	d.names[key], d.owners[name] = name, key
	return name, true
}

// Owner returns what a document with this name is about.
func (d *Names[R]) Owner(name string) (Key[R], bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key, known := d.owners[name]
	return key, known
}

// Which returns the names of the documents that are about something.
func (d *Names[R]) Which(about func(Key[R]) bool) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []string
	for name, key := range d.owners {
		if about(key) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
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

// OwnFolder is where the documents lie that the server writes, below the root.
const OwnFolder = ".coauthor"

// VirtualScheme is that of the URIs of documents that are on no disk.
const VirtualScheme = "coauthor"

// VirtualURI is where the client asks for a document that is on no disk.
func VirtualURI(name string) string {
	return (&url.URL{Scheme: VirtualScheme, OmitHost: true, Path: "/" + name}).String()
}

// VirtualName is the name of one of our virtual documents, without what the client may have escaped.
func VirtualName(uri string) string {
	_, rest, _ := strings.Cut(uri, ":")
	name, err := url.PathUnescape(strings.TrimLeft(rest, "/"))
	if err != nil {
		return ""
	}
	return name
}
