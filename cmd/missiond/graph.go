package main

import (
	"context"
	"fmt"
	"os"

	"missiond/graph"
)

// graphFlags restrict what the GraphQL API executes.
type graphFlags struct {
	PersistedDocuments string `help:"The only GraphQL documents to execute: the persisted-documents.json that graphql-codegen's client preset writes, {\"hash\": \"document\"}." type:"path" placeholder:"FILE"`
}

// open returns the persisted documents by their hashes, or nil without the flag.
func (f graphFlags) open() (map[string]string, error) {
	if f.PersistedDocuments == "" {
		return nil, nil
	}
	file, err := os.Open(f.PersistedDocuments)
	if err != nil {
		return nil, fmt.Errorf("--persisted-documents: %w", err)
	}
	documents, err := graph.ReadDocuments(file)
	_ = file.Close() // it was only read from
	if err != nil {
		return nil, fmt.Errorf("--persisted-documents %s: %w", f.PersistedDocuments, err)
	}
	return documents, nil
}

// startGraph starts the GraphQL API, and follows the event log for its
// subscriptions.
func (a *app) startGraph(background context.Context, f graphFlags, introspection bool) error {
	documents, err := f.open()
	if err != nil {
		return err
	}
	a.graph = graph.New(graph.Options{
		Service: a.service, Accounts: a.accounts, Webhooks: a.webhooks, Integrations: a.integrations, Auth: a.accounts, Limits: a.limits, Requests: a.requests, Feed: a.feed,
		Clock: a.clock, Log: a.log, Introspection: introspection, Documents: documents, Metrics: a.registry,
	})
	a.background(background, a.feed.Run)
	a.background(background, a.graph.Run)
	a.stops = append(a.stops, func(context.Context) error { a.graph.Close(); return nil })
	return nil
}
