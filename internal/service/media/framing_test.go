package media_test

import (
	"bytes"
	"image/jpeg"
	"io"
	"reflect"
	"strings"
	"testing"

	"missiond/internal/blobs"
	"missiond/internal/mediafile/mediatest"
	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
)

// crop is a framing that keeps a part of a picture, by what is in its middle from left to right.
func crop(focusX float64) mission.MediaInput {
	return mission.MediaInput{Framing: mission.FramingInput{Fit: new(mission.FitCrop), FocusX: &focusX}}
}

// A person chooses whether a picture is cropped and around what; posts keep what they have until
// they are given the picture again.
func TestFraming(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		ctx := t.Context()
		m := l.ready(mission.TypeJPEG, mediatest.PhoneJPEG(300, 100, 1)) // the left is redder than the right
		sent := func(p mission.Platform) mission.MediaVariant {
			t.Helper()
			v, ok := l.get(m.ID).Variant(p)
			if !ok {
				t.Fatalf("nothing is sent to %s", p)
			}
			return v
		}
		whole, onX := sent(mission.Instagram), sent(mission.Twitter)
		if whole.Width < 298 || whole.Height < 155 || whole.Height > 159 {
			t.Errorf("got %d × %d on white", whole.Width, whole.Height)
		}
		on := l.Create(func(in *mission.CreateInput) {
			world.OneDay(in)
			world.NeedsApproval(in)
			in.Platforms, in.MediaIDs = []mission.Platform{mission.Instagram}, []string{m.ID}
		})
		post, err := l.Missions.CreateContent(ctx, l.Tenant, missions.ContentInput{
			MissionID: on.ID, Platform: mission.Instagram, Text: new("Look."), Media: []mission.MediaChoice{{MediaID: m.ID}},
		})
		l.Must(err)
		post, err = l.Missions.ApproveContent(ctx, l.Tenant, post.ID, nil)
		l.Must(err)
		reds := []int{}
		for _, focus := range []float64{0, 1} {
			framed, err := l.media.Update(ctx, l.Tenant, m.ID, crop(focus))
			l.Must(err)
			if framed.Status != mission.MediaProcessing || framed.Framing != (mission.Framing{Fit: mission.FitCrop, FocusX: focus, FocusY: 0.5}) {
				t.Errorf("got %+v", framed)
			}
			l.Run(mediaTask(l).ID)
			v := sent(mission.Instagram)
			if v.Height != 100 || v.Width < 190 || v.Width > 192 || v.Hash == whole.Hash {
				t.Errorf("got %d × %d cropped", v.Width, v.Height)
			}
			img, err := jpeg.Decode(bytes.NewReader(l.read(m.ID, string(mission.Instagram))))
			l.Must(err)
			red, _, _, _ := img.At(5, 50).RGBA()
			reds = append(reds, int(red))
			if x := sent(mission.Twitter); x.Hash != onX.Hash {
				t.Error("another picture is sent to a platform that takes the ratio")
			}
		}
		if reds[0] <= reds[1] {
			t.Errorf("got a red of %v at the left edge", reds)
		}
		// The approved post has what was approved, and its bytes are there.
		if has := l.Content(post.ID); has.Media[0].Hash != whole.Hash || has.Status != post.Status {
			t.Errorf("got %s with %+v", has.Status, has.Media)
		} else if data := l.opened(has.Media[0]); hashed(data) != whole.Hash {
			t.Error("the post's bytes are others")
		}
		// Given again it is another revision, which waits for review.
		again := []mission.MediaChoice{{MediaID: m.ID}}
		edited, err := l.Missions.EditContent(ctx, l.Tenant, post.ID, missions.EditInput{Text: new("Look."), Media: &again})
		l.Must(err)
		if edited.Status != mission.ContentPendingReview || edited.Revision != post.Revision+1 || edited.Media[0].Hash == whole.Hash {
			t.Errorf("got %s, revision %d, with %+v", edited.Status, edited.Revision, edited.Media)
		}
		// What a post has is shown by its hash, whatever the file's framing is.
		if data := l.read(m.ID, whole.Hash); hashed(data) != whole.Hash {
			t.Error("what was approved isn't shown any more")
		}
		// What was made before stays while a post may have it, and goes with the last one.
		frame := func(focus float64) {
			_, err = l.media.Update(ctx, l.Tenant, m.ID, crop(focus))
			l.Must(err)
			l.Run(mediaTask(l).ID)
		}
		_, err = l.Missions.RejectContent(ctx, l.Tenant, post.ID, "", nil)
		l.Must(err)
		frame(0.5)
		if n := len(l.attempts()); n != 4 {
			t.Errorf("%d attempts are kept for a post that may be reopened", n)
		}
		l.Must(l.DB.Tx(ctx, func(tx store.Tx) error { return tx.DeleteMission(ctx, l.Mission(on.ID)) }))
		frame(0.25)
		if n := len(l.attempts()); n != 1 {
			t.Errorf("%d attempts are kept for nothing", n)
		}
		l.audit()
	})
}

// A framing that changes while a picture is processed holds.
func TestFramingDuringProcessing(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.upload(mission.TypeJPEG, mediatest.JPEG(300, 100))
		done := false
		l.files.watch(func(call, _ string) error {
			if call == "get" && !done {
				done = true
				l.Must(of(l.media.Update(t.Context(), l.Tenant, m.ID, crop(0.5))))
			}
			return nil
		})
		l.Step()
		l.files.watch(nil)
		l.Idle()
		if v, _ := l.get(m.ID).Variant(mission.Instagram); v.Height != 100 || v.Width > 192 {
			t.Errorf("got %d × %d", v.Width, v.Height)
		}
		if n := l.told(mission.EventMediaReady); n != 1 || len(l.attempts()) != 1 {
			t.Errorf("got %d events, and %v are kept", n, l.keys())
		}
	})
}

// A post can keep a few earlier framings; more are refused until it is given the file again.
func TestFramingsAreBounded(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.ready(mission.TypeJPEG, mediatest.JPEG(300, 100))
		c := l.posted(m)
		for n := range 7 {
			_, err := l.media.Update(t.Context(), l.Tenant, m.ID, crop(float64(n)/10))
			if n >= 5 {
				world.WantCode(t, err, mission.CodeConflict)
				continue
			}
			l.Must(err)
			l.Run(mediaTask(l).ID)
		}
		if data := l.opened(c.Media[0]); hashed(data) != c.Media[0].Hash || len(l.attempts()) != 6 {
			t.Errorf("the post's file is gone, of %d attempts", len(l.attempts()))
		}
	})
}

// A file that can't be made anew stays what it was.
func TestFramingFails(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.ready(mission.TypeJPEG, mediatest.JPEG(300, 100))
		before := l.get(m.ID).Variants
		l.files.watch(func(call, _ string) error {
			if call == "get" {
				return blobs.ErrNotFound
			}
			return nil
		})
		_, err := l.media.Update(t.Context(), l.Tenant, m.ID, crop(0.5))
		l.Must(err)
		if during := l.get(m.ID); !during.Usable() {
			t.Error("posts can't have it while it is made anew")
		}
		l.Run(mediaTask(l).ID)
		l.files.watch(nil)
		if after := l.get(m.ID); after.Status != mission.MediaReady || after.Error == nil || !reflect.DeepEqual(after.Variants, before) {
			t.Errorf("got %+v", after)
		}
		l.audit()
	})
}

// A post whose file was deleted while it wasn't to go out isn't taken up again with it.
func TestReopenedWithoutItsFile(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		ctx := t.Context()
		m := l.ready(mission.TypeJPEG, mediatest.JPEG(40, 30))
		on := l.Create(func(in *mission.CreateInput) { world.OneDay(in); world.NeedsApproval(in) })
		c, err := l.Missions.CreateContent(ctx, l.Tenant, missions.ContentInput{
			MissionID: on.ID, Platform: mission.Twitter, Text: new("Look."), Media: []mission.MediaChoice{{MediaID: m.ID}},
		})
		l.Must(err)
		_, err = l.Missions.RejectContent(ctx, l.Tenant, c.ID, "", nil)
		l.Must(err)
		l.Must(l.media.Delete(ctx, l.Tenant, m.ID))
		world.WantCode(t, of(l.Missions.ReopenContent(ctx, l.Tenant, c.ID)), mission.CodeConflict)
		world.WantCode(t, of(l.Missions.EditContent(ctx, l.Tenant, c.ID, missions.EditInput{Text: new("Look here.")})), mission.CodeConflict)
		edited, err := l.Missions.EditContent(ctx, l.Tenant, c.ID, missions.EditInput{Text: new("Look here."), Media: &[]mission.MediaChoice{}})
		l.Must(err)
		if len(edited.Media) != 0 || edited.Status != mission.ContentPendingReview {
			t.Errorf("got %s with %v", edited.Status, edited.Media)
		}
	})
}

// What isn't a framing is refused, and videos have none.
func TestFramingIsChecked(t *testing.T) {
	each(t, func(t *testing.T, l *library) {
		m := l.ready(mission.TypeGIF, mediatest.GIF(2))
		for param, in := range map[string]mission.FramingInput{
			"framing.fit": {Fit: new(mission.Fit("stretch"))}, "framing.focus_x": {FocusX: new(1.01)}, "framing.focus_y": {FocusY: new(-0.01)},
			"framing": {Fit: new(mission.FitCrop)},
		} {
			_, err := l.media.Update(t.Context(), l.Tenant, m.ID, mission.MediaInput{Framing: in})
			if world.WantCode(t, err, mission.CodeInvalidRequest); err != nil && !strings.Contains(err.Error(), "("+param+")") {
				t.Errorf("got %v, want %s", err, param)
			}
		}
	})
}

// mediaTask returns the task of the world's only file that is processed.
func mediaTask(l *library) mission.Task {
	l.T.Helper()
	for _, task := range l.Due() {
		if task.Type == mission.TaskMediaExamine {
			return task
		}
	}
	l.T.Fatal("nothing is to be processed")
	return mission.Task{}
}

// opened returns the bytes of a post's file, as they are sent.
func (l *library) opened(m mission.PostMedia) []byte {
	l.T.Helper()
	r, err := l.media.Open(mission.Content{}, m).Open(l.T.Context())
	l.Must(err)
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	l.Must(err)
	return data
}

// attempts returns where attempts at processing have left bytes.
func (l *library) attempts() map[string]bool {
	l.T.Helper()
	found := map[string]bool{}
	for _, key := range l.keys() {
		if part := strings.Split(key, "/"); strings.HasPrefix(part[2], "v-") {
			found[part[2]] = true
		}
	}
	return found
}
