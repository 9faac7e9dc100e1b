package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"missiond/store"
)

// version, commit and commitTime are set at build time; deploy/release sets them all. A
// build that sets none of them has what Go recorded, if anything.
var (
	version    = "dev"
	commit     string
	commitTime string // RFC 3339, UTC
)

// buildFacts are what missiond version prints of the program.
type buildFacts struct {
	Version string `json:"version"`
	// Commit is the commit's full hash; "" if the build doesn't know it, as its time.
	Commit     string `json:"commit"`
	CommitTime string `json:"commit_time"`
	Go         string `json:"go"`
	Platform   string `json:"platform"` // such as linux/amd64
	// SchemaVersion is the newest version of the database's schema that the program knows.
	SchemaVersion int64 `json:"schema_version"`
}

// facts returns what is known of the program's build.
func facts() (f buildFacts, err error) {
	f = buildFacts{Version: versionText(), Commit: commit, CommitTime: commitTime, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				f.Commit = cmp.Or(f.Commit, s.Value)
			case "vcs.time":
				f.CommitTime = cmp.Or(f.CommitTime, s.Value)
			}
		}
	}
	f.SchemaVersion, err = store.SchemaVersion()
	return f, err
}

// versionText returns the build's version, or the module's if it has none.
func versionText() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}

type versionCommand struct {
	JSON bool `name:"json" help:"Print JSON instead of text."`
}

// Run is missiond version.
func (c versionCommand) Run() error {
	f, err := facts()
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(f)
	}
	_, err = fmt.Printf("missiond %s\ncommit %s\ncommitted %s\ngo %s\nplatform %s\nschema %d\n",
		f.Version, cmp.Or(f.Commit, "unknown"), cmp.Or(f.CommitTime, "unknown"), f.Go, f.Platform, f.SchemaVersion)
	return err
}
