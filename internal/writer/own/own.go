// Package own opens tenants' own language models: the writers of internal/writer/llm, behind
// addresses and keys that tenants name.
package own

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"missiond/internal/outbound"
	"missiond/internal/seal"
	"missiond/internal/writer/llm"
	"missiond/mission"
)

// maxOpen is how many tenants' writers stay open. One that is closed only has to find out again
// what its endpoint supports.
const maxOpen = 1000

// Writers opens tenants' own writers, and keeps those that are in use. All share one pool of
// connections. It is safe for concurrent use.
type Writers struct {
	secrets *seal.Keyring
	client  *http.Client
	log     *slog.Logger

	mu   sync.Mutex
	open map[settings]*Writer
}

// settings are what a writer is made of; a change of any makes another writer.
type settings struct {
	tenantID, url, model, sealed string
	prices                       mission.TokenPrices
}

// New returns no writers yet. They connect to what the rules allow.
func New(secrets *seal.Keyring, rules outbound.Rules, log *slog.Logger) *Writers {
	return &Writers{secrets: secrets, client: llm.Guarded(rules), log: log, open: map[settings]*Writer{}}
}

// Close closes the connections that aren't in use.
func (s *Writers) Close() { s.client.CloseIdleConnections() }

// Open returns a tenant's own writer. Errors: if the key can't be opened.
func (s *Writers) Open(w mission.TenantWriter) (*Writer, error) {
	is := settings{w.TenantID, w.URL, w.Model, w.Sealed, w.Prices}
	s.mu.Lock()
	defer s.mu.Unlock()
	if opened, ok := s.open[is]; ok {
		return opened, nil
	}
	made, err := s.make(w)
	if err != nil {
		return nil, err
	}
	for each := range s.open {
		if len(s.open) < maxOpen {
			break
		}
		delete(s.open, each)
	}
	s.open[is] = made
	return made, nil
}

func (s *Writers) make(w mission.TenantWriter) (*Writer, error) {
	key := ""
	if w.Sealed != "" {
		plain, err := s.secrets.Open(w.SecretName(), w.Sealed)
		if err != nil {
			return nil, fmt.Errorf("open the key of the writer of %s: %w", w.TenantID, err)
		}
		key = string(plain)
	}
	made, err := llm.New(llm.Options{
		BaseURL: w.URL, APIKey: key, Model: w.Model, InputPrice: w.Prices.Input, OutputPrice: w.Prices.Output,
		Client: s.client, Log: s.log.With("tenant", w.TenantID),
	})
	if err != nil {
		return nil, err
	}
	return &Writer{made}, nil
}

// Writer is a tenant's own writer.
type Writer struct{ *llm.Writer }

// Write is the Write of [llm.Writer], but whatever the endpoint does wrong is an outage of the
// tenant's own endpoint: its posts wait until it works.
func (w *Writer) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	d, err := w.Writer.Write(ctx, a)
	return d, waiting(err)
}

// waiting returns the error of a call as one for which posts wait.
func waiting(err error) error {
	var outage *mission.OutageError
	var rejected *llm.RejectedError
	switch {
	case errors.As(err, &outage):
		f := mission.Failure{Code: outage.Failure.Code, Message: "The tenant's own language model doesn't respond."}
		return &mission.OutageError{Failure: f, RetryAfter: outage.RetryAfter, Err: outage.Err}
	case errors.As(err, &rejected):
		f := mission.Failure{Code: mission.CodeWriterRejected, Message: "The endpoint of the tenant's own language model " + rejected.Words() + "."}
		return &mission.OutageError{Failure: f, Err: err}
	}
	return err
}
