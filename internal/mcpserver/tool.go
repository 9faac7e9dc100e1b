package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"missiond/internal/database"
	"missiond/internal/gateway"
	"missiond/internal/httpserver"
	"missiond/internal/jsonwire"
	"missiond/internal/service/idempotency"
	"missiond/mission"
)

// tool is something that agents do.
type tool struct {
	name, title, description string
	// op is what a caller needs to see and call it; it checks those of also itself, where they
	// apply.
	op   mission.Operation
	also []mission.Operation
	// reads reports that it changes nothing, destroys that it may end or remove something, repeats
	// that a second call changes nothing more, world that strangers may see what it does, and posts
	// that each call counts as a post of the agent's. terse is as inputSchema has it.
	reads, destroys, repeats, world, posts, terse bool
	in, out                                       reflect.Type
	run                                           func(ctx context.Context, c *call, args []byte) (any, error)
}

// doing returns a tool that decodes its arguments and does something.
func doing[In, Out any](t tool, do func(ctx context.Context, c *call, in In) (Out, error)) *tool {
	t.in, t.out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	t.run = func(ctx context.Context, c *call, args []byte) (any, error) {
		var in In
		if err := jsonwire.Read(args, &in); err != nil {
			return nil, err
		}
		if t.reads { // what a tool writes is checked as a whole
			if err := checkChoices(in, t.terse); err != nil {
				return nil, err
			}
		}
		return do(ctx, c, in)
	}
	return &t
}

// allTools lists the tools, in the order in which they are listed.
var allTools = sync.OnceValue(func() []*tool {
	return slices.Concat(missionTools(), missionWrites(), postTools(), postWrites(), reviewTools(), resultTools(), mediaTools(), accountTools())
})

// described returns the tool as clients see it.
func (t *tool) described() *mcp.Tool {
	return &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: inputSchema(t.in, t.terse), OutputSchema: outputSchema(t.out),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: t.reads, DestructiveHint: &t.destroys, IdempotentHint: t.reads || t.repeats, OpenWorldHint: &t.world,
		},
	}
}

// once is what every tool that writes takes.
type once struct {
	IdempotencyKey string `json:"idempotency_key,omitempty" doc:"A call repeated with it gets the first answer"`
}

// key returns the idempotency key among a tool's arguments; "" for none.
func (t *tool) key(args []byte) (string, error) {
	var in once
	_ = jsonwire.Value(args, &in) // arguments that can't be read are refused when they are decoded
	if t.reads || in.IdempotencyKey == "" {
		return "", nil
	}
	return in.IdempotencyKey, gateway.CheckKey("idempotency_key", in.IdempotencyKey)
}

// call is a call of a tool.
type call struct {
	*Server

	p    mission.Principal
	tool *tool
	// taken are the operations that it was charged for.
	taken []mission.Operation
	// target is what the call is about, where that isn't the result of its first change, and spends
	// what it lets the service spend.
	target string
	spends mission.Micros
}

// may returns an error unless the caller may do an operation now, and charges it. Errors: those of
// mission.Principal.Check; rate_limit_exceeded.
func (c *call) may(ctx context.Context, ops ...mission.Operation) error {
	for _, op := range ops {
		if err := c.p.Check(op); err != nil {
			return err
		}
		if err := c.limits.TakeOperation(ctx, c.p, op, 1); err != nil {
			return err
		}
		c.taken = append(c.taken, op)
		idempotency.RequestOf(ctx).Allowed(op)
	}
	return nil
}

// adds reports whether the caller may also do an operation, which adds to the answer, and charges it.
func (c *call) adds(ctx context.Context, op mission.Operation) bool {
	return c.p.Check(op) == nil && c.may(ctx, op) == nil
}

// giveBack gives back what a call that has failed was charged.
func (c *call) giveBack(ctx context.Context) {
	for _, op := range c.taken {
		_ = c.limits.TakeOperation(context.WithoutCancel(ctx), c.p, op, -1)
	}
}

// handle returns the protocol's handler of a tool.
func (s *Server) handle(t *tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
		ctx = carried(ctx)
		httpserver.SetOperation(ctx, "mcp."+t.name)
		defer func() {
			if p := recover(); p != nil {
				result, err = failed(errorOf(ctx, httpserver.Panicked(p))), nil
			}
		}()
		args := []byte(req.Params.Arguments)
		if len(args) == 0 {
			args = []byte("{}")
		}
		a := s.answer(ctx, t, args)
		return a.result(), nil
	}
}

// answer is what a call is answered, in the form in which it is stored for a retry.
type answer struct {
	text   []byte
	failed bool
	replay bool
}

func (a answer) result() *mcp.CallToolResult {
	r := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(a.text)}}, IsError: a.failed}
	if !a.failed {
		r.StructuredContent = json.RawMessage(a.text)
	}
	if a.replay {
		r.Meta = mcp.Meta{"missiond/replayed": true}
	}
	return r
}

func failed(shown shownError) *mcp.CallToolResult {
	return answer{text: errorText(shown), failed: true}.result()
}

func errorText(shown shownError) []byte {
	text, err := jsonwire.Marshal(map[string]shownError{"error": shown})
	if err != nil {
		return []byte(`{"error":{"code":"internal_error"}}`)
	}
	return text
}

// answer runs a tool, at most once for the key among its arguments.
func (s *Server) answer(ctx context.Context, t *tool, args []byte) answer {
	p := caller(ctx)
	key, err := t.key(args)
	if err != nil {
		return answer{text: errorText(errorOf(ctx, err)), failed: true}
	}
	if key == "" {
		a, _ := s.work(ctx, p, t, args)
		return a
	}
	ctx, begun, reply, err := s.requests.Begin(ctx, p, key, fingerprint(t, args))
	if err != nil {
		return answer{text: errorText(errorOf(ctx, renamed(err, httpserver.IdempotencyHeader, "idempotency_key"))), failed: true}
	}
	if reply != nil {
		return answer{text: reply.Body, failed: reply.Status != http.StatusOK, replay: true}
	}
	var ending *idempotency.Reply // nil if the tool panics
	defer func() { begun.End(ctx, ending) }()
	a, code := s.work(ctx, p, t, args)
	if code == mission.CodeInternal || code == mission.CodeServiceUnavailable || code == mission.CodeRateLimitExceeded || code == mission.CodeUnauthorized {
		begun.Transient()
	}
	ending = &idempotency.Reply{Status: http.StatusOK, ContentType: "application/json", Body: a.text}
	if a.failed {
		ending.Status = httpserver.StatusOf(code)
	}
	return a
}

// fingerprint identifies a call of a tool by its arguments, in whatever order they are.
func fingerprint(t *tool, args []byte) string {
	var in any
	if json.Unmarshal(args, &in) == nil {
		if sorted, err := json.Marshal(in); err == nil {
			args = sorted
		}
	}
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "mcp %s ", t.name)
	_, _ = h.Write(args)
	return hex.EncodeToString(h.Sum(nil))
}

// maxAnswer bounds an answer, in bytes: 25,000 tokens of three bytes.
const maxAnswer = 74_000

// work runs a tool. code is that of the error that it failed with.
func (s *Server) work(ctx context.Context, p mission.Principal, t *tool, args []byte) (a answer, code mission.Code) {
	c := &call{Server: s, p: p, tool: t}
	out, err := c.do(ctx, args)
	if err == nil {
		a.text, err = jsonwire.Marshal(out)
	}
	if err == nil && len(a.text) > maxAnswer {
		err = fmt.Errorf("%w: %d bytes of %s", errTooLong, len(a.text), t.name)
	}
	if err != nil {
		c.giveBack(ctx)
		shown := errorOf(ctx, err)
		return answer{text: errorText(shown), failed: true}, shown.Code
	}
	return a, ""
}

func (c *call) do(ctx context.Context, args []byte) (any, error) {
	if err := c.may(ctx, c.tool.op); err != nil {
		return nil, err
	}
	if !c.tool.reads {
		idempotency.RequestOf(ctx).Mutates()
		ctx = database.Metered(c.charging(ctx), nil) // what was changed isn't refused for its answer
	}
	return c.tool.run(ctx, c, args)
}
