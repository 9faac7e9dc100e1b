package endpoint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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

	"missiond/graph/exec"
	"missiond/graph/querylimit"
	"missiond/internal/httpserver"
	"missiond/mission"
)

// documents admits documents before they are validated, whatever the transport: it
// looks up persisted documents, and checks documents that aren't in the cache. It
// also serves as gqlgen's cache of documents: the lookup has already been done by
// then, so a cached document costs one lookup.
type documents struct {
	schema  *ast.Schema
	cache   *documentCache
	allowed *allowList
}

// ExtensionName is the extension's name for gqlgen.
func (documents) ExtensionName() string { return "Documents" }

// Validate accepts every schema.
func (documents) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters replaces a persisted document's name with its text, and
// finds the document in the cache or checks it.
func (d documents) MutateOperationParameters(ctx context.Context, request *graphql.RawParams) *gqlerror.Error {
	query, err := d.allowed.find(request.Query, request.Extensions)
	if err != nil {
		return gqlerror.Wrap(err)
	}
	request.Query = query
	if doc, plans, ok := d.cache.get(d.owner(ctx), query); ok {
		op := graphql.GetOperationContext(ctx)
		op.Doc = doc
		plans.Use(op)
		return nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: query}, maxTokens)
	if err == nil {
		err = querylimit.Check(doc)
	}
	return gqlerror.WrapIfUnwrapped(err)
}

// Get returns the document that MutateOperationParameters found in the cache, if
// any.
func (d documents) Get(ctx context.Context, _ string) (*ast.QueryDocument, bool) {
	doc := graphql.GetOperationContext(ctx).Doc
	return doc, doc != nil
}

// Add caches a validated document, with its plans.
func (d documents) Add(ctx context.Context, query string, doc *ast.QueryDocument) {
	d.cache.add(d.owner(ctx), query, doc, exec.NewPlans(d.schema, doc))
}

// owner returns whose share of the cache a document of ctx's request takes: its
// tenant's or, if only the documents of the allow-list are accepted, everybody's.
func (d documents) owner(ctx context.Context) string {
	if d.allowed.only {
		return common
	}
	return httpserver.Caller(ctx).TenantID
}

// allowList has persisted documents, by name. If only is true, no others may be run.
type allowList struct {
	byName map[string]string
	only   bool
	texts  map[string]bool // those that may be run
}

// newAllowList returns a list with the only documents that may be run, nil if any may,
// besides the known ones.
func newAllowList(only, known map[string]string) *allowList {
	l := &allowList{byName: maps.Clone(known), only: only != nil, texts: map[string]bool{}}
	if l.byName == nil {
		l.byName = map[string]string{}
	}
	maps.Copy(l.byName, only)
	for _, text := range l.byName {
		l.texts[text] = true
	}
	return l
}

// find returns the document that a request sends or names. Errors: invalid_request;
// errNotSupported.
func (l *allowList) find(query string, extensions map[string]any) (string, error) {
	name, named, err := persisted(extensions)
	switch {
	case err != nil:
		return "", err
	case named:
		text, ok := l.byName[name]
		if !ok && !l.only {
			return hashed(query, name)
		}
		if !ok {
			return "", mission.Invalid("extensions.persistedQuery", "There is no persisted document with that sha256Hash.")
		}
		if query != "" && query != text {
			return "", mission.Invalid("", "The query differs from the persisted document with that sha256Hash.")
		}
		return text, nil
	case l.only && !l.texts[query]:
		return "", mission.Invalid("", "Only persisted documents are allowed.")
	}
	return query, nil
}

// errNotSupported is in the words of Apollo's clients, which then send the document itself.
var errNotSupported = &mission.Error{
	Code: "PERSISTED_QUERY_NOT_SUPPORTED", Message: "PersistedQueryNotSupported",
	Param: "extensions.persistedQuery",
}

// hashed returns a document that a request sends with its hash: documents aren't registered by
// requests. Errors: invalid_request for another document's hash; errNotSupported for the hash
// alone.
func hashed(query, hash string) (string, error) {
	if query == "" {
		return "", errNotSupported
	}
	if sum := sha256.Sum256([]byte(query)); !strings.EqualFold(hex.EncodeToString(sum[:]), hash) {
		return "", mission.Invalid("", "The sha256Hash isn't the query's.")
	}
	return query, nil
}

// persisted reads the document's name from a request's extensions in Apollo's form,
// if it is there.
func persisted(extensions map[string]any) (name string, named bool, err error) {
	p, named := extensions["persistedQuery"]
	if !named {
		return "", false, nil
	}
	fields, _ := p.(map[string]any)
	name, ok := fields["sha256Hash"].(string)
	if !ok || fmt.Sprint(fields["version"]) != "1" {
		return "", true, mission.Invalid("", "persistedQuery must have version 1 and a sha256Hash.")
	}
	return name, true, nil
}

// maxDocuments limits the size of the file of persisted documents, in bytes.
const maxDocuments = 10 << 20

// ReadDocuments reads persisted documents as graphql-codegen writes them: a JSON
// object of texts by hash. An error names the document that could never be run; it
// is meant for operators.
func ReadDocuments(r io.Reader) (map[string]string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxDocuments+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxDocuments {
		return nil, fmt.Errorf("the file is larger than %d MiB", maxDocuments>>20)
	}
	var documents map[string]string
	if err := json.Unmarshal(data, &documents); err != nil {
		return nil, fmt.Errorf("the file is not a JSON object of texts: %w", err)
	}
	if documents == nil {
		return nil, fmt.Errorf("the file is not a JSON object of texts: %s", data)
	}
	schema := exec.Schema()
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		if err := sound(schema, documents[name]); err != nil {
			return nil, fmt.Errorf("document %q: %w", name, err)
		}
	}
	return documents, nil
}

// sound checks that a document could be run.
func sound(schema *ast.Schema, text string) error {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, maxTokens)
	if err != nil {
		return err
	}
	if err := querylimit.Check(doc); err != nil {
		return err
	}
	if len(doc.Operations) == 0 {
		return errors.New("it has no operation")
	}
	if errs := validator.ValidateWithRules(schema, doc, querylimit.Rules()); len(errs) > 0 {
		return errs[0]
	}
	return nil
}
