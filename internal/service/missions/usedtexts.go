package missions

import (
	"context"

	"missiond/mission"
	"missiond/store"
)

// textSets are the texts of a tenant's latest posts, by where others must not be like them.
type textSets map[destination]latest

// latest are the texts of the latest posts on a platform, and those of an account's alone.
type latest struct{ used, own mission.TextSet }

// destination is a platform and one of its accounts; "" for the default one.
type destination struct {
	platform      mission.Platform
	integrationID string
}

// latestTexts returns the texts of a tenant's latest posts on a platform and, whatever the
// others post, of the latest of the account, without the line that they end with, and caches
// them in known.
func (s *core) latestTexts(ctx context.Context, known textSets, tenantID string, to destination, line string) (latest, error) {
	if texts, ok := known[to]; ok {
		return texts, nil
	}
	texts, err := s.store.LatestTexts(ctx, tenantID, to.platform, mission.KeptApart)
	if err != nil {
		return latest{}, err
	}
	set := latest{used: mission.TextSet{}}
	addWithout(set.used, line, texts)
	set.own = set.used
	if to.integrationID != "" {
		own, err := s.store.ListContents(ctx, tenantID, mission.ContentQuery{IntegrationID: to.integrationID, Order: mission.OrderCreated},
			store.Page{Limit: mission.KeptApart, Columns: "body,parts"})
		if err != nil {
			return latest{}, err
		}
		set.own = mission.TextSet{}
		for _, c := range own.List {
			addWithout(set.used, line, c.Texts())
			addWithout(set.own, line, c.Texts())
		}
	}
	known[to] = set
	return set, nil
}

// addWithout adds texts to a set, without the line that they end with: a writer doesn't know it.
func addWithout(set mission.TextSet, line string, texts []string) {
	for _, text := range texts {
		set.Add(mission.WithoutLine(text, line))
	}
}
