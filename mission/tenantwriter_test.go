package mission

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestWriterInput(t *testing.T) {
	good := WriterInput{URL: "https://host.example/v1", Model: "m"}
	for param, change := range map[string]func(in *WriterInput){
		"url":           func(in *WriterInput) { in.URL += "?key=x" },
		"model":         func(in *WriterInput) { in.Model = strings.Repeat("x", MaxModel+1) },
		"key":           func(in *WriterInput) { in.Key = new("a\nb") },
		"prices.input":  func(in *WriterInput) { in.Prices = &WriterPrices{Input: -0.1} },
		"prices.output": func(in *WriterInput) { in.Prices = &WriterPrices{Output: MaxWriterPrice + 1} },
	} {
		in := good
		change(&in)
		var e *Error
		if err := in.Check(); !errors.As(err, &e) || e.Param != param {
			t.Errorf("%s: got %v", param, err)
		}
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}

// A stored key stays with a change at its host alone, and the fields that change are named without
// their values.
func TestSetWriter(t *testing.T) {
	now := time.Date(2026, 11, 26, 8, 0, 0, 0, time.UTC)
	first, fields, key, err := TenantWriter{}.Set("tnt_1", WriterInput{URL: " https://Host.example/v1/ ", Model: "m", Key: new("k"), Prices: &WriterPrices{Input: 0.15, Output: 0.6}}, now)
	if err != nil || key == nil || strings.Join(fields, " ") != "url model prices key" || first.URL != "https://Host.example/v1" {
		t.Fatalf("got %+v, %v, %v", first, fields, err)
	}
	if p := first.Prices; p.Input != 150_000 || p.Output != 600_000 || p.Dollars() != (WriterPrices{Input: 0.15, Output: 0.6}) {
		t.Errorf("got the prices %+v", p)
	}
	first.Sealed, first.Error = "sealed", &Failure{Code: CodeWriterRejected}
	for address, kept := range map[string]bool{
		"https://host.example/v2": true, "http://host.example/v1": false, "https://host.example:8443/v1": false, "https://other.example/v1": false,
	} {
		w, _, key, err := first.Set("tnt_1", WriterInput{URL: address, Model: "m"}, now.Add(time.Hour))
		if (err == nil) != kept || kept && (w.Sealed != "sealed" || key != nil || w.Error != nil || !w.CreatedAt.Equal(now)) {
			t.Errorf("%s: got %+v, %v", address, w, err)
		}
	}
}

func TestSetApp(t *testing.T) {
	now := time.Date(2026, 11, 26, 8, 0, 0, 0, time.UTC)
	public, _, secret, err := TenantApp{}.Set("tnt_1", Twitter, AppInput{ClientID: "own"}, now)
	if err != nil || secret == nil || *secret != "" {
		t.Fatalf("a public client: got %+v, %v", public, err)
	}
	if _, _, _, err := (TenantApp{}).Set("tnt_1", LinkedIn, AppInput{ClientID: "own"}, now); err == nil {
		t.Error("LinkedIn takes a public client")
	}
	public.Sealed = "sealed"
	if _, fields, secret, err := public.Set("tnt_1", Twitter, AppInput{ClientID: "own"}, now); err != nil || secret != nil || len(fields) != 0 {
		t.Errorf("nothing changes: got %v, %v", fields, err)
	}
	if _, fields, secret, err := public.Set("tnt_1", Twitter, AppInput{ClientID: "other"}, now); err != nil || *secret != "" || strings.Join(fields, " ") != "client_id client_secret" {
		t.Errorf("another client has the secret of the one before: %v, %v", fields, err)
	}
	for p, allowed := range map[Platform]bool{Twitter: true, LinkedIn: true, Mastodon: false, Bluesky: false, "x": false} {
		if err := CheckAppPlatform(p); (err == nil) != allowed {
			t.Errorf("%s: got %v", p, err)
		}
	}
}
