package mission

import "testing"

func TestLanguages(t *testing.T) {
	for tag, want := range map[string]string{
		"de": "de", "PT-br": "pt-BR", "zh-hant-tw": "zh-Hant-TW", "es-419": "es-419", "": "", "german": "", "de_DE": "", "de-": "", "x-klingon": "",
	} {
		in := CreateInput{Constraints: &ConstraintsInput{Language: &tag}}
		if err := in.Constraints.check().Err(); (err != nil) != (want == "") {
			t.Errorf("%q is refused: %v", tag, err)
		} else if got := *in.Constraints.withDefaults().Language; err == nil && got != want {
			t.Errorf("%q is stored as %q, want %q", tag, got, want)
		}
	}
}

func TestPresents(t *testing.T) {
	portuguese, unlisted := "pt-BR", VisibilityUnlisted
	set := Constraints{Language: &portuguese, Visibility: &unlisted}
	for _, c := range []struct {
		of   Constraints
		on   Platform
		want Presentation
	}{
		{Constraints{}, Mastodon, Presentation{Language: "es"}},
		{set, Mastodon, Presentation{Language: "pt-BR", Visibility: VisibilityUnlisted}},
		{set, Bluesky, Presentation{Language: "pt-BR"}}, // where it can't be chosen
	} {
		if got := c.of.Presents(c.on, "es"); got != c.want {
			t.Errorf("%s presents %+v, want %+v", c.on, got, c.want)
		}
	}
	wrong := Visibility("direct")
	wantCode(t, (&ConstraintsInput{Visibility: &wrong}).check().Err(), CodeInvalidRequest, "constraints.visibility")
}

// An update sets and removes both; a copy has them.
func TestUpdatePresentation(t *testing.T) {
	m := Mission{Name: "a", Objectives: []string{"a"}, Platforms: []Platform{Mastodon}, DurationDays: 1, Constraints: (*ConstraintsInput)(nil).withDefaults()}
	c, err := m.Update(UpdateInput{Constraints: ConstraintsUpdate{Language: Some("DE"), Visibility: Some(VisibilityPrivate)}}, m.CreatedAt)
	if err != nil || *c.To.Constraints.Language != "de" || *c.To.Constraints.Visibility != VisibilityPrivate {
		t.Fatalf("got %+v, %v", c.To.Constraints, err)
	}
	if in := c.To.Copy(); *in.Constraints.Language != "de" || *in.Constraints.Visibility != VisibilityPrivate {
		t.Errorf("the copy has %+v", in.Constraints)
	}
	c, err = c.To.Update(UpdateInput{Constraints: ConstraintsUpdate{Language: Optional[string]{Given: true}, Visibility: Optional[Visibility]{Given: true}}}, m.CreatedAt)
	if err != nil || c.To.Constraints.Language != nil || c.To.Constraints.Visibility != nil {
		t.Errorf("got %+v, %v", c.To.Constraints, err)
	}
}
