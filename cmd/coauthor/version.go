package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// VersionCmd prints the version of this binary and what it was built with.
type VersionCmd struct{}

// Run prints one line.
func (*VersionCmd) Run(_ context.Context, s Streams) (int, error) {
	fmt.Fprintf(s.Out, "coauthor %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return 0, nil
}

// version is the module's version when it was installed by name, else the commit it was built from,
// else "devel".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
