//go:build localpeers

package app

import "missiond/internal/outbound"

// egressRules lets only the chaos harness's build of the service reach receivers
// on this machine.
func egressRules() outbound.Rules { return outbound.Rules{Local: true} }
