//go:build !localpeers

package main

import "missiond/internal/outbound"

// scaledRules are where serve and worker may connect to when tenants name the
// address. No flag opens more.
func scaledRules() outbound.Rules { return outbound.Rules{} }
