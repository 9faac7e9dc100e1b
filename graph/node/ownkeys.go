package node

import (
	"time"

	"missiond/mission"
)

// TenantWriter is a tenant's own writer as the API shows it: without its key.
type TenantWriter struct {
	URL, Model           string
	KeySet               bool
	Prices               mission.WriterPrices
	Error                *mission.Failure
	CreatedAt, UpdatedAt time.Time
}

// NewTenantWriter returns a writer as the API shows it.
func NewTenantWriter(w mission.TenantWriter) TenantWriter {
	return TenantWriter{
		URL: w.URL, Model: w.Model, KeySet: w.Sealed != "", Prices: w.Prices.Dollars(), Error: w.Error, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
}

// PlatformApp is a tenant's own application at a platform as the API shows it: without its secret.
type PlatformApp struct {
	Platform             mission.Platform
	ClientID             string
	ClientSecretSet      bool
	CreatedAt, UpdatedAt time.Time
}

// NewPlatformApp returns an application as the API shows it.
func NewPlatformApp(a mission.TenantApp) PlatformApp {
	return PlatformApp{Platform: a.Platform, ClientID: a.ClientID, ClientSecretSet: a.Sealed != "", CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt}
}

// SamplePost is a post that shows how a brand sounds.
type SamplePost struct {
	Text      string
	Facts     []mission.CitedFact
	CostCents int64
}

// NewSamplePost returns a draft as a sample.
func NewSamplePost(d mission.Draft) SamplePost {
	return SamplePost{Text: d.Text, Facts: append([]mission.CitedFact{}, d.Facts...), CostCents: d.Cost.Cents()}
}
