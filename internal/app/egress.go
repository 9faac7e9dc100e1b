//go:build !localpeers

package app

import "missiond/internal/outbound"

// egressRules returns where serve and worker may connect to if a tenant names the
// address: public addresses only. No flag allows more.
func egressRules() outbound.Rules { return outbound.Rules{} }
