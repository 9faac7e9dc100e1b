package jsonwire

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"missiond/mission"
)

func TestWhatIsWritten(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 600_000_000, time.FixedZone("x", 3600))
	got, err := Marshal(struct {
		At    time.Time  `json:"at"`
		None  *time.Time `json:"none"`
		Items []string   `json:"items"`
	}{At: at})
	if want := `{"at":"2026-01-02T02:04:05.600Z","none":null,"items":[]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// Every way in which a body can be wrong names what is wrong.
func TestWhatIsRefused(t *testing.T) {
	for body, param := range map[string]string{
		"":                                       "",
		" ":                                      "",
		"null x":                                 "",
		"{":                                      "",
		`{"name":"a"} {}`:                        "",
		"{\"name\":\"\xff\"}":                    "name",
		`{"name":"\ud800"}`:                      "name",
		`{"kpis":[{"metric":"\udc00x"}]}`:        "kpis[0].metric",
		`{"name":"a\u0000"}`:                     "name",
		`{"objectives":["x","\u001b"]}`:          "objectives[1]",
		"{\"a\u0085\":1}":                        "a\u0085",
		`{"name":"\x"}`:                          "",
		`[]`:                                     "",
		`{"name":1}`:                             "name",
		`{"Name":"a"}`:                           "Name",
		`{"name":"a","name":"b"}`:                "name",
		`{"kpis":[{},{"metric":{}}]}`:            "kpis[1].metric",
		`{"kpis":[{"nope":1}]}`:                  "kpis[0].nope",
		`{"constraints":{"tone":3}}`:             "constraints.tone",
		`{"constraints":{"a.b/c~d":3}}`:          "constraints.a.b/c~d",
		`{"duration_days":1e99}`:                 "duration_days",
		`{"duration_days":1.5}`:                  "duration_days",
		`{"platforms":"twitter"}`:                "platforms",
		`{"starts_at":"2026-13-01"}`:             "starts_at",
		`{"starts_at":"2026-01-01 10:00"}`:       "starts_at",
		`{"starts_at":5}`:                        "starts_at",
		`{"duration_days":9e99}`:                 "duration_days",
		`{"duration_days":"2"}`:                  "duration_days",
		`{"name":null}`:                          "name",
		`{"objectives":null}`:                    "objectives",
		`{"objectives":["a",null]}`:              "objectives[1]",
		`{"kpis":[null]}`:                        "kpis[0]",
		`{"kpis":[{"target":null}]}`:             "kpis[0].target",
		`{"constraints":null}`:                   "constraints",
		`{"constraints":{"posting_times":null}}`: "constraints.posting_times",
	} {
		var in mission.CreateInput
		var e *mission.Error
		if err := Read([]byte(body), &in); !errors.As(err, &e) || e.Code != mission.CodeInvalidRequest || e.Param != param || e.Message == "" {
			t.Errorf("%s answers %v, want an invalid_request on %q", body, err, param)
		}
	}
}

// Null is accepted where the field's tag says so, and for the whole; integers may be written
// as any number, and times in lower case.
func TestWhatIsRead(t *testing.T) {
	for body, want := range map[string]mission.CreateInput{
		`null`: {}, `{"description":null,"starts_at":null,"start_immediately":null}`: {},
		`{"constraints":{"tone":null,"budget_cents":null},"kpis":[{"metric":"likes","platform":null}]}`: {
			Constraints: &mission.ConstraintsInput{}, KPIs: []mission.KPIInput{{Metric: mission.Likes}},
		},
		`{"duration_days":2.0}`: {DurationDays: ref(2)}, `{"duration_days":2e1}`: {DurationDays: ref(20)}, `{"duration_days":-20.00e-1}`: {DurationDays: ref(-2)},
		`{"starts_at":"2026-01-31t09:30:00z"}`: {StartsAt: ref(time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC))},
	} {
		var in mission.CreateInput
		if err := Read([]byte(body), &in); err != nil || !reflect.DeepEqual(in, want) {
			t.Errorf("%s is %+v, %v", body, in, err)
		}
	}
}

func ref[T any](v T) *T { return &v }

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"name":"a","objectives":["x"],"platforms":["twitter"],"kpis":[{"metric":"likes","target":1}],"duration_days":1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var in mission.CreateInput
		if err := Read(body, &in); err != nil {
			if mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Fatalf("%q: got %v", body, err)
			}
			return
		}
		if _, _, err := mission.New("msn_1", "tnt_1", in, time.Unix(0, 0)); err != nil && mission.CodeOf(err) != mission.CodeInvalidRequest {
			t.Fatalf("%q: got %v", body, err)
		}
	})
}

func TestAppendTime(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(-62135596800000, 253402300799999).Draw(rt, "ms")).Add(time.Duration(rapid.IntRange(0, 999_999).Draw(rt, "ns")))
		at = at.In(time.FixedZone("", rapid.IntRange(-50_000, 50_000).Draw(rt, "offset")))
		if got, want := string(AppendTime([]byte("x"), at)), "x"+at.UTC().Format(TimeFormat); got != want {
			rt.Fatalf("got %s, want %s", got, want)
		}
	})
}

func BenchmarkAppendTime(b *testing.B) {
	at, buf := time.Now(), make([]byte, 0, 64)
	b.Run("AppendTime", func(b *testing.B) {
		for b.Loop() {
			buf = AppendTime(buf[:0], at)
		}
	})
	b.Run("AppendFormat", func(b *testing.B) {
		for b.Loop() {
			buf = at.UTC().AppendFormat(buf[:0], TimeFormat)
		}
	})
}
