package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	o, err := readOptions([]string{"-only", "rest,create", "-seconds", "0.5", "-sizes", "1000,5000"})
	if err != nil || !slices.Equal(o.only, []string{"rest", "create"}) || o.each != time.Second/2 || !slices.Equal(o.sizes, []int{1000, 5000}) {
		t.Errorf("got %+v, %v", o, err)
	}
	if o, err := readOptions(nil); err != nil || !slices.Contains(o.only, "memory") || o.missions != 100_000 {
		t.Errorf("without flags: %+v, %v", o, err)
	}
	for _, args := range []string{"-only nothing", "-tenants 0", "-missions 3 -tenants 4", "-sizes 10", "-sizes many", "-rounds 0"} {
		if _, err := readOptions(strings.Fields(args)); err == nil {
			t.Errorf("%s is taken", args)
		}
	}
}

func TestForms(t *testing.T) {
	one, err := formOf([]byte(`{"id":"msn_1","name":"A","starts_at":"2026-01-31","pipeline_job_id":"job_1","estimated_posts":2}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, same := range map[string]bool{
		`{"id":"msn_2","name":"A","starts_at":"2026-02-01","pipeline_job_id":"job_2","estimated_posts":2}`:  true,
		`{"id":"msn_2","name":"B","starts_at":"2026-02-01","pipeline_job_id":"job_2","estimated_posts":2}`:  false,
		`{"id":"msn_2","name":"A","starts_at":null,"pipeline_job_id":"job_2","estimated_posts":2}`:          false,
		`{"id":"msn_22","name":"A","starts_at":"2026-02-01","pipeline_job_id":"job_2","estimated_posts":2}`: false,
	} {
		other, err := formOf([]byte(text))
		if err != nil || (one == other) != same {
			t.Errorf("%s has the form %s beside %s, %v", text, other, one, err)
		}
	}
}

func TestMore(t *testing.T) {
	got := more(map[string]int{"a": 1, "b": 2, "c": 3}, map[string]int{"a": 1, "b": 4, "c": 2})
	if want := "b 2, c -1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
