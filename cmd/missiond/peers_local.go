//go:build localpeers

package main

import "missiond/internal/outbound"

// scaledRules lets the crash harness's build of the service, and no other, reach
// receivers on this machine.
func scaledRules() outbound.Rules { return outbound.Rules{Local: true} }
