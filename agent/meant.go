package agent

import (
	"errors"
	"fmt"
	"strings"

	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// suggestModel adds to the error of a model that is not known which known ones its name may mean. At an address of
// the user's own the names are those of its server.
func suggestModel(err error, name string, set settings.Settings, catalog *model.Catalog) error {
	var failed *llm.Error
	if !errors.As(err, &failed) || set.APIBase != "" || set.EnvBase != "" {
		return err
	}
	if set.Models != nil {
		catalog = catalog.With(set.Models)
	}
	if failed.Kind != llm.NotFound && catalog.Resolve(name).APIBase != "" {
		return err
	}
	near := settings.NearModels(catalog, name)
	if len(near) == 0 {
		return err
	}
	told, last := *failed, len(near)-1
	list := near[last]
	if last > 0 {
		list = strings.Join(near[:last], ", ") + " or " + list
	}
	told.Advice = fmt.Sprintf("Did you mean %s? %s", list, failed.Advice)
	return &told
}
