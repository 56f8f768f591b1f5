package settings

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"coauthor/agent/model"
)

// Assign sets one setting to a value in the text of a flag. The error says what is wrong with it.
func (s *Settings) Assign(name, text string) error {
	for _, r := range table().list {
		if r.Name != name {
			continue
		}
		if err := r.set(s, text, false); err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
		return nil
	}
	return fmt.Errorf("there is no setting %q%s", name, asQuestion(nearestSettings(name)))
}

// InForce is a setting with the value that it has.
type InForce struct {
	Name    string `json:"name"`
	Value   string `json:"value"` // "" is unset
	Changed bool   `json:"changed"`
}

// InForce lists the value of every setting that has an effect, in the order of the table. No value holds a key: of the
// models only their names are told.
func (s *Settings) InForce() []InForce {
	var list []InForce
	plain := Defaults()
	for _, r := range table().list {
		value := text(r.field(s))
		list = append(list, InForce{Name: r.Name, Value: value, Changed: value != text(r.field(&plain))})
	}
	return list
}

// password finds user and password before the host of an address, with its scheme or without.
var password = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*://)?[^\s/@]*:[^\s/]*@`)

// withoutPassword takes them out.
func withoutPassword(text string) string { return password.ReplaceAllString(text, "${1}…@") }

// text writes the value of a field.
func text(p any) string {
	switch p := p.(type) {
	case *string:
		return withoutPassword(*p)
	case *bool:
		return strconv.FormatBool(*p)
	case *int:
		return strconv.Itoa(*p)
	case **float64:
		if *p == nil {
			return ""
		}
		return strconv.FormatFloat(**p, 'g', -1, 64)
	case *time.Duration:
		return p.String()
	case *[]string:
		return strings.Join(*p, ", ")
	case *[]CheckCommand:
		var list []string
		for _, c := range *p {
			list = append(list, strings.Join(c.Run, " "))
		}
		return strings.Join(list, "; ")
	case *[]Action:
		var list []string
		for _, a := range *p {
			list = append(list, a.Name)
		}
		return strings.Join(list, ", ")
	case *map[string]bool:
		var list []string
		for _, name := range slices.Sorted(maps.Keys(*p)) {
			list = append(list, fmt.Sprintf("%s: %t", name, (*p)[name]))
		}
		return strings.Join(list, ", ")
	case *map[string]string:
		var list []string
		for _, name := range slices.Sorted(maps.Keys(*p)) {
			list = append(list, name+": "+(*p)[name])
		}
		return strings.Join(list, ", ")
	case *map[string]model.UserModel:
		return strings.Join(slices.Sorted(maps.Keys(*p)), ", ")
	}
	return ""
}
