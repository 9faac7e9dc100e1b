package mastodon

import (
	"context"
	"slices"

	"missiond/mission"
)

// readBatch is how many statuses one call returns at most.
const readBatch = 20

// Read implements [publisher.Reader]. A status that says something else and that nobody edited is
// in a server's own words, of which it can't be told what they were made from.
func (a *Adapter) Read(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string][]mission.Shown, error) {
	var ids []string
	for _, p := range posts {
		for _, part := range p.Published {
			if part.PostID != "" {
				ids = append(ids, part.PostID)
			}
		}
	}
	found := map[string]status{}
	for some := range slices.Chunk(ids, readBatch) {
		statuses, err := a.statuses(ctx, c, some)
		if err != nil {
			return nil, err
		}
		for _, s := range statuses {
			found[s.ID] = s
		}
	}
	shown := map[string][]mission.Shown{}
	for _, p := range posts {
		for i, part := range p.Published {
			s, ok := found[part.PostID]
			text := plainText(s.Content)
			if same := text == normal(p.Texts()[i]); ok && (same || s.EditedAt != nil) {
				shown[p.ID] = append(shown[p.ID], mission.Shown{Part: i, Same: same, Text: text})
			}
		}
	}
	return shown, nil
}
