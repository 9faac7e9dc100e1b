package missions_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"missiond/internal/service/missions"
	"missiond/internal/testkit/world"
	"missiond/mission"
)

// filing is a writer of texts of so many characters, which gives each the mission's picture and says how long a
// text it was allowed.
type filing struct {
	world.PlainWriter

	length  int
	allowed *int
}

func (f filing) Write(_ context.Context, a mission.Assignment) (mission.Draft, error) {
	caps, _ := a.Capabilities()
	if f.allowed != nil {
		*f.allowed = caps.MaxLength
	}
	d := mission.Draft{Format: mission.FormatPost, Text: long(f.length, "w")}
	for _, p := range a.Pictures {
		d.MediaID = p.MediaID
	}
	return d, nil
}

// long returns a text of n characters.
func long(n int, word string) string {
	return string([]rune(strings.Repeat(word+"éné ", n/2))[:n-1]) + "."
}

// A text that is too long for a post with a file is refused by the field that is new, wherever a post gets
// both; without a file it may be longer.
func TestCaptions(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		caps, _ := mission.CapabilitiesOf(mission.Telegram)
		most := caps.CaptionLength
		m := w.Create(func(in *mission.CreateInput) {
			world.NeedsApproval(in)
			in.Platforms = []mission.Platform{mission.Telegram}
		})
		red := addPicture(w, "A red bicycle")
		picture := []mission.MediaChoice{{MediaID: red.ID}}
		second := []mission.MediaChoice{{MediaID: red.ID, Part: 1}}
		create := func(text *string, parts []string, media []mission.MediaChoice) (mission.Content, error) {
			return w.Missions.CreateContent(t.Context(), w.Tenant, missions.ContentInput{MissionID: m.ID, Platform: mission.Telegram, Text: text, Parts: parts, Media: media})
		}
		wrong := func(what string, err error, param string) {
			t.Helper()
			var e *mission.Error
			if !errors.As(err, &e) || e.Code != mission.CodeInvalidRequest || e.Param != param || !strings.Contains(e.Message, "1,024 are allowed with a file") {
				t.Errorf("%s: got %v", what, err)
			}
		}
		_, err := create(new(long(most+1, "a")), nil, picture)
		wrong("a text", err, "text")
		_, err = create(nil, []string{long(most+1, "b"), long(most+1, "c")}, second)
		wrong("a part", err, "parts[1]")
		_, err = create(nil, []string{long(most+1, "d"), "Short."}, second)
		w.Must(err)
		with, err := create(new(long(most, "e")), nil, picture)
		w.Must(err)
		without, err := create(new(long(most+1, "f")), nil, nil)
		w.Must(err)

		edit := func(id string, in missions.EditInput) error {
			_, err := w.Missions.EditContent(t.Context(), w.Tenant, id, in)
			return err
		}
		wrong("a new text", edit(with.ID, missions.EditInput{Text: new(long(most+1, "g"))}), "text")
		wrong("a new file", edit(without.ID, missions.EditInput{Media: &picture}), "media")
		wrong("both", edit(without.ID, missions.EditInput{Text: new(long(most+2, "h")), Media: &picture}), "text")
		w.Must(edit(with.ID, missions.EditInput{Text: new(long(most+1, "i")), Media: &[]mission.MediaChoice{}}))

		v, err := w.Missions.ValidateContent(t.Context(), w.Tenant, missions.ValidateInput{
			Platform: mission.Telegram, Parts: []string{long(most+1, "j"), long(most+1, "k")}, Media: second,
		})
		if w.Must(err); v.Valid || len(v.Problems) != 1 || v.Problems[0].Param != "parts[1]" || v.Parts[0].MaxLength != caps.MaxLength || v.Parts[1].MaxLength != most {
			t.Errorf("got %+v, %+v", v.Problems, v.Parts)
		}
	})
}

// A writer's text that is too long for a caption goes out without the picture. One that is written again for a
// post with a picture is written to fit.
func TestWritersCaptions(t *testing.T) {
	world.Each(t, func(t *testing.T, w *world.World) {
		caps, _ := mission.CapabilitiesOf(mission.Telegram)
		var last mission.Content
		for length, pictured := range map[int]bool{caps.CaptionLength + 1: false, caps.CaptionLength: true} {
			m := illustrated(w, func(in *mission.CreateInput) {
				daily(1)(in)
				in.Platforms = []mission.Platform{mission.Telegram}
			}, addPicture(w, "A red bicycle"))
			w.Writer = filing{length: length}
			w.Step()
			if c := w.Posts(m.ID)[0]; (has(t, c) != "") != pictured || len([]rune(c.Text)) != length {
				t.Errorf("%d characters: got %q with %d characters", length, has(t, c), len([]rune(c.Text)))
			} else if pictured {
				last = c
			}
		}
		allowed := 0
		w.Writer = filing{length: 50, allowed: &allowed}
		got, err := w.Missions.RegenerateContent(t.Context(), w.Tenant, last.ID, "Shorter.", nil)
		if w.Must(err); allowed != caps.CaptionLength || has(t, got) == "" {
			t.Errorf("a writer is allowed %d characters, and the post has %q", allowed, has(t, got))
		}
	})
}
