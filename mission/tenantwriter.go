package mission

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Bounds of a tenant's own writer.
const (
	// MaxModel is the maximal length of a model's name, in characters.
	MaxModel = 200
	// MaxWriterPrice is the highest price of a million tokens, in dollars.
	MaxWriterPrice = 10_000
)

// WriterPrices are what a language model costs: dollars for a million tokens.
type WriterPrices struct {
	Input  float64 `json:"input" doc:"Dollars per million input tokens: 0 to 10,000" example:"0.15"`
	Output float64 `json:"output" doc:"Dollars per million output tokens: 0 to 10,000" example:"0.6"`
}

// TokenPrices returns the prices as amounts of money.
func (p WriterPrices) TokenPrices() TokenPrices {
	return TokenPrices{Input: micros(p.Input), Output: micros(p.Output)}
}

func micros(dollars float64) Micros { return Micros(math.Round(dollars * microsPerDollar)) }

const microsPerDollar = 1_000_000

// TokenPrices are what a language model costs: amounts for a million tokens.
type TokenPrices struct {
	Input  Micros `bun:"input_price"`
	Output Micros `bun:"output_price"`
}

// Dollars returns the prices in dollars.
func (p TokenPrices) Dollars() WriterPrices {
	return WriterPrices{Input: float64(p.Input) / microsPerDollar, Output: float64(p.Output) / microsPerDollar}
}

// TenantWriter is the language model of a tenant's own, which writes its posts in the place of
// the service's writer.
type TenantWriter struct {
	TenantID string `bun:",pk"`
	// URL is the base URL of the endpoint, such as https://host/v1.
	URL string
	// Model is the endpoint's name of the model.
	Model  string
	Prices TokenPrices `bun:"embed:"`
	// Sealed is the sealed key; "" if none is sent.
	Sealed string
	// Error is why the endpoint rejected the last call; nil if it didn't.
	Error     *Failure `bun:"type:jsonb,nullzero"`
	CreatedAt time.Time
	UpdatedAt time.Time
}

// SecretName returns the name with which the writer's key is sealed.
func (w TenantWriter) SecretName() string { return "tenant_writers/" + w.TenantID }

// WriterInput is what PUT /tenant/writer takes.
type WriterInput struct {
	URL   string `json:"url" doc:"The base URL of an endpoint that implements OpenAI's chat completions: https, at a public address" example:"https://api.openai.com/v1"`
	Model string `json:"model" doc:"The endpoint's name of the model: 1 to 200 characters" example:"gpt-5-mini"`
	// Key is nil for the key that there is.
	Key    *string       `json:"key,omitempty" nullable:"true" doc:"The endpoint's key, which is never shown again; absent or null: the one that is stored, if the address is at the same host; empty: none" example:"sk-proj-0000"`
	Prices *WriterPrices `json:"prices,omitempty" doc:"What is charged to missions' budgets; absent: nothing"`
}

// Check validates the input. Errors: invalid_request, naming the field.
func (in WriterInput) Check() error {
	u, err := url.Parse(strings.TrimSpace(in.URL))
	if len(in.URL) > MaxURL {
		return Invalid("url", "The URL must be at most %d bytes long.", MaxURL)
	}
	if err != nil || u.RawQuery != "" || u.ForceQuery {
		return Invalid("url", "Must be a URL without a query.")
	}
	if err := checkLine("model", in.Model, 1, MaxModel); err != nil {
		return err
	}
	if err := checkSecret("key", deref(in.Key, "")); err != nil {
		return err
	}
	prices := deref(in.Prices, WriterPrices{})
	for _, price := range []struct {
		param string
		value float64
	}{{"prices.input", prices.Input}, {"prices.output", prices.Output}} {
		if !(price.value >= 0 && price.value <= MaxWriterPrice) { // NaN is neither
			return Invalid(price.param, "Must be between 0 and %d dollars.", MaxWriterPrice)
		}
	}
	return nil
}

// checkSecret checks a secret that is sent in headers or forms: visible ASCII characters.
func checkSecret(param, secret string) error {
	if len(secret) > MaxCredential {
		return Invalid(param, "At most %d characters are allowed.", MaxCredential)
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Invalid(param, "Only visible ASCII characters are allowed, without spaces.")
	}
	return nil
}

// Set returns the writer with in, which has been checked, and the names of the fields that change.
// The zero TenantWriter is one that isn't there yet. The key stays to be sealed: it is returned
// unless the stored one is kept. Errors: invalid_request on key if the stored one would be sent to
// another host.
func (w TenantWriter) Set(tenantID string, in WriterInput, now time.Time) (set TenantWriter, fields []string, key *string, err error) {
	set = w
	set.TenantID, set.URL, set.Model = tenantID, strings.TrimRight(strings.TrimSpace(in.URL), "/"), strings.TrimSpace(in.Model)
	set.Prices, set.Error, set.UpdatedAt = deref(in.Prices, WriterPrices{}).TokenPrices(), nil, now
	if w.TenantID == "" {
		set.CreatedAt = now
	}
	if in.Key == nil && w.Sealed != "" && originOf(set.URL) != originOf(w.URL) {
		return w, nil, nil, Invalid("key", "The key must be sent with an address at another host: the stored one is not sent there.")
	}
	for _, field := range []struct {
		name    string
		changed bool
	}{
		{"url", set.URL != w.URL}, {"model", set.Model != w.Model}, {"prices", set.Prices != w.Prices}, {"key", in.Key != nil},
	} {
		if field.changed {
			fields = append(fields, field.name)
		}
	}
	return set, fields, in.Key, nil
}

// originOf returns the scheme and the host of an address.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// Notify returns the notification about a writer whose endpoint rejects calls for a reason.
func (w TenantWriter) Notify(id string, f Failure, now time.Time) Notification {
	return Notification{
		ID: id, TenantID: w.TenantID, SubjectID: w.TenantID, CreatedAt: now, Kind: NotifyWriterRejected,
		Message: f.Message + " Nothing is written until the endpoint accepts calls again, or another writer is set.",
	}
}

// TenantApp is a tenant's own application at a platform, to which its accounts' owners consent.
type TenantApp struct {
	TenantID string   `bun:",pk"`
	Platform Platform `bun:",pk"`
	ClientID string
	// Sealed is the sealed secret; "" for a public client.
	Sealed    string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// SecretName returns the name with which the application's secret is sealed.
func (a TenantApp) SecretName() string { return "tenant_apps/" + a.TenantID + "/" + string(a.Platform) }

// AppInput is what PUT /tenant/platforms/:platform takes.
type AppInput struct {
	ClientID string `json:"client_id" doc:"The OAuth 2 client id of the tenant's application" example:"M1M5R3BMVy13QmpScXkzTUt5OE46MTpjaQ"`
	// ClientSecret is nil for the secret that there is.
	ClientSecret *string `json:"client_secret,omitempty" nullable:"true" doc:"Its secret, which is never shown again; absent or null: the one that is stored, if the client id is the same; empty: none, for a public client" example:"c2VjcmV0"`
}

// Check validates the input. Errors: invalid_request, naming the field.
func (in AppInput) Check() error {
	if in.ClientID == "" {
		return Invalid("client_id", "This field is required.")
	}
	if err := checkSecret("client_id", in.ClientID); err != nil {
		return err
	}
	return checkSecret("client_secret", deref(in.ClientSecret, ""))
}

// appPlatforms are the platforms at which a tenant may have an application of its own.
var appPlatforms = []Platform{Twitter, LinkedIn, Threads, Instagram, Facebook}

// CheckAppPlatform checks that a tenant may have an application at a platform. Errors:
// invalid_request on platform.
func CheckAppPlatform(p Platform) error {
	if err := CheckPlatform("platform", p); err != nil {
		return err
	}
	if !TakesApp(p) {
		return Invalid("platform", "%s takes no application of a tenant's own.", p.Name())
	}
	return nil
}

// TakesApp reports whether a tenant may have an application of its own at a platform.
func TakesApp(p Platform) bool { return slices.Contains(appPlatforms, p) }

// Set returns the application with in at a platform, which has been checked, and the names of the
// fields that change. The secret stays to be sealed: it is returned unless the stored one is kept.
// The zero TenantApp is one that isn't there yet. Errors: invalid_request, naming the field.
func (a TenantApp) Set(tenantID string, p Platform, in AppInput, now time.Time) (set TenantApp, fields []string, secret *string, err error) {
	set = a
	set.TenantID, set.Platform, set.ClientID, set.UpdatedAt = tenantID, p, in.ClientID, now
	if a.TenantID == "" {
		set.CreatedAt = now
	}
	if err := in.Check(); err != nil {
		return a, nil, nil, err
	}
	secret = in.ClientSecret
	if set.ClientID != a.ClientID {
		fields, secret = []string{"client_id"}, new(deref(in.ClientSecret, ""))
	}
	if p != Twitter && (secret == nil && a.Sealed == "" || secret != nil && *secret == "") {
		return a, nil, nil, Invalid("client_secret", "This field is required: %s has no public clients.", p.Name())
	}
	if secret != nil {
		fields = append(fields, "client_secret")
	}
	return set, fields, secret, nil
}
