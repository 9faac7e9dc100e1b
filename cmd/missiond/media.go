package main

import (
	"os"

	"missiond/internal/mediafile"
)

// mediaCommand examines one file for the process that started it: internal/mediafile says how.
// People have no use for it.
type mediaCommand struct{}

// Run is missiond media.
func (mediaCommand) Run() error { return mediafile.Child(os.Stdin, os.Stdout) }
