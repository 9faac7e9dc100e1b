package publisher

import (
	"slices"

	"missiond/mission"
)

// ReadParts returns what a platform shows of the published parts of posts, by content id. fetch adds
// what it finds of at most batch ids to found, by id; show returns what that says of a part's text,
// and ok is false if it can't be told. Errors: fetch's.
func ReadParts[T any](
	posts []mission.Content, batch int, fetch func(ids []string, found map[string]T) error, show func(of T, text string) (s mission.Shown, ok bool),
) (map[string][]mission.Shown, error) {
	var ids []string
	for _, p := range posts {
		for _, part := range p.Published {
			if part.PostID != "" {
				ids = append(ids, part.PostID)
			}
		}
	}
	found := map[string]T{}
	for some := range slices.Chunk(ids, batch) {
		if err := fetch(some, found); err != nil {
			return nil, err
		}
	}
	shown := map[string][]mission.Shown{}
	for _, p := range posts {
		texts := p.SentTexts()
		for i, part := range p.Published {
			of, ok := found[part.PostID]
			if !ok {
				continue
			}
			if s, ok := show(of, texts[i]); ok {
				s.Part = i
				shown[p.ID] = append(shown[p.ID], s)
			}
		}
	}
	return shown, nil
}
