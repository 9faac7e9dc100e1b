package mcpserver

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/mission"
)

// schema is a JSON Schema.
type schema map[string]any

// choices are the closed sets of values that arguments of these types have.
var choices = map[reflect.Type][]string{
	reflect.TypeFor[mission.Platform]():      names(mission.AllPlatforms()),
	reflect.TypeFor[mission.Status]():        names(mission.AllStatuses()),
	reflect.TypeFor[mission.ContentStatus](): names(mission.AllContentStatuses()),
	reflect.TypeFor[mission.Cadence]():       names(mission.AllCadences()),
	reflect.TypeFor[mission.Metric]():        names(mission.AllMetrics()),
	reflect.TypeFor[mission.Grouping]():      names(mission.AllGroupings()),
}

func names[T ~string](list []T) []string {
	all := make([]string, len(list))
	for i, each := range list {
		all[i] = string(each)
	}
	return all
}

// inputSchema returns the schema of a tool's arguments; a terse one if another tool's says what they are.
func inputSchema(t reflect.Type, terse bool) schema {
	return (&drawing{input: true, terse: terse, defs: schema{}}).object(t)
}

// checkChoices returns an error if an argument, or an item of one, isn't among the values that its schema has; a terse one has
// those of few. Errors: invalid_request.
func checkChoices(in any, terse bool) error {
	d, v := &drawing{input: true, terse: terse}, reflect.ValueOf(in)
	for _, f := range fieldsOf(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		s, given := d.field(f), reflect.Indirect(v.FieldByIndex(f.Index))
		if !given.IsValid() || given.IsZero() {
			continue // it is left out
		}
		if items, ok := s["items"].(schema); ok {
			for i := range given.Len() {
				if err := items.check(fmt.Sprintf("%s[%d]", name, i), given.Index(i)); err != nil {
					return err
				}
			}
		} else if err := s.check(name, given); err != nil {
			return err
		}
	}
	return nil
}

func (s schema) check(param string, given reflect.Value) error {
	if list, ok := s["enum"].([]string); ok && !slices.Contains(list, given.String()) {
		return mission.Invalid(param, "Unknown value %.40q: must be one of %s.", given.String(), strings.Join(list, ", "))
	}
	return nil
}

// outputSchema returns the schema of a tool's result. It is what costs a model most of a list, so it
// says no more than names tell: types that it has more than once are defined once, and what has no
// type is a string.
func outputSchema(t reflect.Type) schema {
	d := &drawing{defs: schema{}, uses: map[reflect.Type]int{}}
	d.count(t)
	s := d.object(t)
	s["type"] = "object"
	if len(d.defs) > 0 {
		s["$defs"] = d.defs
	}
	return s
}

// drawing is a schema being made.
type drawing struct {
	input bool
	terse bool // without what fields' tags say of them
	defs  schema
	uses  map[reflect.Type]int
}

// count counts the uses of the types of structs in t.
func (d *drawing) count(t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	if d.uses[t]++; d.uses[t] > 1 {
		return
	}
	for _, f := range fieldsOf(t) {
		d.count(f.Type)
	}
}

// fieldsOf returns the fields of a struct as JSON has them, those of embedded structs among them.
func fieldsOf(t reflect.Type) (list []reflect.StructField) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && f.IsExported() && name != "-" && name != "" && t != reflect.TypeFor[time.Time]() {
			list = append(list, f)
		}
	}
	return list
}

func (d *drawing) object(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	for _, f := range fieldsOf(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		properties[name] = d.field(f)
		if d.input && !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	s := schema{"properties": properties}
	if d.input {
		s["type"], s["additionalProperties"] = "object", false
	}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// field returns the schema of a field, with what its tags say.
func (d *drawing) field(f reflect.StructField) schema {
	s := d.of(f.Type)
	if doc := f.Tag.Get("doc"); doc != "" && !d.terse {
		s["description"] = doc
	}
	switch list := f.Tag.Get("enum"); list {
	case "":
	case "-":
		delete(s, "enum") // a filter: what there is, is in what it filters
	default:
		s["enum"] = strings.Split(list, ",")
	}
	for _, bound := range []string{"minimum", "maximum", "maxLength", "maxItems"} {
		if n, err := strconv.Atoi(f.Tag.Get(bound)); err == nil {
			s[bound] = n
		}
	}
	return s
}

// of returns the schema of a type.
func (d *drawing) of(t reflect.Type) schema {
	switch {
	case !d.input && (t == reflect.TypeFor[time.Time]() || t.Kind() == reflect.String):
		return schema{}
	case t == reflect.TypeFor[time.Time]():
		return schema{"type": "string", "format": "date-time"}
	case t.Kind() == reflect.Pointer:
		return d.of(t.Elem())
	case t.Kind() == reflect.Slice:
		items := d.of(t.Elem())
		if !d.input && len(items) > 0 {
			return schema{"items": items}
		}
		return schema{"type": "array", "items": items}
	case t.Kind() == reflect.Map:
		return schema{"type": "object", "additionalProperties": d.of(t.Elem())}
	case t.Kind() == reflect.Struct:
		return d.structure(t)
	}
	s := schema{"type": map[reflect.Kind]string{
		reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer", reflect.Float64: "number", reflect.String: "string",
	}[t.Kind()]}
	if list := choices[t]; list != nil && d.input && !d.terse {
		s["enum"] = slices.Clone(list)
	}
	return s
}

// structure returns the schema of a struct, or a reference to it.
func (d *drawing) structure(t reflect.Type) schema {
	if d.input || d.uses[t] < 2 && t != reflect.TypeFor[Text]() {
		return d.object(t)
	}
	name := strings.ToLower(t.Name())
	if d.defs[name] == nil {
		d.defs[name] = schema{} // it may refer to itself
		s := d.object(t)
		if t == reflect.TypeFor[Text]() {
			s["description"] = textNote
		}
		d.defs[name] = s
	}
	return schema{"$ref": "#/$defs/" + name}
}
