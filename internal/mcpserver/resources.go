package mcpserver

import (
	"context"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"missiond/internal/jsonwire"
	"missiond/mission"
)

// resource is something that clients may attach to a conversation.
type resource struct {
	// template is its address, which ends with {id} or is the address itself.
	template, name, title, description string
	op                                 mission.Operation
	read                               func(ctx context.Context, c *call, id string) (any, error)
}

const idPart = "{id}"

// allResources lists the resources.
var allResources = sync.OnceValue(func() []*resource {
	return []*resource{
		{
			template: "missiond://missions/" + idPart, name: "mission", title: "A mission", op: mission.OpMissionsRead,
			description: "A mission with its brief, as mission_get with detail full.",
			read: func(ctx context.Context, c *call, id string) (any, error) {
				return getMission(ctx, c, missionGetIn{missionIn{id}, detailed{detailFull}})
			},
		},
		{
			template: "missiond://posts/" + idPart, name: "post", title: "A post", op: mission.OpContentRead,
			description: "A post with its preview and record, as post_get with detail full.",
			read: func(ctx context.Context, c *call, id string) (any, error) {
				return getPost(ctx, c, postGetIn{postIn{id}, detailed{detailFull}})
			},
		},
		{
			template: "missiond://brand", name: "brand", title: "The brand", op: mission.OpTenantRead,
			description: "The voice, audience, words and facts of the tenant's brand.", read: readBrand,
		},
	}
})

// resourceOf returns the resource of an address, with the id in it.
func resourceOf(uri string) (res *resource, id string, ok bool) {
	for _, each := range allResources() {
		prefix, named := strings.CutSuffix(each.template, idPart)
		if id, ok := strings.CutPrefix(uri, prefix); ok && (named && id != "" || id == "") {
			return each, id, true
		}
	}
	return nil, "", false
}

// addResource adds a resource to a server.
func (s *Server) addResource(server *mcp.Server, res *resource) {
	handle := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return s.read(carried(ctx), req.Params.URI)
	}
	if strings.HasSuffix(res.template, idPart) {
		server.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: res.template, Name: res.name, Title: res.title, Description: res.description, MIMEType: "application/json",
		}, handle)
		return
	}
	server.AddResource(&mcp.Resource{URI: res.template, Name: res.name, Title: res.title, Description: res.description, MIMEType: "application/json"}, handle)
}

// read reads a resource as a tool that reads it would.
func (s *Server) read(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	res, id, ok := resourceOf(uri)
	if !ok {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	c := &call{Server: s, p: caller(ctx), tool: &tool{name: res.name, op: res.op, reads: true}}
	var text []byte
	err := c.may(ctx, res.op)
	if err == nil {
		var shown any
		if shown, err = res.read(ctx, c, id); err == nil {
			text, err = jsonwire.Marshal(shown)
		}
	}
	switch {
	case mission.CodeOf(err) == mission.CodeNotFound:
		c.giveBack(ctx)
		return nil, mcp.ResourceNotFoundError(uri)
	case err != nil:
		c.giveBack(ctx)
		return nil, protocolError(errorOf(ctx, err))
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(text)}}}, nil
}

// brand is a tenant's brand.
type brand struct {
	Name           Text   `json:"name"`
	Voice          *Text  `json:"voice,omitempty"`
	Audience       *Text  `json:"audience,omitempty"`
	Website        *Text  `json:"website,omitempty"`
	Language       string `json:"language,omitempty"`
	ExcludedTopics []Text `json:"excluded_topics"`
	RequiredWords  []Text `json:"required_words"`
	BannedWords    []Text `json:"banned_words"`
	Emoji          string `json:"emoji"`
	Hashtags       []Text `json:"hashtags"`
	Facts          []Text `json:"facts"`
	Examples       []Text `json:"examples"`
	MaxHashtags    *int   `json:"max_hashtags,omitempty"`
	MayApprove     bool   `json:"agents_may_approve"`
}

// maxWords is how many words of a brand are shown.
const maxWords = 100

func readBrand(ctx context.Context, c *call, _ string) (any, error) {
	t, err := c.accounts.Tenant(ctx, c.p)
	if err != nil {
		return nil, err
	}
	b := t.Brand
	shown := brand{
		Name: cutTo(b.Name, fromTenant, nameBytes), Voice: some(b.Voice, fromTenant, longBytes), Audience: some(b.Audience, fromTenant, longBytes),
		Website: some(b.Website, fromTenant, itemBytes), Language: b.Language, Emoji: string(b.Emoji), MaxHashtags: b.Hashtags.Max, MayApprove: c.p.AgentsMayApprove,
		ExcludedTopics: cutAll(b.ExcludedTopics, fromTenant, maxItems, itemBytes), RequiredWords: cutAll(b.RequiredWords, fromTenant, maxWords, nameBytes),
		BannedWords: cutAll(b.BannedWords, fromTenant, maxWords, nameBytes), Hashtags: cutAll(b.Hashtags.Always, fromTenant, maxWords, nameBytes),
		Examples: cutAll(b.Examples, fromTenant, maxItems, longBytes), Facts: []Text{},
	}
	for _, fact := range b.Facts[:min(len(b.Facts), maxWords)] {
		shown.Facts = append(shown.Facts, cutTo(fact.Text, fromTenant, itemBytes))
	}
	return shown, nil
}
