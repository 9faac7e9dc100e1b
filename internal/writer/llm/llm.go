// Package llm writes posts with a language model behind any endpoint that
// implements OpenAI's chat completions.
//
// The model's responses are never trusted: a draft is returned only after
// validation. Its price is bounded before the first call, and no call is made
// that could exceed it.
package llm

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"missiond/internal/clock"
	"missiond/internal/outbound"
	"missiond/mission"
)

// Defaults of Options.
const (
	// DefaultMaxOutputTokens bounds a response.
	DefaultMaxOutputTokens = 1500
	// DefaultCallTimeout bounds a call.
	DefaultCallTimeout = 25 * time.Second
)

// Bounds of Options, which keep sums of money far from overflowing.
const (
	maxTimeout                     = 10 * time.Minute
	maxOutputTokens                = 100_000
	maxPrice        mission.Micros = 10_000_000_000 // 10,000 dollars
)

// Options configure a Writer.
type Options struct {
	// BaseURL is the base URL of the endpoint, such as https://host/v1.
	BaseURL string
	// APIKey is sent as a bearer token; "" sends none.
	APIKey string
	// Model is the endpoint's name of the model.
	Model string
	// InputPrice and OutputPrice are the prices of a million tokens.
	InputPrice, OutputPrice mission.Micros
	// MaxOutputTokens bounds a response; 0 is DefaultMaxOutputTokens.
	MaxOutputTokens int
	// CallTimeout bounds a call; 0 is DefaultCallTimeout.
	CallTimeout time.Duration
	// Client makes the calls; nil is a client for addresses that the operator names.
	Client *http.Client
	// Log receives warnings for operators; nil discards them.
	Log *slog.Logger
	// Tried is called with each response to a writer's calls; nil isn't.
	Tried func(Try)
	// Sleep waits between tries; nil is real time.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Writer writes posts. It is safe for concurrent use.
type Writer struct {
	o      Options
	client *http.Client
	name   mission.WrittenBy
	// supported is the dialect that the endpoint is known to support.
	supported atomic.Pointer[dialect]
}

// OptionError says which of Options is wrong, and why. It never contains the
// key.
type OptionError struct {
	Option string // the field's name
	Wrong  string
}

// Error returns what is wrong.
func (e *OptionError) Error() string { return "llm: option " + e.Option + ": " + e.Wrong }

// New returns a writer. Errors: *OptionError.
func New(o Options) (*Writer, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	w := &Writer{o: o, client: o.client(), name: mission.WrittenBy{Kind: mission.AuthorModel, Model: o.Model, Provider: provider(o.BaseURL)}}
	w.supported.Store(&dialect{})
	return w, nil
}

func (o Options) check() error {
	if strings.TrimSpace(o.Model) == "" {
		return &OptionError{"Model", "the model's name is missing"}
	}
	if strings.ContainsFunc(o.APIKey, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) || r == ' ' }) {
		return &OptionError{"APIKey", "the key contains characters that are not allowed in a header"}
	}
	for _, figure := range []struct {
		option      string
		value, most int64
	}{
		{"InputPrice", int64(o.InputPrice), int64(maxPrice)}, {"OutputPrice", int64(o.OutputPrice), int64(maxPrice)},
		{"MaxOutputTokens", int64(o.MaxOutputTokens), maxOutputTokens}, {"CallTimeout", int64(o.CallTimeout), int64(maxTimeout)},
	} {
		if figure.value < 0 || figure.value > figure.most {
			return &OptionError{figure.option, fmt.Sprintf("%d is not between 0 and %d", figure.value, figure.most)}
		}
	}
	return checkURL(o.BaseURL)
}

func checkURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return &OptionError{"BaseURL", "must be an http or https URL"}
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return &OptionError{"BaseURL", "must not have a user, query or fragment"}
	}
	return nil
}

// provider returns the host of the endpoint, by which its provider is known.
func provider(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

func (o Options) withDefaults() Options {
	if o.MaxOutputTokens == 0 {
		o.MaxOutputTokens = DefaultMaxOutputTokens
	}
	if o.CallTimeout == 0 {
		o.CallTimeout = DefaultCallTimeout
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Sleep == nil {
		o.Sleep = clock.Sleep
	}
	return o
}

// client returns the client of the calls to the endpoint.
func (o Options) client() *http.Client {
	if o.Client != nil {
		return o.Client
	}
	const idle = 16
	return outbound.Rules{}.Trusted(limits(o.CallTimeout, idle))
}

// limits returns the limits of calls to endpoints.
func limits(call time.Duration, idle int) outbound.Options {
	const connect, header, body = 10 * time.Second, 64 << 10, 1 << 20
	return outbound.Options{Call: call, Connect: min(connect, call), Wait: call, Header: header, Body: body, Idle: idle}
}

// Guarded returns a client for addresses that tenants name: it connects to what the rules allow.
// One serves any number of writers with [DefaultCallTimeout].
func Guarded(rules outbound.Rules) *http.Client {
	const idle = 2
	return rules.Client(limits(DefaultCallTimeout, idle))
}

// Remark returns nil: a model writes in the language of the objectives.
func (*Writer) Remark(mission.Brief) *mission.Failure { return nil }

// Supply returns that nothing bounds how many posts a model writes.
func (*Writer) Supply(mission.Brief, []mission.Fact) int { return math.MaxInt }

// Price returns the most that Write may cost: a first call, one that corrects
// its response, and one more for a call without a response.
func (w *Writer) Price(a mission.Assignment) mission.Micros {
	return w.price(newOrder(a))
}

func (w *Writer) price(o order) mission.Micros {
	return w.bound(o.opening()) + 2*w.bound(o.longest())
}

// Write drafts a post within its platform's limits. Draft.Cost is what was
// spent, whatever the error. Errors: a *mission.WritingError if the model can't
// write the post; a *mission.OutageError if the endpoint doesn't respond;
// invalid_request if the platform or the format is unknown, or the brief is too
// long; else the endpoint's or ctx's, which contain neither the key nor the
// brief.
func (w *Writer) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	o := newOrder(a)
	if err := o.check(); err != nil {
		return mission.Draft{}, err
	}
	p := &costTracker{price: w.price(o)}
	d, err := w.write(ctx, o, p)
	if err != nil {
		d = mission.Draft{}
	}
	d.Cost, d.Writer = p.spent, w.name
	return d, err
}

func (w *Writer) write(ctx context.Context, o order, p *costTracker) (mission.Draft, error) {
	response, err := w.complete(ctx, o, o.opening(), p)
	if err != nil {
		return mission.Draft{}, err
	}
	d, first := w.read(o, response)
	if first == nil {
		return d, nil
	}
	if first.kind == refused {
		return d, first.failure()
	}
	response, err = w.complete(ctx, o, o.mending(response.text, first), p)
	if err != nil {
		return mission.Draft{}, err
	}
	d, second := w.read(o, response)
	if second == nil {
		return d, nil
	}
	if second.kind == truncated && first.kind != truncated {
		second.kind = invalid
	}
	return d, second.failure()
}
