package settings

import (
	"fmt"
	"slices"
	"strings"
)

// This file sees to it that a mistake in the settings sends nothing to a provider that they do not name. What is wrong
// in a setting is passed over, and mostly the default does no harm; where requests go, it does.

// leads says whether a setting has a say in where requests go.
func leads(name string) bool {
	switch name {
	case "apiBase", "models", "model.name":
		return true
	}
	return false
}

// unknown tells of a name that is no setting.
func (l *loader) unknown(e entry, from origin) {
	near := func() []string { return nearestSettings(e.key) }
	l.warnAs(e, func() string {
		names := near()
		near = func() []string { return names }
		return fmt.Sprintf("there is no setting %s%s; it is ignored", shortened(e.key), asQuestion(names))
	})
	if !from.trusted() {
		return // it cannot name an endpoint
	}
	// A misspelled apiBase is one of these, and so is the name that another program has for it.
	if strings.Contains(fmt.Sprint(e.value), "://") || l.told[e.source] <= mostWarnings && slices.ContainsFunc(near(), leads) {
		l.cannotRead(from)
	}
}

// cannotRead notes that what was just warned of may have named an endpoint.
func (l *loader) cannotRead(from origin) {
	if !from.trusted() || len(l.warnings) == 0 {
		return // a layer that nobody trusts names none
	}
	l.unread = l.layer
	if l.s.Unread != "" {
		return
	}
	last := l.warnings[len(l.warnings)-1]
	if last.Text == "" {
		last.Text = fmt.Sprintf("it has more than %d mistakes", mostWarnings)
	}
	l.s.Unread = last.String()
}
