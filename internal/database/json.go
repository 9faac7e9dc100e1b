package database

import (
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/uptrace/bun/extra/bunjson"
)

// jsonColumns reads JSON columns as encoding/json does, in half the time.
type jsonColumns struct{ bunjson.StdProvider }

// Unmarshal reads a column's value.
func (jsonColumns) Unmarshal(data []byte, v any) error { return jsonv1.Unmarshal(data, v) }

func init() { bunjson.SetProvider(jsonColumns{}) }

// registerJSON has a connection read JSON in the same way.
func registerJSON(c *pgx.Conn) {
	c.TypeMap().RegisterType(&pgtype.Type{Name: "jsonb", OID: pgtype.JSONBOID, Codec: &pgtype.JSONBCodec{Marshal: jsonv1.Marshal, Unmarshal: jsonv1.Unmarshal}})
}
