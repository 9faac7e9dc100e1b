package node

import "missiond/mission"

// ConnectIntegrationPayload is the result of connectIntegration.
type ConnectIntegrationPayload struct {
	Integration  mission.Integration
	AuthorizeURL *string
}

// UpdateIntegrationPayload is the result of updateIntegration.
type UpdateIntegrationPayload struct {
	Integration mission.Integration
}

// TestIntegrationPayload is the result of testIntegration.
type TestIntegrationPayload struct {
	Integration mission.Integration
	OK          bool
	DurationMs  int64
	Error       *string
}

// PlatformFees are what a platform charges, in US cents.
type PlatformFees struct {
	Post, LinkPost, AltText, Read, Reply float64
}

// NewPlatformFees returns fees as shown.
func NewPlatformFees(f mission.Fees) *PlatformFees {
	cents := func(m mission.Micros) float64 { return float64(m) / float64(mission.MicrosPerCent) }
	return &PlatformFees{Post: cents(f.Post), LinkPost: cents(f.LinkPost), AltText: cents(f.AltText), Read: cents(f.Read), Reply: cents(f.Reply)}
}

// PlatformLookup is how it is found out whether a platform has a post.
type PlatformLookup struct {
	Kind                mission.LookupKind
	ResendWindowSeconds int
}

// NewPlatformLookup returns a lookup as shown; nil for none.
func NewPlatformLookup(l *mission.Lookup) *PlatformLookup {
	if l == nil || l.Kind == "" {
		return nil
	}
	return &PlatformLookup{Kind: l.Kind, ResendWindowSeconds: int(l.ResendWindow.Seconds())}
}
