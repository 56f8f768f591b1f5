package main

import (
	"runtime/debug"
	"testing"
)

// TestVersionOfABuild: a version that was installed by name, else the commit, else neither.
func TestVersionOfABuild(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for want, info := range map[string]*debug.BuildInfo{
		"v1.2.3":             {Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: commit}}},
		"devel-0123456789ab": {Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{{Key: "vcs", Value: "git-of-some-length"}, {Key: "vcs.revision", Value: commit}}},
		"devel-abcdefabcdef": {Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abcdefabcdef"}}},
		"devel":              {Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "short"}}},
	} {
		if got := versionOf(info); got != want {
			t.Errorf("the version is %q, want %q", got, want)
		}
	}
	if got := versionOf(nil); got != "devel" {
		t.Errorf("without build information the version is %q", got)
	}
}
