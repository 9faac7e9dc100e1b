package linkedin

import (
	"errors"
	"testing"
	"time"

	"missiond/internal/publisher"
	"missiond/internal/publisher/linkedin/linkedintest"
	"missiond/mission"
)

func (w *world) part(text string, called time.Time) mission.Part {
	return mission.Part{Content: mission.Content{ID: "cnt_1", Text: text}, Text: text, CalledAt: called}
}

// A duplicate of a post that is older than the part's first call isn't the part.
func TestDuplicatesOfOlderPosts(t *testing.T) {
	for name, tt := range map[string]struct {
		called time.Duration // after the post was made
		want   mission.Outcome
	}{
		"its own":              {-time.Second, ""},
		"a clock that is slow": {4 * time.Minute, ""},
		"an older one":         {6 * time.Minute, mission.OutcomeRefused},
		"a clock that runs":    {48 * time.Hour, ""},
	} {
		w := newWorld(t)
		at := w.now
		first, err := w.publish("Twice.", false)
		if err != nil {
			t.Fatal(err)
		}
		w.now = at.Add(8 * time.Minute)
		p := w.part("Twice.", at.Add(tt.called))
		p.Again = true
		got, err := w.adapter().Publish(t.Context(), w.creds, p)
		if tt.want != "" {
			if pe := w.failure(err); pe.Outcome != tt.want || pe.Failure.Code != publisher.CodeDuplicate {
				t.Errorf("%s: got %+v", name, pe)
			}
			continue
		}
		if err != nil || got.PostID != first.PostID || got.PublishedAt.Sub(at).Abs() > time.Millisecond {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

// LinkedIn forgets a text after ten minutes: it is then accepted once more.
func TestTwinsAreForgotten(t *testing.T) {
	w := newWorld(t)
	if _, err := w.publish("Twice.", false); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(10 * time.Minute)
	if _, err := w.publish("Twice.", true); err != nil || len(w.stub.Posts()) != 2 {
		t.Errorf("got %v, and %d posts", err, len(w.stub.Posts()))
	}
	if caps, _ := mission.CapabilitiesOf(mission.LinkedIn); caps.Lookup.ResendWindow >= 10*time.Minute || caps.PageLookup.ResendWindow >= 10*time.Minute {
		t.Error("a call may begin when LinkedIn has forgotten the text")
	}
}

func TestFindOfOrganizations(t *testing.T) {
	w := newWorld(t)
	w.creds.AccountID = linkedintest.Organization
	const text = "A (first) text, with #go_lang and a_b: https://example.com/a_b?c=d"
	old, err := w.publish(text, false)
	if err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(time.Hour)
	called := w.now
	if _, ok, err := w.adapter().Find(t.Context(), w.creds, w.part(text, called)); ok || err != nil {
		t.Errorf("an older post of the same text: got %t, %v", ok, err)
	}
	ours, err := w.publish(text, false)
	if err != nil {
		t.Fatal(err)
	}
	for range listed + 5 {
		w.now = w.now.Add(time.Second)
		w.stub.SeedAs(linkedintest.Organization, "Another.")
	}
	found, ok, err := w.adapter().Find(t.Context(), w.creds, w.part(text, called))
	if err != nil || !ok || found.PostID != ours.PostID || found.PostID == old.PostID {
		t.Errorf("found %+v, %t, %v", found, ok, err)
	}
	w.stub.Listing = false
	if _, _, err := w.adapter().Find(t.Context(), w.creds, w.part(text, called)); !errors.Is(err, mission.ErrInconclusive) {
		t.Errorf("without the scope: got %v", err)
	}
	w.creds.AccountID = linkedintest.Person
	if _, _, err := w.adapter().Find(t.Context(), w.creds, w.part(text, called)); !errors.Is(err, mission.ErrInconclusive) {
		t.Errorf("a member's: got %v", err)
	}
}
