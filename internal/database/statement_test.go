package database

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
	"pgregory.net/rapid"
)

type sample struct {
	bun.BaseModel `bun:"table:samples,alias:s"`

	ID    string `bun:",pk"`
	Name  *string
	Note  string `bun:",nullzero"`
	N     int
	Size  *int64
	Rate  float64
	On    bool
	At    time.Time
	Ended *time.Time
	Data  []byte
	List  []string `bun:"type:jsonb"`
}

var drawn = rapid.Custom(func(t *rapid.T) sample {
	text := rapid.StringMatching(`([^\x00]|'|\$1|\\)*`)
	at := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "at")).UTC()
	s := sample{
		ID: text.Draw(t, "id"), N: rapid.Int().Draw(t, "n"), Rate: rapid.Float64Range(-1e6, 1e6).Draw(t, "rate"), On: rapid.Bool().Draw(t, "on"), At: at,
		Data: rapid.SliceOf(rapid.Byte()).Draw(t, "data"), List: rapid.SliceOf(text).Draw(t, "list"),
	}
	if rapid.Bool().Draw(t, "full") {
		name, size := text.Draw(t, "name"), rapid.Int64().Draw(t, "size")
		s.Name, s.Size, s.Ended, s.Note = &name, &size, &at, name
	}
	return s
})

// A statement with its values beside it says what bun would have written into its text, in
// both dialects, and its text is the same whatever the values are.
func TestRender(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]schema.Dialect{"postgres": pgdialect.New(), "sqlite": sqlitedialect.New()} {
		b := newBuilder(d)
		queries := map[string]func(rows []sample) Query{
			"insert": func(rows []sample) Query { return b.NewInsert().Model(&rows) },
			"update": func(rows []sample) Query { return b.NewUpdate().Model(&rows[0]).WherePK() },
			"bulk":   func(rows []sample) Query { return b.NewUpdate().Model(&rows).Column("n", "at", "name").Bulk() },
			"select": func(rows []sample) Query {
				return b.NewSelect().Model((*sample)(nil)).Where("(s.at, s.id) > (?, ?)", rows[0].At, rows[0].ID).Where("s.n = ?", Int(rows[0].N)).
					Where("?", In("s.id", []string{rows[0].ID, rows[1].ID})).Where("s.kind = 'constant'")
			},
		}
		texts := map[string]string{}
		rapid.Check(t, func(t *rapid.T) {
			rows := []sample{drawn.Draw(t, "first"), drawn.Draw(t, "second")}
			for kind, query := range queries {
				s, err := b.render(query(rows), false)
				if err != nil {
					t.Fatal(err)
				}
				if texts[kind] == "" {
					texts[kind] = s.text
				}
				if s.text != texts[kind] {
					t.Errorf("%s, %s: another text: %s", name, kind, s.text)
				}
				literal, err := query(rows).AppendQuery(schema.NewQueryGen(b.dialect), nil)
				if err != nil {
					t.Fatal(err)
				}
				if got := filled(b, s); got != string(literal) && !(kind == "select" && b.Lateral()) {
					t.Errorf("%s, %s:\n%s\nwant\n%s", name, kind, got, literal)
				}
			}
		})
	}
}

// filled returns a statement's text with its values in it, as bun writes them.
func filled(b Builder, s statement) string {
	var out strings.Builder
	parts := strings.Split(s.text, "$")
	out.WriteString(parts[0])
	for _, part := range parts[1:] {
		digits := len(part) - len(strings.TrimLeft(part, "0123456789"))
		n, _ := strconv.Atoi(part[:digits])
		var literal []byte
		switch v := s.values[n-1].(type) {
		case nil:
			literal = []byte("NULL")
		case int64, float64:
			literal = fmt.Append(nil, schema.NewQueryGen(b.dialect).FormatQuery("?", v))
		case bool:
			literal = b.dialect.AppendBool(nil, v)
		case []byte:
			literal = b.dialect.AppendBytes(nil, v)
		case string:
			literal = b.dialect.AppendString(nil, v)
		}
		out.Write(literal)
		out.WriteString(part[digits:])
	}
	return out.String()
}

// JSON is stored as it is, whatever its texts are, but for NUL.
func TestStorable(t *testing.T) {
	t.Parallel()
	pieces := rapid.SliceOf(rapid.SampledFrom([]string{`\`, "u0000", "\x00", `"`, "'", "0", "é", "\n"}))
	for name, d := range map[string]schema.Dialect{"postgres": pgdialect.New(), "sqlite": sqlitedialect.New()} {
		b := newBuilder(d)
		rapid.Check(t, func(t *rapid.T) {
			want := strings.Join(pieces.Draw(t, "pieces"), "")
			v, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			want = strings.ReplaceAll(want, "\x00", nulEscape)
			r := &recorder{dialect: b.dialect}
			r.AppendJSON(nil, v)
			for _, stored := range []string{r.values[0].(string), unquoted(b.dialect.AppendJSON(nil, v))} {
				got := ""
				if err := json.Unmarshal([]byte(stored), &got); err != nil || got != want {
					t.Fatalf("%s: %s is stored as %s: %v", name, v, stored, err)
				}
			}
		})
	}
}

// What bun can't say to a database isn't said.
func TestRenderRefuses(t *testing.T) {
	t.Parallel()
	b := newBuilder(pgdialect.New())
	for name, q := range map[string]Query{
		"a text with NUL": b.NewRaw("SELECT ?", "a\x00b"),
		"a bad argument":  b.NewInsert().Model(&sample{ID: "\x00"}),
	} {
		if _, err := b.render(q, false); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := b.NewSelect().Model((*sample)(nil)).Exec(t.Context()); err == nil {
		t.Error("a statement was run by its own method")
	}
}

// A statement with many values has them in its text, and a planned one too.
func TestLiteral(t *testing.T) {
	t.Parallel()
	b := newBuilder(pgdialect.New())
	many := make([]sample, maxValues/10+1)
	for _, c := range []struct {
		q       Query
		planned bool
		literal bool
	}{{b.NewInsert().Model(&many), false, true}, {b.NewRaw("SELECT ?", "a"), false, false}, {b.NewRaw("SELECT ?", "a"), true, true}} {
		s, err := b.render(c.q, c.planned)
		if err != nil || (s.literal != "") != c.literal {
			t.Errorf("%.40s: %v, %.40s", s.text, err, s.literal)
		}
	}
}

// What a record states, a row that embeds it writes, and one that embeds that row: no list as an
// empty one, unless it may be NULL, and durations in milliseconds.
func TestEmbeddedRecord(t *testing.T) {
	t.Parallel()
	type record struct {
		ID      string `bun:",pk"`
		List    []string
		Perhaps []string `bun:",nullzero"`
		Data    []byte
		Took    time.Duration `bun:"took_ms"`
		Whole   sampleWhole   `bun:"embed:"`
		Shown   string        `bun:"-"`
	}
	type row struct {
		bun.BaseModel `bun:"table:samples,alias:s"`
		record

		Extra int
	}
	type more struct {
		row `bun:",extend"`

		Found string `bun:",scanonly"`
	}
	for name, d := range map[string]schema.Dialect{"postgres": pgdialect.New(), "sqlite": sqlitedialect.New()} {
		b := newBuilder(d)
		made := row{record: record{ID: "a", Took: 1500 * time.Millisecond}, Extra: 7}
		for kind, model := range map[string]any{"a row": &made, "a row of a row": &more{row: made}, "again": &made} {
			s, err := b.render(b.NewInsert().Model(model), false)
			if err != nil {
				t.Fatal(err)
			}
			want := `INSERT INTO "samples" ("id", "list", "perhaps", "data", "took_ms", "begun", "extra") VALUES ($1, $2, $3, $4, $5, $6, $7)`
			if !strings.HasPrefix(s.text, want) {
				t.Errorf("%s, %s: %s, want %s", name, kind, s.text, want)
			}
			if got := fmt.Sprintf("%#v", s.values); got != `[]interface {}{"a", "[]", interface {}(nil), interface {}(nil), 1500, interface {}(nil), 7}` {
				t.Errorf("%s, %s: %s", name, kind, got)
			}
		}
	}
}

type sampleWhole struct {
	Begun *time.Time
}
