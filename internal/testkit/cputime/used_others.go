//go:build !linux

package cputime

import "time"

var start = time.Now()

func used() time.Duration { return time.Since(start) }
