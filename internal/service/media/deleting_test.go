package media_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// A file that a post needs stays, until the post doesn't any more.
func TestDelete(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.ready(mission.TypeJPEG, mediatest.JPEG(40, 30))
		on := l.Create(func(in *mission.CreateInput) { world.OneDay(in); world.NeedsApproval(in) })
		text := "Look."
		c, err := l.Missions.CreateContent(t.Context(), l.Tenant, missions.ContentInput{
			MissionID: on.ID, Platform: mission.Twitter, Text: &text, Media: []mission.MediaChoice{{MediaID: m.ID}},
		})
		l.Must(err)
		posts, err := l.media.Posts(t.Context(), l.Tenant, m.ID)
		l.Must(err)
		if len(posts) != 1 || posts[0].ID != c.ID || l.get(m.ID).Uses != 1 {
			t.Errorf("got the posts %+v, and %d uses", posts, l.get(m.ID).Uses)
		}
		world.WantCode(t, l.media.Delete(t.Context(), l.Tenant, m.ID), mission.CodeConflict)
		_, err = l.Missions.CancelContent(t.Context(), l.Tenant, c.ID)
		l.Must(err)
		l.Must(l.media.Delete(t.Context(), l.Tenant, m.ID))
		l.counted() // until the bytes are gone
		world.WantCode(t, of(l.media.Media(t.Context(), l.Tenant, m.ID)), mission.CodeNotFound)
		world.WantCode(t, l.media.Delete(t.Context(), l.Tenant, m.ID), mission.CodeNotFound)
		l.Step()
		if keys := l.keys(); len(keys) > 0 {
			t.Errorf("bytes are left: %v", keys)
		}
		if left := l.used(); left != 0 {
			t.Errorf("%d bytes are still counted", left)
		}
		l.Pass(life)
		l.empty(m.ID)
		l.counted()
	})
}

// A file that is deleted while it is processed leaves nothing, whoever is faster.
func TestDeleteDuringProcessing(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.upload(mission.TypeJPEG, mediatest.PhoneJPEG(40, 30, 6))
		task := l.Due()[0]
		var once sync.Once
		l.files.watch(func(call, key string) error {
			if call == "put" && strings.Contains(key, "/v") {
				once.Do(func() { // another process deletes it, and removes what there is
					l.files.watch(nil)
					l.Must(l.media.Delete(t.Context(), l.Tenant, m.ID))
					for _, other := range l.Due() {
						l.Run(other.ID)
					}
				})
			}
			return nil
		})
		l.Run(task.ID)
		l.Pass(life)
		l.empty(m.ID)
		if n := l.told(mission.EventMediaReady); n != 0 {
			t.Errorf("%d events of media.ready", n)
		}
	})
}

// An upload that nobody completes goes after an hour, and not before.
func TestUploadExpires(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		data := mediatest.JPEG(40, 30)
		id, q := l.prepare(len(data))
		l.Must(l.put(id, q, data))
		l.Pass(mission.UploadLife - time.Second)
		if m, ok := l.row(l.Tenant.TenantID, id); !ok || m.Status != mission.MediaUploading {
			t.Errorf("got %+v", m)
		}
		l.audit()
		l.Pass(time.Second)
		if keys := l.keys(); len(keys) > 0 {
			t.Errorf("bytes are left: %v", keys)
		}
		l.Pass(life)
		l.empty(id)
	})
}

// Other tenants' files aren't there, whatever one asks.
func TestOthersFiles(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		ctx, other := t.Context(), l.NewTenant("Other")
		m := l.ready(mission.TypeJPEG, mediatest.JPEG(40, 30))
		prepared, _ := l.prepare(100)
		for name, err := range map[string]error{
			"Media":    of(l.media.Media(ctx, other, m.ID)),
			"Update":   of(l.media.Update(ctx, other, m.ID, mission.MediaInput{})),
			"Delete":   l.media.Delete(ctx, other, m.ID),
			"Complete": of(l.media.Complete(ctx, other, prepared)),
			"File":     of(l.media.File(ctx, other, m.ID, "")),
			"Posts":    of(l.media.Posts(ctx, other, m.ID)),
			"no id":    of(l.media.Media(ctx, l.Tenant, "med_")),
			"variant":  of(l.media.File(ctx, l.Tenant, m.ID, "myspace")),
		} {
			if mission.CodeOf(err) != mission.CodeNotFound {
				t.Errorf("%s: got %v", name, err)
			}
		}
		byID, err := l.media.ByID(ctx, other, []string{m.ID})
		if l.Must(err); len(byID) != 0 {
			t.Errorf("got %v", byID)
		}
		mine := l.Tenant
		l.Tenant = other
		on := l.Create(world.OneDay)
		l.Tenant = mine
		text := "Look."
		_, err = l.Missions.CreateContent(ctx, other, missions.ContentInput{
			MissionID: on.ID, Platform: mission.Twitter, Text: &text, Media: []mission.MediaChoice{{MediaID: m.ID}},
		})
		world.WantCode(t, err, mission.CodeInvalidRequest)
		if !strings.Contains(err.Error(), "No such file") || l.get(m.ID).Uses != 0 {
			t.Errorf("got %v, and %d uses", err, l.get(m.ID).Uses)
		}
	})
}

// A signed address shows one file to whoever has it, until it ends.
func TestLink(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.ready(mission.TypeJPEG, mediatest.PhoneJPEG(40, 30, 6))
		for _, variant := range []string{"", string(mission.Twitter)} {
			q := query(t, l.media.Link(m, variant))
			p, err := l.media.Visitor(m.ID, variant, q)
			l.Must(err)
			_, err = l.media.File(t.Context(), p, m.ID, variant)
			l.Must(err)
			world.WantCode(t, of(l.media.Visitor("med_01jd0000000000000000000000", variant, q)), mission.CodeUnauthorized)
			world.WantCode(t, of(l.media.Visitor(m.ID, "original", q)), mission.CodeUnauthorized)
			l.Clock.Advance(15 * time.Minute)
			l.Must(of(l.media.Visitor(m.ID, variant, q)))
			l.Clock.Advance(15 * time.Minute)
			world.WantCode(t, of(l.media.Visitor(m.ID, variant, q)), mission.CodeUnauthorized)
		}
	})
}
