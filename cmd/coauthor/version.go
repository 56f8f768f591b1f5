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
	_, err := fmt.Fprintf(s.Out, "coauthor %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return 0, err
}

// version is the version of this binary.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

// versionOf is the module's version when it was installed by name, else the commit it was built from,
// else "devel". nil: nothing is known of the build.
func versionOf(info *debug.BuildInfo) string {
	if info == nil {
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
