package llm

import (
	"context"
	"sync"
	"testing"
	"time"

	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
)

const (
	testKey   = "sk-test-0123456789"
	testModel = "stub-1"
)

type act = llmtest.Act

// stub is a language model over HTTP that plays acts in turn, the last one for
// ever.
type stub struct {
	*llmtest.Stub

	mu     sync.Mutex
	acts   []act
	played int
	waits  []time.Duration
}

func newStub(t testing.TB, acts ...act) *stub {
	s := &stub{acts: acts}
	s.Stub = llmtest.New(t, s.next)
	return s
}

func (s *stub) next(llmtest.Request) act {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.played++
	return s.acts[min(s.played, len(s.acts))-1]
}

// replay starts again, with other acts.
func (s *stub) replay(acts ...act) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Forget()
	s.acts, s.played, s.waits = acts, 0, nil
}

func (s *stub) sleep(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waits = append(s.waits, d)
	return ctx.Err()
}

// writer returns a writer that calls the stub.
func (s *stub) writer(t testing.TB, change func(o *Options)) *Writer {
	t.Helper()
	o := Options{
		BaseURL: s.URL + "/v1", APIKey: testKey, Model: testModel,
		InputPrice: 150_000, OutputPrice: 600_000, Sleep: s.sleep, CallTimeout: 10 * time.Second,
	}
	if change != nil {
		change(&o)
	}
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// fairUsage is 400 tokens of input and 60 of output.
var fairUsage = llmtest.Fair

const goodText = "Small teams ship calmer with one shared list. What stands on yours?"

var good = llmtest.Writes(goodText)

func assignment(change func(a *mission.Assignment)) mission.Assignment {
	tone := "warm"
	a := mission.Assignment{
		Brief: mission.Brief{
			MissionName: "Spring", Description: "We make lists for small teams.", Objectives: []string{"Increase brand awareness"},
			Constraints: mission.Constraints{Tone: &tone, ExcludedTopics: []string{"politics", "tax advice"}},
			Brand:       mission.Brand{Name: "Acme", Voice: "plain", Audience: "founders", Website: "https://www.acme.test/about"},
		},
		Slot:     mission.Slot{Platform: mission.Bluesky, Format: mission.FormatPost, Angle: mission.AngleTip, Objective: "Increase brand awareness"},
		Revision: 1, Worked: []string{"Questions did well."}, Seed: 7,
	}
	if change != nil {
		change(&a)
	}
	return a
}

// repeating gives the tenant a published text.
func repeating(a *mission.Assignment) {
	a.UsedTexts = mission.TextSet{}
	a.UsedTexts.Add("Said before.")
}

func thread(a *mission.Assignment) { a.Slot.Format = mission.FormatThread }
