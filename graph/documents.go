package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"missiond/graph/guard"
	"missiond/mission"
)

// documents admits documents before they are validated, whatever transport
// brings them: it finds those that are named, and guards those that weren't
// admitted before. It stands in for gqlgen's cache of documents too, whose look
// it has taken ahead, so that a document that is kept costs one look.
type documents struct {
	kept    *keptDocuments
	allowed *allowList
}

// ExtensionName names it for gqlgen.
func (documents) ExtensionName() string { return "Documents" }

// Validate has nothing to say against any schema.
func (documents) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters puts the document's text into a request, and finds
// or guards the document.
func (d documents) MutateOperationParameters(ctx context.Context, request *graphql.RawParams) *gqlerror.Error {
	query, err := d.allowed.find(request.Query, request.Extensions)
	if err != nil {
		return gqlerror.Wrap(err)
	}
	request.Query = query
	if doc, ok := d.kept.get(d.owner(ctx), query); ok {
		graphql.GetOperationContext(ctx).Doc = doc
		return nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, maxTokens)
	if err == nil {
		err = guard.Check(doc)
	}
	return gqlerror.WrapIfUnwrapped(err)
}

// Get returns the document that was kept, if it was.
func (d documents) Get(ctx context.Context, _ string) (*ast.QueryDocument, bool) {
	doc := graphql.GetOperationContext(ctx).Doc
	return doc, doc != nil
}

// Add keeps a document that was validated.
func (d documents) Add(ctx context.Context, query string, doc *ast.QueryDocument) {
	d.kept.add(d.owner(ctx), query, doc)
}

// owner is whose share a document of ctx's request takes: its tenant's, or
// everybody's where the documents are only those of the allow-list.
func (d documents) owner(ctx context.Context) string {
	if d.allowed != nil {
		return common
	}
	return caller(ctx).TenantID
}

// allowList are the only documents that may be run; nil lets any.
type allowList struct {
	byName map[string]string
	texts  map[string]bool
}

func newAllowList(documents map[string]string) *allowList {
	if documents == nil {
		return nil
	}
	l := &allowList{byName: documents, texts: make(map[string]bool, len(documents))}
	for _, text := range documents {
		l.texts[text] = true
	}
	return l
}

// find returns the document of a request, which sends or names it.
func (l *allowList) find(query string, extensions map[string]any) (string, error) {
	name, named, err := persisted(extensions)
	switch {
	case l == nil && named && query == "":
		return "", mission.Invalid("", "There are no persisted documents here: send the document as query.")
	case l == nil:
		return query, nil
	case err != nil:
		return "", err
	case named:
		text, ok := l.byName[name]
		if !ok {
			return "", mission.Invalid("", "There is no persisted document of that sha256Hash.")
		}
		if query != "" && query != text {
			return "", mission.Invalid("", "The query isn't the persisted document of that sha256Hash.")
		}
		return text, nil
	case !l.texts[query]:
		return "", mission.Invalid("", "Only persisted documents are answered here.")
	}
	return query, nil
}

// persisted reads the name of a document that a request's extensions have in
// Apollo's form, if they have one.
func persisted(extensions map[string]any) (name string, named bool, err error) {
	p, named := extensions["persistedQuery"]
	if !named {
		return "", false, nil
	}
	fields, _ := p.(map[string]any)
	name, ok := fields["sha256Hash"].(string)
	if !ok || fmt.Sprint(fields["version"]) != "1" {
		return "", true, mission.Invalid("", "persistedQuery must have the version 1 and a sha256Hash.")
	}
	return name, true, nil
}

// maxDocuments bounds the file of persisted documents.
const maxDocuments = 10 << 20

// ReadDocuments reads persisted documents as graphql-codegen writes them: a JSON
// object of their texts by their hashes. Errors name the document that could
// never be answered; they are for operators.
func ReadDocuments(r io.Reader) (map[string]string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxDocuments+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxDocuments {
		return nil, fmt.Errorf("they are more than %d MiB", maxDocuments>>20)
	}
	var documents map[string]string
	if err := json.Unmarshal(data, &documents); err != nil {
		return nil, fmt.Errorf("they are not a JSON object of texts: %w", err)
	}
	if documents == nil {
		return nil, fmt.Errorf("they are not a JSON object of texts: %s", data)
	}
	schema := NewExecutableSchema(Config{}).Schema()
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		if err := sound(schema, documents[name]); err != nil {
			return nil, fmt.Errorf("document %q: %w", name, err)
		}
	}
	return documents, nil
}

// sound sees that a document could be answered.
func sound(schema *ast.Schema, text string) error {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, maxTokens)
	if err != nil {
		return err
	}
	if err := guard.Check(doc); err != nil {
		return err
	}
	if len(doc.Operations) == 0 {
		return errors.New("it has no operation")
	}
	if errs := validator.ValidateWithRules(schema, doc, guard.Rules()); len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// maxWords bounds a message in bytes: it may repeat what a caller sent.
const maxWords = 1000

// clip shortens a message that is too long.
func clip(message string) string {
	const cut = "…"
	if len(message) <= maxWords {
		return message
	}
	return strings.ToValidUTF8(message[:maxWords-len(cut)], "") + cut
}
