package missions_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/internal/writer/builtin"
	"missiond/internal/writer/builtin/builtintest"
	"missiond/mission"
	"missiond/store"
)

// addPicture adds a picture that posts can have; what its bytes are doesn't matter to what is tested here.
func addPicture(w *world.World, description string) mission.Media {
	w.T.Helper()
	ctx, now := context.Background(), w.Clock.Now()
	m, err := mission.NewMedia(w.DB.NewID(mission.PrefixMedia, now), w.Tenant, mission.TypeJPEG, mission.MediaInput{Description: &description, AltText: new("Alt: " + description)}, now)
	w.Must(err)
	hash, size := w.Store(m.ID+"/sent", description)
	w.Must(w.DB.Tx(ctx, func(tx store.Tx) error {
		if err := tx.AddMedia(ctx, m); err != nil {
			return err
		}
		facts := mission.Media{
			Kind: mission.MediaImage, ContentType: mission.TypeJPEG, Width: 100, Height: 100, Hash: hash, Provenance: mission.Provenance{AI: mission.AINone},
			Variants: []mission.MediaVariant{{Platforms: mission.AllPlatforms(), Key: m.ID + "/sent", Hash: hash, ContentType: mission.TypeJPEG, Bytes: size, Width: 100, Height: 100}},
		}
		there := m
		there.Bytes, there.Stored, there.Original = size, 2*size, m.ID
		arrived, err := there.Arrived(now)
		if err != nil {
			return err
		}
		return tx.SetMedia(ctx, m, arrived.Processed(facts, now))
	}))
	return m
}

// illustrated makes a mission that waits for approval, with the built-in writer.
func illustrated(w *world.World, change func(in *mission.CreateInput), pictures ...mission.Media) mission.Mission {
	w.T.Helper()
	w.Writer = builtin.New()
	return w.Create(func(in *mission.CreateInput) {
		world.NeedsApproval(in)
		in.Objectives, in.Platforms, in.Description = []string{"Sell more red bicycles"}, []mission.Platform{mission.Twitter}, new(builtintest.Description)
		for _, m := range pictures {
			in.MediaIDs = append(in.MediaIDs, m.ID)
		}
		change(in)
	})
}

func daily(days int) func(in *mission.CreateInput) {
	return func(in *mission.CreateInput) { in.DurationDays, in.Constraints.PostsPerDay = &days, new(1) }
}

// has returns the file of a post that has at most one; "" for none.
func has(t *testing.T, c mission.Content) string {
	t.Helper()
	switch len(c.Media) {
	case 0:
		return ""
	case 1:
		return c.Media[0].MediaID
	}
	t.Errorf("%s has %d files", c.ID, len(c.Media))
	return ""
}

// The writer gives posts the pictures that fit, each at most once in fourteen days, whichever
// mission writes, and its alt text with it.
func TestWriterUsesPictures(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		red, shop, lunch := addPicture(w, "A red bicycle"), addPicture(w, "Bicycles in our shop"), addPicture(w, "Soup and bread")
		m := illustrated(w, func(in *mission.CreateInput) {
			daily(31)(in)
			in.Constraints.RequireApproval = nil // what expires in review frees its picture
		}, red, shop, lunch)
		w.Pass(31 * 24 * time.Hour)
		at := map[string][]time.Time{}
		for _, c := range w.Posts(m.ID) {
			id := has(t, c)
			at[id] = append(at[id], *c.ScheduledAt)
			if id == red.ID && (c.Media[0].AltText != "Alt: A red bicycle" || c.Media[0].Hash == "") {
				t.Errorf("got %+v", c.Media[0])
			}
		}
		if len(at[red.ID]) < 2 || len(at[shop.ID]) < 2 || len(at[lunch.ID]) > 0 || len(at[""]) < 20 {
			t.Fatalf("got %d, %d, %d posts with pictures, and %d without", len(at[red.ID]), len(at[shop.ID]), len(at[lunch.ID]), len(at[""]))
		}
		for _, id := range []string{red.ID, shop.ID} {
			slices.SortFunc(at[id], time.Time.Compare)
			for i := range at[id][1:] {
				if at[id][i+1].Sub(at[id][i]) < mission.MediaCooldown {
					t.Errorf("%s is in posts at %v", id, at[id])
				}
			}
		}
		used, err := w.DB.Media(t.Context(), w.Tenant.TenantID, red.ID)
		w.Must(err)
		if used.Uses != len(at[red.ID]) {
			t.Errorf("got %d uses, want %d", used.Uses, len(at[red.ID]))
		}
	})
}

// A picture that another post has, a person's or a writer's, is not used nearby.
func TestCooldownHoldsAcrossMissions(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		red := addPicture(w, "A red bicycle")
		first := illustrated(w, daily(1), red)
		w.Step()
		second := illustrated(w, daily(1), red)
		w.Step()
		if got := has(t, w.Posts(first.ID)[0]); got != red.ID {
			t.Errorf("got %q", got)
		}
		if got := has(t, w.Posts(second.ID)[0]); got != "" {
			t.Errorf("got %q again", got)
		}
		_, err := w.Missions.RejectContent(t.Context(), w.Tenant, w.Posts(first.ID)[0].ID, "", nil)
		w.Must(err)
		blue := addPicture(w, "A blue bicycle")
		_, err = w.Missions.CreateContent(t.Context(), w.Tenant, missions.ContentInput{
			MissionID: second.ID, Platform: mission.Twitter, Text: new("Blue."), Media: []mission.MediaChoice{{MediaID: blue.ID}},
		})
		w.Must(err)
		third := illustrated(w, daily(1), blue, red)
		w.Step()
		if got := has(t, w.Posts(third.ID)[0]); got != red.ID {
			t.Errorf("got %q after the other post was rejected", got)
		}
	})
}

// racing is a writer during whose work something happens.
type racing struct {
	builtin.Writer

	meanwhile func()
}

func (r racing) Write(ctx context.Context, a mission.Assignment) (mission.Draft, error) {
	d, err := r.Writer.Write(ctx, a)
	r.meanwhile()
	return d, err
}

// A picture that is deleted or used while a post is written is replaced by the next that fits.
func TestPictureIsGoneMeanwhile(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		red, other := addPicture(w, "A red bicycle"), addPicture(w, "One bicycle")
		m := illustrated(w, daily(1), red, other)
		w.Writer = racing{builtin.New(), func() {
			w.Must(w.DB.Tx(t.Context(), func(tx store.Tx) error {
				locked, err := tx.LockMedia(t.Context(), w.Tenant.TenantID, red.ID)
				if err != nil || locked.Status == mission.MediaDeleting {
					return err
				}
				gone, err := locked.Delete(false, w.Clock.Now())
				if err != nil {
					return err
				}
				return tx.SetMedia(t.Context(), locked, gone)
			}))
		}}
		w.Step()
		if got := has(t, w.Posts(m.ID)[0]); got != other.ID {
			t.Errorf("got %q, want %q", got, other.ID)
		}
	})
}

// Instagram takes no post without a picture: a mission needs some, and what can't be written
// without one says so until the mission has more.
func TestInstagramNeedsPictures(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		onInstagram := func(in *mission.CreateInput) {
			daily(3)(in)
			in.Constraints.RequireApproval = nil
			in.Platforms = []mission.Platform{mission.Instagram}
		}
		in := mission.CreateInput{Name: "x", Objectives: []string{"x"}, Platforms: []mission.Platform{mission.Instagram}, DurationDays: new(1)}
		_, err := w.Missions.CreateMission(t.Context(), w.Tenant, in)
		world.WantCode(t, err, mission.CodeInvalidRequest)
		if err == nil || !strings.Contains(err.Error(), "(media_ids)") {
			t.Errorf("got %v", err)
		}
		lunch := addPicture(w, "Soup and bread")
		m := illustrated(w, onInstagram, lunch)
		text := missions.ContentInput{MissionID: m.ID, Platform: mission.Instagram, Text: new("A text alone.")}
		_, err = w.Missions.CreateContent(t.Context(), w.Tenant, text)
		if world.WantCode(t, err, mission.CodeInvalidRequest); err != nil && !strings.Contains(err.Error(), "(media)") {
			t.Errorf("got %v for a post without a file", err)
		}
		w.Pass(25 * time.Hour)
		if posts := w.Posts(m.ID); len(posts) != 1 || has(t, posts[0]) != lunch.ID {
			t.Fatalf("got %d posts", len(posts))
		}
		_, stage := contentStage(w, w.Mission(m.ID))
		if stage.Status != mission.RunFailed || stage.Error == nil || stage.Error.Code != mission.CodeWriterNoPicture {
			t.Fatalf("got the stage %+v, %+v", stage, stage.Error)
		}
		more := addPicture(w, "Dinner")
		_, err = w.Missions.UpdateMission(t.Context(), w.Tenant, m.ID, mission.UpdateInput{MediaIDs: []string{lunch.ID, more.ID}})
		w.Must(err)
		w.Pass(24 * time.Hour)
		if posts := w.Posts(m.ID); len(posts) != 2 || !slices.ContainsFunc(posts, func(c mission.Content) bool { return has(t, c) == more.ID }) {
			t.Errorf("got %d posts", len(posts))
		}
		_, err = w.Missions.UpdateMission(t.Context(), w.Tenant, m.ID, mission.UpdateInput{MediaIDs: []string{}})
		world.WantCode(t, err, mission.CodeInvalidRequest)
	})
}

// What a mission names must be the tenant's pictures.
func TestMissionsPictures(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		mine := addPicture(w, "Mine")
		ours := w.Tenant
		w.Tenant = w.NewTenant("other")
		foreign := addPicture(w, "Foreign")
		w.Tenant = ours
		for _, id := range []string{foreign.ID, "med_01jd0000000000000000000000", "msn_01jd0000000000000000000000", ""} {
			in := mission.CreateInput{
				Name: "x", Objectives: []string{"x"}, Platforms: []mission.Platform{mission.Twitter}, DurationDays: new(1), MediaIDs: []string{mine.ID, id},
			}
			_, err := w.Missions.CreateMission(t.Context(), w.Tenant, in)
			if world.WantCode(t, err, mission.CodeInvalidRequest); err != nil && !strings.Contains(err.Error(), "(media_ids[1])") {
				t.Errorf("got %v of %q", err, id)
			}
			m := illustrated(w, daily(1))
			_, err = w.Missions.UpdateMission(t.Context(), w.Tenant, m.ID, mission.UpdateInput{MediaIDs: in.MediaIDs})
			if world.WantCode(t, err, mission.CodeInvalidRequest); err != nil && !strings.Contains(err.Error(), "(media_ids[1])") {
				t.Errorf("got %v of %q in an update", err, id)
			}
		}
		m := illustrated(w, daily(1), mine)
		w.Must(w.DB.Tx(t.Context(), func(tx store.Tx) error {
			locked, err := tx.LockMedia(t.Context(), w.Tenant.TenantID, mine.ID)
			if err != nil {
				return err
			}
			gone, err := locked.Delete(false, w.Clock.Now())
			if err != nil {
				return err
			}
			return tx.SetMedia(t.Context(), locked, gone)
		}))
		_, err := w.Missions.UpdateMission(t.Context(), w.Tenant, m.ID, mission.UpdateInput{Name: mission.Some("Another name")})
		w.Must(err)
		twin, err := w.Missions.DuplicateMission(t.Context(), w.Tenant, m.ID)
		w.Must(err)
		if len(twin.MediaIDs) != 0 {
			t.Errorf("got %v", twin.MediaIDs)
		}
		w.Step()
		if got := has(t, w.Posts(m.ID)[0]); got != "" {
			t.Errorf("got a picture that was deleted: %q", got)
		}
	})
}

var _ missions.Writer = racing{}

// A post that needs a picture waits for those that are still processed.
func TestPicturesAreWaitedFor(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		red := addPicture(w, "A red bicycle")
		set := func(change func(m mission.Media) mission.Media) {
			w.Must(w.DB.Tx(t.Context(), func(tx store.Tx) error {
				locked, err := tx.LockMedia(t.Context(), w.Tenant.TenantID, red.ID)
				if err != nil {
					return err
				}
				return tx.SetMedia(t.Context(), locked, change(locked))
			}))
		}
		var variants []mission.MediaVariant
		set(func(m mission.Media) mission.Media {
			variants = m.Variants
			m.Kind, m.Variants, m.Status = "", []mission.MediaVariant{}, mission.MediaProcessing
			return m
		})
		m := illustrated(w, func(in *mission.CreateInput) {
			daily(1)(in)
			in.Platforms = []mission.Platform{mission.Instagram}
		}, red)
		w.Step()
		if _, stage := contentStage(w, w.Mission(m.ID)); stage.Status == mission.RunFailed || len(w.Posts(m.ID)) > 0 {
			t.Fatalf("the stage is %s: %+v", stage.Status, stage.Error)
		}
		set(func(m mission.Media) mission.Media {
			m.Kind, m.Variants, m.Status = mission.MediaImage, variants, mission.MediaReady
			return m
		})
		w.Pass(5 * time.Minute)
		if posts := w.Posts(m.ID); len(posts) != 1 || has(t, posts[0]) != red.ID {
			t.Errorf("got %d posts", len(posts))
		}
	})
}
