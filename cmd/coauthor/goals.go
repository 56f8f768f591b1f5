package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/verify"
)

// goalFlags are the flags that give a request a goal, made from their table.
func goalFlags() kong.Plugins {
	var fields []reflect.StructField
	for _, f := range command.GoalFlags() {
		tag := fmt.Sprintf(`name:%q placeholder:"CMD" sep:"none" help:%q`, f.Name, f.Doc)
		fields = append(fields, reflect.StructField{Name: strings.ToUpper(f.Name[:1]) + f.Name[1:], Type: reflect.TypeFor[[]string](), Tag: reflect.StructTag(tag)})
	}
	return kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}
}

// aim gives the session's requests the goals that flags stand for. The user is asked about their commands before a model is:
// without them nothing could be told of what it answers.
func (h *headless) aim(ctx context.Context, flags kong.Plugins) error {
	for _, plugin := range flags {
		v := reflect.ValueOf(plugin).Elem()
		for i, f := range command.GoalFlags() {
			for _, text := range v.Field(i).Interface().([]string) { //nolint:forcetypeassert // goalFlags made it
				if err := aimAt(ctx, h, f, text); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// aimAt adds one goal.
func aimAt(ctx context.Context, h *headless, f command.GoalFlag, text string) error {
	g, err := f.Goal(text)
	if err != nil {
		return err
	}
	consent := h.session.Consent.Commands(func(ctx context.Context, q event.Question) (event.Answer, error) {
		q.Default = q.Choices[len(q.Choices)-1]
		return h.Ask(ctx, q)
	})
	in := verify.Input{Tree: h.ws.Snapshot().Within(ctx), Settings: agent.CheckSettings(h.session.Settings()), Consent: consent}
	yes, err := verify.Allowed(ctx, h.session.Engine.Options().Shadow, g.Tool, in)
	switch {
	case err != nil:
		return fmt.Errorf("no request sent, because --%s cannot run %q: %w", f.Name, text, err)
	case !yes && !h.interactive():
		return fmt.Errorf("no request sent, because --%s may not run %q yet; run this command once in a terminal to allow it", f.Name, text)
	case !yes:
		return fmt.Errorf("no request sent, because you did not allow --%s to run %q", f.Name, text)
	}
	h.goals = append(h.goals, g)
	return nil
}
