//go:build !linux

package mediafile

import (
	"os"
	"os/exec"
)

// Bounded reports whether the system bounds a child's memory and what it can reach. Where it
// doesn't, a child is a process of its own, and no more than that.
func Bounded() bool { return false }

// self returns the program that runs.
func self() (string, error) { return os.Executable() }

func attach(*exec.Cmd) {}

func bind() error { return nil }

func outOfTime(*os.ProcessState) bool { return false }
