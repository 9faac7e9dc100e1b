package exec

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Schema returns the schema that is executed.
func Schema() *ast.Schema { return NewExecutableSchema(Config{}).Schema() }

// Planner writes the results of fields by their plans. A nil one leaves all to gqlgen.
type Planner struct{ schema *executableSchema }

// NewPlanner returns a planner for a schema that NewExecutableSchema returned.
func NewPlanner(schema graphql.ExecutableSchema) *Planner {
	of, ok := schema.(*executableSchema)
	if !ok {
		panic("bug: the schema isn't the generated one")
	}
	return &Planner{of}
}

// maxExpected limits the size of a new buffer, in bytes.
const maxExpected = 1 << 20

// Write returns v, which the resolver of ctx's field returned, as the response has
// it, or v itself if gqlgen must write it. Errors: those of admission.Response.
func (r *Planner) Write(ctx context.Context, v any) (any, error) {
	if r == nil {
		return v, nil
	}
	at := graphql.GetFieldContext(ctx)
	t := at.Field.Definition.Type
	of := objects[t.Name()]
	if of == nil || t.Elem != nil && (!t.Elem.NonNull || t.Elem.Elem != nil) {
		return v, nil
	}
	one, list, ok := of.records(v)
	if !ok {
		return v, nil
	}
	p, above := planFor(ctx, at)
	if p == nil {
		return v, nil
	}
	w := &writing{ec: newExecutionContext(graphql.GetOperationContext(ctx), r.schema, nil), ctx: ctx}
	if above != nil {
		w.buf, w.taken = above.to.buf, above.to.taken
	} else {
		w.buf = make([]byte, 0, min(p.expected.Load(), maxExpected))
	}
	ok = w.result(p, one, list) && (above != nil || w.fits(1))
	switch {
	case w.err != nil:
		if above != nil {
			above.to.err = w.err
		}
		return nil, w.err
	case !ok:
		return graphql.Null, nil
	case above != nil:
		above.to.buf, above.to.taken = w.buf, w.taken
		return appended{}, nil
	}
	p.expected.Store(int64(len(w.buf)))
	all := sizeOf(ctx)
	all.Add(int64(len(w.buf)))
	return &written{w.buf, all}, nil
}

// planFor returns the plan of a field's selection, nil if it has none, and the plan
// above it that has gqlgen resolve it, if there is one.
func planFor(ctx context.Context, at *graphql.FieldContext) (*plan, *below) {
	if above, ok := ctx.Value(belowKey{}).(*below); ok && above.field.Field == at.Field.Field {
		return above.below, above
	}
	if at.Parent != nil && at.Parent.Field.Field == nil && at.Parent.Index == nil {
		return planOf(graphql.GetOperationContext(ctx), at.Field), nil
	}
	return nil, nil
}

// result writes a record, or a list of records if that is nil.
func (w *writing) result(p *plan, one any, list []any) bool {
	if one != nil {
		return w.record(p, one)
	}
	return w.list(p, len(list), func(i int) any { return list[i] })
}

// planOf returns the plan of a field of the root type.
func planOf(op *graphql.OperationContext, field graphql.CollectedField) *plan {
	if kept, ok := op.Stats.GetExtension(plansKey).(*Plans); ok {
		if p := kept.of[planKey{op.Operation, field.Alias}]; p != nil {
			return p
		}
	}
	return compile(op, field)
}

// written is the result of a field of the root type, written by its plan.
type written struct {
	text []byte
	all  *size
}

// MarshalGQL writes the result, which it forgets. gqlgen collects those of all fields in one buffer: it is made as large as it
// will be.
func (b *written) MarshalGQL(w io.Writer) {
	if to, ok := w.(*bytes.Buffer); ok {
		to.Grow(int(b.all.Swap(0)) + restOfResponse)
	}
	_, _ = w.Write(b.text)
	b.text = nil
}

// restOfResponse is about what a response has beside the results that plans wrote, in bytes.
const restOfResponse = 512

// size is the bytes of all results of a response that plans wrote.
type size struct{ atomic.Int64 }

type sizeKey struct{}

// Collecting returns a context for the fields of one response.
func Collecting(ctx context.Context) context.Context {
	return context.WithValue(ctx, sizeKey{}, &size{})
}

// sizeOf returns the size of ctx's response.
func sizeOf(ctx context.Context) *size {
	if s, ok := ctx.Value(sizeKey{}).(*size); ok {
		return s
	}
	return &size{}
}
