package llm

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"missiond/internal/writer/llm/llmtest"
	"missiond/mission"
)

const (
	redBicycle  = "med_01jd0000000000000000000001"
	ourShop     = "med_01jd0000000000000000000002"
	undescribed = "med_01jd0000000000000000000003"
)

func withPictures(a *mission.Assignment) {
	a.Pictures = []mission.Picture{{MediaID: redBicycle, Shows: "A red bicycle"}, {MediaID: ourShop, Shows: "Our shop"}, {MediaID: undescribed}}
}

// A model chooses one of the pictures by what they show, or none.
func TestModelChoosesPicture(t *testing.T) {
	says := func(picture string) act { return llmtest.Says(`{"text":"` + goodText + `","picture":` + picture + `}`) }
	quoted := func(id string) string { return `"` + id + `"` }
	s := newStub(t)
	for name, tt := range map[string]struct {
		acts  []act
		brief func(a *mission.Assignment)
		code  string
		calls int
		want  string
	}{
		"one":                       {acts: []act{says(quoted(ourShop))}, brief: withPictures, calls: 1, want: ourShop},
		"before the text":           {acts: []act{llmtest.Says(`{"picture":"` + redBicycle + `","text":"` + goodText + `"}`)}, brief: withPictures, calls: 1, want: redBicycle},
		"none":                      {acts: []act{says("null")}, brief: withPictures, calls: 1},
		"nothing said":              {acts: []act{good}, brief: withPictures, calls: 1},
		"an empty id":               {acts: []act{says(`""`)}, brief: withPictures, calls: 1},
		"an id of its own":          {acts: []act{says(`"med_01jd0000000000000000000009"`), says(quoted(redBicycle))}, brief: withPictures, calls: 2, want: redBicycle},
		"one it can't know":         {acts: []act{says(quoted(undescribed))}, brief: withPictures, calls: 2, code: mission.CodeWriterInvalid},
		"a number":                  {acts: []act{says("1")}, brief: withPictures, calls: 2, code: mission.CodeWriterInvalid},
		"two":                       {acts: []act{says(`["` + redBicycle + `"]`)}, brief: withPictures, calls: 2, code: mission.CodeWriterInvalid},
		"twice":                     {acts: []act{says(quoted(redBicycle) + `,"picture":"` + ourShop + `"`), good}, brief: withPictures, calls: 2},
		"no text":                   {acts: []act{llmtest.Says(`{"picture":"` + redBicycle + `"}`), good}, brief: withPictures, calls: 2},
		"where there are none":      {acts: []act{says(quoted(redBicycle)), good}, calls: 2},
		"null where there are none": {acts: []act{says("null"), good}, calls: 2},
	} {
		t.Run(name, func(t *testing.T) {
			s.replay(tt.acts...)
			w, a := s.writer(t, nil), assignment(tt.brief)
			d, err := w.Write(context.Background(), a)
			holds(t, w, a, d, err)
			if codeOf(err) != tt.code || d.MediaID != tt.want || len(s.Seen()) != tt.calls {
				t.Errorf("got %q and %v after %d calls, want %q", d.MediaID, err, len(s.Seen()), tt.want)
			}
		})
	}
}

// A model is told of pictures that have a description, those first that fit, bounded; and of none
// where there are none.
func TestModelIsToldOfPictures(t *testing.T) {
	plain := newOrder(assignment(nil))
	if strings.Contains(plain.talk[0].text+plain.talk[1].text, "picture") {
		t.Error("a model is told of pictures where there are none")
	}
	o := newOrder(assignment(withPictures))
	if text := o.talk[1].text; !strings.Contains(text, `{"id":"`+redBicycle+`","shows":"A red bicycle"}`) || strings.Contains(text, undescribed) {
		t.Errorf("got %s", text)
	}
	if size := len(encode(o.schema())); size > schemaSize {
		t.Errorf("a schema has %d bytes", size)
	}
	threaded := newOrder(assignment(func(a *mission.Assignment) { withPictures(a); thread(a) }))
	if size := len(encode(threaded.schema())); size > schemaSize {
		t.Errorf("a thread's schema has %d bytes", size)
	}
	many := newOrder(assignment(func(a *mission.Assignment) {
		for i := range mission.MaxMissionMedia {
			a.Pictures = append(a.Pictures, mission.Picture{MediaID: fmt.Sprintf("med_%026d", i), Shows: strings.Repeat("é", 2000)})
		}
		for i := range 150 { // which would be first
			a.Pictures[i].Shows = ""
		}
		a.Pictures[160].Shows = "Brand awareness"
	}))
	if n := len(many.pictures); n != maxPictures || many.pictures[0].MediaID != fmt.Sprintf("med_%026d", 160) {
		t.Errorf("a model is told of %d pictures, first of %v", n, many.pictures[0].MediaID)
	}
	if n := len(many.talk[1].text); n > 20_000 {
		t.Errorf("the material has %d bytes", n)
	}
	needs := newOrder(assignment(func(a *mission.Assignment) { withPictures(a); a.Slot.Platform = mission.Instagram }))
	if needs.talk[0].text == o.talk[0].text || strings.Contains(needs.talk[0].text, "else answer null") {
		t.Error("a model may choose none where the platform needs one")
	}
}
