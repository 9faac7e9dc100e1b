package exec

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"missiond/internal/jsonwire"
)

// writing is a response, or the part of one that lies below a field of gqlgen's,
// while a plan writes it.
type writing struct {
	ec     *executionContext
	buf    []byte
	ctx    context.Context // of the field whose result is written
	places []place
}

// place is a step of the path from the field whose result is written to what is
// being written.
type place struct {
	field *planned // nil for an element of a list
	index int
	ctx   context.Context // nil until gqlgen needs it
}

// context returns the context of the n'th place, for gqlgen.
func (w *writing) context(n int) context.Context {
	if n < 0 {
		return w.ctx
	}
	p := &w.places[n]
	if p.ctx == nil {
		at := &graphql.FieldContext{}
		if p.field != nil {
			at.Object, at.Field = p.field.field.ObjectDefinition.Name, p.field.field
		} else {
			index := p.index
			at.Index = &index
		}
		p.ctx = graphql.WithFieldContext(w.context(n-1), at)
	}
	return p.ctx
}

func (w *writing) enter(p place) { w.places = append(w.places, p) }
func (w *writing) leave()        { w.places = w.places[:len(w.places)-1] }

// record writes a record as an object. It reports false, and writes nothing, if a
// field is null that must not be.
func (w *writing) record(p *plan, o any) bool {
	start, ok := len(w.buf), true
	w.buf = append(w.buf, '{')
	for i := range p.fields {
		f := &p.fields[i]
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = append(w.buf, f.key...)
		// The rest is resolved even if the object can't be written, for its errors.
		if write := f.writer.write; write != nil && write(w, f, o) {
			continue
		} else if write != nil || !w.resolved(f, o) {
			ok = false
		}
	}
	if !ok {
		w.buf = w.buf[:start]
		return false
	}
	w.buf = append(w.buf, '}')
	return true
}

// resolved has gqlgen resolve a field, and writes the result.
func (w *writing) resolved(f *planned, o any) bool {
	ctx := w.context(len(w.places) - 1)
	if f.below != nil {
		ctx = context.WithValue(ctx, belowKey{}, &below{f, w})
	}
	start := len(w.buf)
	result := f.writer.resolve(ctx, w.ec, f.field, o)
	if _, ok := result.(appended); ok {
		return true
	}
	w.buf = w.buf[:start] // what a plan wrote before it panicked
	switch result {
	case nil:
		w.null()
		return !f.field.Definition.Type.NonNull
	case graphql.Null, graphql.RequiredNull:
		w.null()
		return !f.field.Definition.Type.NonNull && result == graphql.Null
	}
	result.MarshalGQL((*sink)(w))
	return true
}

// resolve has gqlgen resolve and marshal a field of a record.
type resolve func(ctx context.Context, ec *executionContext, field graphql.CollectedField, o any) graphql.Marshaler

func resolved[T any](of func(ec *executionContext, ctx context.Context, field graphql.CollectedField, o *T) graphql.Marshaler) resolve {
	return func(ctx context.Context, ec *executionContext, field graphql.CollectedField, o any) graphql.Marshaler {
		return of(ec, ctx, field, recordOf[T](o))
	}
}

// recordOf returns a record of the type that a writer of the table is for.
func recordOf[T any](o any) *T {
	r, ok := o.(*T)
	if !ok {
		panic(fmt.Sprintf("bug: a writer of %T gets a %T", r, o))
	}
	return r
}

func objectOf[T any](name string, satisfied []string, writers map[string]writer) *object {
	return &object{name: name, satisfied: satisfied, writers: writers, records: func(v any) (one any, list []any, ok bool) {
		switch v := v.(type) {
		case *T:
			return v, nil, v != nil
		case []T:
			list = make([]any, len(v))
			for i := range v {
				list[i] = &v[i]
			}
			return nil, list, v != nil
		}
		return nil, nil, false
	}}
}

type write = func(w *writing, f *planned, o any) bool

func leaf[T any](show func(w *writing, o *T)) write {
	return func(w *writing, _ *planned, o any) bool {
		show(w, recordOf[T](o))
		return true
	}
}

// leaves writes a list of scalars or values of an enum.
func leaves[T, V any](of func(o *T) []V, show func(w *writing, v V)) write {
	return func(w *writing, f *planned, o any) bool {
		list := of(recordOf[T](o))
		if list == nil && !f.field.Definition.Type.NonNull {
			w.null()
			return true
		}
		w.buf = append(w.buf, '[')
		for i, v := range list {
			if i > 0 {
				w.buf = append(w.buf, ',')
			}
			show(w, v)
		}
		w.buf = append(w.buf, ']')
		return true
	}
}

// child writes a record of a record.
func child[T, V any](of func(o *T) *V) write {
	return func(w *writing, f *planned, o any) bool {
		v, nullable := of(recordOf[T](o)), !f.field.Definition.Type.NonNull
		switch {
		case v == nil && !nullable:
			return w.resolved(f, o) // gqlgen has the error for it
		case v == nil:
			w.null()
			return true
		}
		w.enter(place{field: f})
		ok := w.record(f.below, v)
		w.leave()
		if !ok && nullable {
			w.null()
		}
		return ok || nullable
	}
}

// children writes a list of records of a record.
func children[T, V any](of func(o *T) []V) write {
	return func(w *writing, f *planned, o any) bool {
		list, nullable := of(recordOf[T](o)), !f.field.Definition.Type.NonNull
		if list == nil && nullable {
			w.null()
			return true
		}
		w.enter(place{field: f})
		ok := w.list(f.below, len(list), func(i int) any { return &list[i] })
		w.leave()
		if !ok && nullable {
			w.null()
		}
		return ok || nullable
	}
}

// list writes records, none of which may be null.
func (w *writing) list(p *plan, n int, at func(i int) any) bool {
	start, ok := len(w.buf), true
	w.buf = append(w.buf, '[')
	for i := range n {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.enter(place{index: i})
		ok = w.record(p, at(i)) && ok
		w.leave()
	}
	if !ok {
		w.buf = w.buf[:start]
		return false
	}
	w.buf = append(w.buf, ']')
	return true
}

// typenamed writes an object type's name. The field's own definition may be an
// interface's, if a fragment on that has it.
func typenamed(name string) write {
	return func(w *writing, _ *planned, _ any) bool {
		w.text(name)
		return true
	}
}

func (w *writing) null()           { w.buf = append(w.buf, "null"...) }
func (w *writing) text(s string)   { w.buf = appendText(w.buf, s) }
func (w *writing) integer(n int64) { w.buf = strconv.AppendInt(w.buf, n, 10) }
func (w *writing) boolean(b bool)  { w.buf = strconv.AppendBool(w.buf, b) }
func (w *writing) number(f float64) {
	w.buf = fmt.Appendf(w.buf, "%g", f)
}

func (w *writing) dateTime(t time.Time) {
	w.buf = append(w.buf, '"')
	w.buf = jsonwire.AppendTime(w.buf, t)
	w.buf = append(w.buf, '"')
}

// appendText appends a string as JSON.
func appendText(buf []byte, s string) []byte {
	buf = append(buf, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		buf = append(buf, s[start:i]...)
		switch c {
		case '"', '\\':
			buf = append(buf, '\\', c)
		case '\n':
			buf = append(buf, `\n`...)
		case '\r':
			buf = append(buf, `\r`...)
		case '\t':
			buf = append(buf, `\t`...)
		default:
			buf = fmt.Appendf(buf, `\u%04X`, c)
		}
		start = i + 1
	}
	return append(append(buf, s[start:]...), '"')
}

// sink takes what gqlgen's marshalers write.
type sink writing

// Write appends p.
func (s *sink) Write(p []byte) (int, error) {
	s.buf = append(s.buf, p...)
	return len(p), nil
}

// WriteString appends text.
func (s *sink) WriteString(text string) (int, error) {
	s.buf = append(s.buf, text...)
	return len(text), nil
}

// written is the result of a field of the root type, written by its plan.
type written []byte

// MarshalGQL writes the result.
func (b written) MarshalGQL(w io.Writer) { _, _ = w.Write(b) }

// appended is the result of a field below another's plan: its own plan has appended it
// to the response.
type appended struct{}

// MarshalGQL isn't called.
func (appended) MarshalGQL(io.Writer) { panic("bug: the result is in the response already") }

// below is a field that a plan has gqlgen resolve, and the writing to which the field's
// own plan appends.
type below struct {
	*planned

	to *writing
}

// belowKey is the key of a *below in a context.
type belowKey struct{}

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
// it, or v itself if gqlgen must write it.
func (r *Planner) Write(ctx context.Context, v any) any {
	if r == nil {
		return v
	}
	at := graphql.GetFieldContext(ctx)
	t := at.Field.Definition.Type
	of := objects[t.Name()]
	if of == nil || t.Elem != nil && (!t.Elem.NonNull || t.Elem.Elem != nil) {
		return v
	}
	one, list, ok := of.records(v)
	if !ok {
		return v
	}
	p, above := planFor(ctx, at)
	if p == nil {
		return v
	}
	w := &writing{ec: newExecutionContext(graphql.GetOperationContext(ctx), r.schema, nil), ctx: ctx}
	if above != nil {
		w.buf = above.to.buf
	} else {
		w.buf = make([]byte, 0, min(p.expected.Load(), maxExpected))
	}
	if !w.result(p, one, list) {
		return graphql.Null
	}
	if above != nil {
		above.to.buf = w.buf
		return appended{}
	}
	p.expected.Store(int64(len(w.buf)))
	return written(w.buf)
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
