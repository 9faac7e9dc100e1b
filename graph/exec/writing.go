package exec

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"missiond/internal/admission"
	"missiond/internal/jsonwire"
)

// writing is a response, or the part of one that lies below a field of gqlgen's,
// while a plan writes it.
type writing struct {
	ec     *executionContext
	buf    []byte
	ctx    context.Context // of the field whose result is written
	places []place

	taken int   // the bytes of buf that memory was taken for
	err   error // why there is no memory for more; then nothing more is written
}

// takeStep is how many bytes are written before memory is taken for them.
const takeStep = 16 << 10

// fits takes memory for what was written, and reports whether there is some.
func (w *writing) fits(step int) bool {
	if more := len(w.buf) - w.taken; w.err == nil && more >= step {
		if w.err = admission.ResponseOf(w.ctx).Take(int64(more)); w.err == nil {
			w.taken = len(w.buf)
		}
	}
	return w.err == nil
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
		if w.err != nil {
			return false
		}
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
	return w.fits(takeStep)
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
		if w.err != nil {
			return false
		}
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
