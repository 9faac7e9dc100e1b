package endpoint

import (
	"container/list"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"

	"missiond/graph/exec"
)

// Limits of the document cache, in bytes of memory as sizeOf estimates it.
const (
	maxCached = 32 << 20
	// maxKeptTenant is a tenant's share: the documents that only it has sent.
	maxCachedTenant = maxCached / 16
	// maxKeptCommon is the share of documents that several tenants have sent, as
	// those of one frontend are.
	maxCachedCommon = maxCached / 2
)

// common owns the documents of several tenants; no tenant has this id.
const common = "*"

// documentCache is an LRU cache of validated documents. A tenant's documents evict
// only its own; a document that a second tenant sends moves to the common share. It
// is safe for concurrent use.
type documentCache struct {
	mu      sync.Mutex
	byText  map[string]*list.Element // of cachedDocument
	byOwner map[string]*lru
	size    int
}

type lru struct {
	order *list.List // most recently used first
	size  int
}

type cachedDocument struct {
	text, owner string
	document    *ast.QueryDocument
	plans       *exec.Plans
	size        int
}

// documentOf returns the document of an element of an lru's order.
func documentOf(element *list.Element) cachedDocument {
	one, ok := element.Value.(cachedDocument)
	if !ok {
		panic("bug: something else is cached among the documents")
	}
	return one
}

func newDocumentCache() *documentCache {
	return &documentCache{byText: map[string]*list.Element{}, byOwner: map[string]*lru{}}
}

// get returns the cached document with a text, and its plans, for the tenant that
// sends it.
func (c *documentCache) get(tenant, text string) (*ast.QueryDocument, *exec.Plans, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.byText[text]
	if !ok {
		return nil, nil, false
	}
	one := documentOf(element)
	if one.owner == tenant || one.owner == common {
		c.byOwner[one.owner].order.MoveToFront(element)
		return one.document, one.plans, true
	}
	c.drop(element)
	one.owner = common
	c.put(one, maxCachedCommon)
	return one.document, one.plans, true
}

// add caches a document that a tenant sent, with its plans.
func (c *documentCache) add(tenant, text string, document *ast.QueryDocument, p *exec.Plans) {
	one := cachedDocument{
		text: text, owner: tenant, document: document, plans: p, size: sizeOf(text, document) + p.Size(),
	}
	share := maxCachedTenant
	if tenant == common {
		share = maxCachedCommon
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byText[text]; ok || one.size > share {
		return
	}
	c.put(one, share)
}

// put makes room for a document, first within its owner's share and then in the
// whole cache, evicting from the largest share.
func (c *documentCache) put(one cachedDocument, share int) {
	h := c.byOwner[one.owner]
	for h != nil && h.size+one.size > share {
		c.drop(h.order.Back())
		h = c.byOwner[one.owner]
	}
	for c.size+one.size > maxCached {
		c.drop(c.largest().order.Back())
	}
	if h = c.byOwner[one.owner]; h == nil {
		h = &lru{order: list.New()}
		c.byOwner[one.owner] = h
	}
	c.byText[one.text] = h.order.PushFront(one)
	h.size += one.size
	c.size += one.size
}

// largest returns the largest share; the common share is evicted last.
func (c *documentCache) largest() *lru {
	most := c.byOwner[common]
	for owner, h := range c.byOwner {
		if owner != common && (most == nil || most == c.byOwner[common] || h.size > most.size) {
			most = h
		}
	}
	return most
}

func (c *documentCache) drop(element *list.Element) {
	one := documentOf(element)
	h := c.byOwner[one.owner]
	h.order.Remove(element)
	h.size -= one.size
	c.size -= one.size
	delete(c.byText, one.text)
	if h.order.Len() == 0 {
		delete(c.byOwner, one.owner)
	}
}

// The bytes that a document takes besides its text: for itself, for each of its
// parts and for each comment.
const (
	documentSize = 1 << 10
	partSize     = 300
	commentSize  = 200
)

// sizeOf estimates the memory that a document takes, in bytes.
func sizeOf(text string, document *ast.QueryDocument) int {
	parts := 0
	for _, op := range document.Operations {
		parts += 1 + 2*len(op.VariableDefinitions) + partsOfDirectives(op.Directives) + partsOf(op.SelectionSet)
		for _, v := range op.VariableDefinitions {
			parts += partsOfValue(v.DefaultValue) + partsOfDirectives(v.Directives)
		}
	}
	for _, f := range document.Fragments {
		parts += 1 + partsOfDirectives(f.Directives) + partsOf(f.SelectionSet)
	}
	return documentSize + 2*len(text) + parts*partSize + strings.Count(text, "#")*commentSize
}

func partsOf(set ast.SelectionSet) int {
	parts := len(set)
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			parts += partsOfArguments(s.Arguments) + partsOfDirectives(s.Directives) + partsOf(s.SelectionSet)
		case *ast.InlineFragment:
			parts += partsOfDirectives(s.Directives) + partsOf(s.SelectionSet)
		case *ast.FragmentSpread:
			parts += partsOfDirectives(s.Directives)
		}
	}
	return parts
}

func partsOfDirectives(all ast.DirectiveList) int {
	parts := len(all)
	for _, d := range all {
		parts += partsOfArguments(d.Arguments)
	}
	return parts
}

func partsOfArguments(all ast.ArgumentList) int {
	parts := 0
	for _, a := range all {
		parts += 1 + partsOfValue(a.Value)
	}
	return parts
}

func partsOfValue(v *ast.Value) int {
	if v == nil {
		return 0
	}
	parts := 1
	for _, child := range v.Children {
		parts += 1 + partsOfValue(child.Value)
	}
	return parts
}
