package media_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// fetch returns the bytes at an address, as a platform fetches them.
func (l *library) fetch(address string) ([]byte, error) {
	l.T.Helper()
	u, err := url.Parse(address)
	l.Must(err)
	part := strings.Split(u.Path, "/") // /v1/content/ID/files/HASH
	f, err := l.media.Fetch(l.T.Context(), part[3], part[5], u.Query())
	if err != nil {
		return nil, err
	}
	return l.shown(f)
}

// posted makes a post with a file, which is scheduled.
func (l *library) posted(m mission.Media) mission.Content {
	l.T.Helper()
	on := l.Create(world.OneDay)
	at := l.Clock.Now().Add(time.Hour)
	c, err := l.Missions.CreateContent(l.T.Context(), l.Tenant, missions.ContentInput{
		MissionID: on.ID, Platform: mission.Twitter, Text: new("Look."), Media: []mission.MediaChoice{{MediaID: m.ID}}, ScheduledAt: &at,
	})
	l.Must(err)
	return c
}

// An address at which a platform fetches a post's file holds from the post's slot until an hour
// after it was settled, for that file alone.
func TestFetch(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.ready(mission.TypeJPEG, mediatest.JPEG(40, 30))
		c := l.posted(m)
		address := l.media.Open(c, c.Media[0]).Address
		if !strings.HasPrefix(address, "https://m.example/v1/content/"+c.ID+"/files/"+c.Media[0].Hash+"?") {
			t.Fatalf("got %s", address)
		}
		holds := func(when string, want mission.Code) {
			t.Helper()
			data, err := l.fetch(address)
			if mission.CodeOf(err) != want && (err != nil || want != "") || err == nil && hashed(data) != c.Media[0].Hash {
				t.Errorf("%s: got %v", when, err)
			}
		}
		holds("before the slot", mission.CodeNotFound)
		l.Clock.Advance(time.Hour)
		holds("in the slot", "")
		l.Step()
		if got := l.Content(c.ID); got.Status != mission.ContentPublished {
			t.Fatalf("the post is %s", got.Status)
		}
		holds("after it is out", "")
		// Whoever changes a part of it has nothing.
		other := l.posted(l.ready(mission.TypeJPEG, mediatest.JPEG(30, 30)))
		for what, changed := range map[string]string{
			"another post":      strings.Replace(address, c.ID, other.ID, 1),
			"another file":      strings.Replace(address, c.Media[0].Hash, other.Media[0].Hash, 1),
			"another tenant":    strings.Replace(address, l.Tenant.TenantID, l.NewTenant("Other").TenantID, 1),
			"no signature":      address[:strings.Index(address, "signature=")] + "signature=",
			"another signature": strings.Replace(address, "signature=", "signature=A", 1),
			"a file's link":     strings.Replace(l.media.Link(m, ""), "/v1/media/"+m.ID+"/file", "/v1/content/"+c.ID+"/files/"+c.Media[0].Hash, 1),
		} {
			if _, err := l.fetch(changed); mission.CodeOf(err) != mission.CodeUnauthorized {
				t.Errorf("%s: got %v", what, err)
			}
		}
		l.Clock.Advance(59 * time.Minute)
		holds("59 minutes later", "")

		l.Clock.Advance(time.Minute)
		holds("an hour later", mission.CodeNotFound)
	})
}

// A post that is canceled, moved or given another file has no addresses.
func TestFetchIsRevoked(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		ctx := t.Context()
		m, other := l.ready(mission.TypeJPEG, mediatest.JPEG(40, 30)), l.ready(mission.TypeJPEG, mediatest.JPEG(30, 30))
		for what, change := range map[string]func(c mission.Content) error{
			"canceled": func(c mission.Content) error { return of(l.Missions.CancelContent(ctx, l.Tenant, c.ID)) },
			"moved": func(c mission.Content) error {
				return of(l.Missions.RescheduleContent(ctx, l.Tenant, c.ID, c.ScheduledAt.Add(2*time.Hour)))
			},
			"given another": func(c mission.Content) error {
				return of(l.Missions.EditContent(ctx, l.Tenant, c.ID, missions.EditInput{Text: new("Look."), Media: &[]mission.MediaChoice{{MediaID: other.ID}}}))
			},
			"deleted": func(c mission.Content) error {
				return l.DB.Tx(ctx, func(tx store.Tx) error { return tx.DeleteMission(ctx, l.Mission(c.MissionID)) })
			},
		} {
			c := l.posted(m)
			address := l.media.Open(c, c.Media[0]).Address
			l.Clock.Advance(time.Hour)
			if _, err := l.fetch(address); err != nil {
				t.Errorf("%s: before it got %v", what, err)
			}
			if err := change(c); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if _, err := l.fetch(address); mission.CodeOf(err) != mission.CodeNotFound {
				t.Errorf("%s: got %v", what, err)
			}
		}
	})
}
