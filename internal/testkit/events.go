package testkit

import (
	"bytes"
	"database/sql"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"missiond/internal/testkit/await"
	"missiond/mission"
)

// eventSchemas are the schemas of events, by type.
var eventSchemas = sync.OnceValues(func() (map[mission.EventType]*jsonschema.Schema, error) {
	compiled := map[mission.EventType]*jsonschema.Schema{}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	for _, t := range append(mission.AllEventTypes(), mission.EventWebhookTest) {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(t.Kind().Schema))
		if err != nil {
			return nil, err
		}
		name := "https://missiond.test/" + string(t)
		if err := compiler.AddResource(name, doc); err != nil {
			return nil, err
		}
		if compiled[t], err = compiler.Compile(name); err != nil {
			return nil, err
		}
	}
	return compiled, nil
})

// CheckEvent fails the test where an event, as it is sent, isn't what its
// type's schema says.
func CheckEvent(t testing.TB, kind mission.EventType, body []byte) {
	t.Helper()
	schemas, err := eventSchemas()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("the event %s: %v", body, err)
	}
	if schemas[kind] == nil {
		t.Fatalf("the event type %q has no schema", kind)
	}
	if err := schemas[kind].Validate(doc); err != nil {
		t.Errorf("the event %s isn't what its schema says: %v", body, err)
	}
}

// checkEvents fails the test where an event in a database isn't what its schema
// says.
func checkEvents(t testing.TB, driver, address string) {
	t.Helper()
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	ctx, cancel := await.Context()
	defer cancel()
	rows, err := db.QueryContext(ctx, "SELECT type, body FROM events")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var kind mission.EventType
		var body []byte
		if err := rows.Scan(&kind, &body); err != nil {
			t.Fatal(err)
		}
		CheckEvent(t, kind, body)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}
