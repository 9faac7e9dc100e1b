// Package output reads what programs and APIs put out: logs, and values of JSON.
package output

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Buffer is the output of a program so far. It may be read while the program writes.
type Buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write appends to the output.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns all that was written.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Tail returns the end of a text, as much of it as a failed test should log.
func Tail(text string) string {
	const most = 6000
	return text[max(0, len(text)-most):]
}

// Between returns what is in a text between one mark and the next other one.
func Between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

// At returns the value at a path of an object.
func At(object map[string]any, path ...string) any {
	var v any = object
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// Decode returns a value of JSON. The test fails with the place if the text isn't one.
func Decode(t *testing.T, place, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%s: %s: %v", place, text, err)
	}
	return v
}

// Fields returns the paths of all fields in a JSON value, sorted. Those of a list are
// the fields of all its items.
func Fields(v any) []string {
	all := map[string]bool{}
	collectFields("", v, all)
	return slices.Sorted(maps.Keys(all))
}

func collectFields(path string, v any, all map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			collectFields(path, item, all)
		}
	case map[string]any:
		for name, value := range v {
			all[path+"."+name] = true
			collectFields(path+"."+name, value, all)
		}
	}
}
