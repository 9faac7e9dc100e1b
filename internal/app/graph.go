package app

import (
	"fmt"
	"os"

	"missiond/graph/endpoint"
)

// GraphOptions restrict what the GraphQL API executes.
type GraphOptions struct {
	PersistedDocuments string `help:"The only GraphQL documents to execute: the persisted-documents.json that graphql-codegen's client preset writes, {\"hash\": \"document\"}." type:"path" placeholder:"FILE"`
}

// open returns the persisted documents by their hashes, or nil without the option.
func (o GraphOptions) open() (map[string]string, error) {
	if o.PersistedDocuments == "" {
		return nil, nil
	}
	file, err := os.Open(o.PersistedDocuments)
	if err != nil {
		return nil, fmt.Errorf("--persisted-documents: %w", err)
	}
	documents, err := endpoint.ReadDocuments(file)
	_ = file.Close() // it was only read from
	if err != nil {
		return nil, fmt.Errorf("--persisted-documents %s: %w", o.PersistedDocuments, err)
	}
	return documents, nil
}
