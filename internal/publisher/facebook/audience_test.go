package facebook

import (
	"testing"
	"time"

	"missiond/mission"
)

// A Page's reach and views are of the same days. An insight that has ended costs one figure; a Page without
// insights still has followers.
func TestAudience(t *testing.T) {
	w := newWorld(t)
	w.stub.Follow("12")
	audience := func() mission.Audience {
		t.Helper()
		got, err := w.adapter.Audience(t.Context(), w.creds, mission.AudienceSince(w.now))
		if err != nil || got.Now.Followers == nil || *got.Now.Followers != 12 || got.Now.Reach != nil || got.Now.Views != nil {
			t.Fatalf("got %+v, %v", got, err)
		}
		return got
	}
	if got := audience(); len(got.Days) != 0 {
		t.Errorf("without insights: got %+v", got.Days)
	}
	date := func(ago int) string { return w.now.AddDate(0, 0, -ago).Format(time.DateOnly) }
	w.stub.Reach(date(0), "99") // a day that isn't over
	w.stub.Reach(date(2), "7")
	w.stub.Views = map[string]int{date(2): 9, date(3): 0}
	figures := map[string]mission.AccountFigures{}
	for _, d := range audience().Days {
		figures[d.Date] = d.AccountFigures
	}
	one, two := figures[date(2)], figures[date(3)]
	if len(figures) != 2 || one.Reach == nil || *one.Reach != 7 || one.Views == nil || *one.Views != 9 || two.Reach != nil || two.Views == nil || *two.Views != 0 {
		t.Errorf("got %+v", figures)
	}
	w.stub.Ended = []string{"page_total_media_view_unique"}
	if got := audience().Days; len(got) != 2 || got[0].Reach != nil || got[0].Views == nil {
		t.Errorf("without reach: got %+v", got)
	}
}
