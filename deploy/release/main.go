// Release builds missiond for all platforms, and packs it. What it writes depends only
// on the commit and on Go's version: two runs write the same bytes, in whatever folder.
//
//	go run ./deploy/release                                    # dist/missiond_…, dist/SHA256SUMS
//	go run ./deploy/release -platforms linux/arm64 -programs   # only dist/build/linux_arm64/missiond
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

// released are the platforms of a release.
const released = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run is the command, in the module's root.
func run(ctx context.Context, args []string) error {
	var given stamp
	f := flag.NewFlagSet("release", flag.ContinueOnError)
	out := f.String("o", "dist", "the `folder` to write to")
	platforms := f.String("platforms", released, "the `platforms` to build for")
	programs := f.Bool("programs", false, "build the programs and their lists of parts, and pack nothing")
	f.StringVar(&given.Version, "version", "", "the version (default: as git describes the commit)")
	f.StringVar(&given.Commit, "commit", "", "the commit's hash (default: that of HEAD)")
	f.StringVar(&given.Time, "time", "", "the commit's time, RFC 3339 in UTC (default: that of HEAD)")
	if err := f.Parse(args); err != nil {
		return err
	}
	s, err := stampOf(ctx, ".", given)
	if err != nil {
		return err
	}
	if err := s.checkChangelog("CHANGELOG.md"); err != nil && !*programs {
		return err
	}
	var builds []build
	for platform := range strings.SplitSeq(*platforms, ",") {
		b, err := newBuild(platform, filepath.Join(*out, "build"))
		if err != nil {
			return err
		}
		fmt.Println("building", b.program)
		if err := b.make(ctx, ".", s); err != nil {
			return err
		}
		builds = append(builds, b)
	}
	if *programs {
		return s.write(filepath.Join(*out, "build"))
	}
	return pack(*out, s, builds)
}
