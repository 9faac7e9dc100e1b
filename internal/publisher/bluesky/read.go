package bluesky

import (
	"context"
	"slices"

	"missiond/mission"
)

// readBatch is how many posts one call returns at most.
const readBatch = 25

// Read implements [publisher.Reader]: records are shown as they were written.
func (a *Adapter) Read(ctx context.Context, c mission.Credentials, posts []mission.Content) (map[string][]mission.Shown, error) {
	var uris []string
	for _, p := range posts {
		for _, part := range p.Published {
			if part.PostID != "" {
				uris = append(uris, part.PostID)
			}
		}
	}
	texts := map[string]string{}
	for some := range slices.Chunk(uris, readBatch) {
		views, err := a.views(ctx, c, some)
		if err != nil {
			return nil, err
		}
		for _, v := range views {
			if v.Record != nil {
				texts[v.URI] = v.Record.Text
			}
		}
	}
	shown := map[string][]mission.Shown{}
	for _, p := range posts {
		for i, part := range p.Published {
			if text, ok := texts[part.PostID]; ok {
				shown[p.ID] = append(shown[p.ID], mission.Shown{Part: i, Same: text == p.Texts()[i], Text: text})
			}
		}
	}
	return shown, nil
}
