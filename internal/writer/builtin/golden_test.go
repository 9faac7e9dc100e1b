package builtin

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"missiond/mission"
)

var update = flag.Bool("update", false, "write testdata/posts.golden anew, to be read by somebody")

// posts returns the first posts of a shop's mission on a platform, at most a number of them.
func (s shop) posts(t testing.TB, p mission.Platform, most int) (all []mission.Draft) {
	t.Helper()
	said, openings := mission.TextSet{}, mission.TextSet{}
	for n := range most {
		d, err := New().Write(context.Background(), s.assignment(n, p, said, openings))
		var failed *mission.WritingError
		if errors.As(err, &failed) && failed.Failure.Code == mission.CodeWriterUsedUp {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
		said.Add(d.Texts()...)
		openings.Add(mission.Opening(d.Text))
	}
	return all
}

// The posts of twelve small businesses are as somebody read and approved them. After a change, write
// them anew with -update and read every line.
func TestPostsAreAsReviewed(t *testing.T) {
	const each = 5
	var b strings.Builder
	for _, s := range shops {
		fmt.Fprintf(&b, "######## %s (%s)\nObjectives: %s\n%s\n", s.name, s.platform.Name(), strings.Join(s.objectives, "; "), s.description)
		for _, f := range s.facts {
			fmt.Fprintf(&b, "Fact: %s\n", f.Text)
		}
		if s.event != nil {
			fmt.Fprintf(&b, "Event: %s, %s to %s. %s\n", s.event.Name, s.event.StartsOn, s.event.EndsOn, s.event.Note)
		}
		posts := s.posts(t, s.platform, each)
		if len(posts) != each {
			t.Errorf("%s has %d posts", s.name, len(posts))
		}
		for i, d := range posts {
			fmt.Fprintf(&b, "\n---- %d, %s\n%s\n", i+1, d.Format, strings.Join(d.Texts(), "\n   (next part)\n"))
		}
		b.WriteString("\n\n")
	}
	path := filepath.Join("testdata", "posts.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the posts aren't those of %s: write them with -update, and read every line", path)
	}
}
