package mcpserver

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"missiond/mission"
	"missiond/store"
)

// mission returns a mission that the caller reaches. Errors: not_found, naming mission_id.
func (c *call) mission(ctx context.Context, id string) (mission.Mission, error) {
	if err := c.reaches(id); err != nil {
		return mission.Mission{}, err
	}
	m, err := c.missions.Mission(ctx, c.p, id)
	return m, naming(err, mission.CodeNotFound, "mission_id")
}

// reaches returns an error unless a mission is within what the caller may reach. Errors:
// invalid_request for none; not_found.
func (c *call) reaches(missionID string) error {
	if missionID == "" {
		return mission.Invalid("mission_id", "The mission is required.")
	}
	if !c.p.Reaches(missionID) {
		return naming(mission.NotFound("mission", missionID), mission.CodeNotFound, "mission_id")
	}
	return nil
}

// missionsOf returns a page of the missions that the caller reaches, newest first.
func (c *call) missionsOf(ctx context.Context, f store.MissionFilter, page store.Page) (listed store.Listed[mission.Mission], err error) {
	if c.p.Leash.Missions == nil {
		return c.missions.Missions(ctx, c.p, f, page)
	}
	if err := page.Check(mission.PrefixMission, "mission"); err != nil {
		return listed, err
	}
	found, err := c.missions.MissionsByID(ctx, c.p, c.p.Leash.Missions)
	for _, m := range found {
		if (f.Status == "" || m.Status == f.Status) && (f.Platform == "" || slices.Contains(m.Platforms, f.Platform)) && (page.After == "" || m.ID < page.After) {
			listed.List = append(listed.List, m)
		}
	}
	slices.SortFunc(listed.List, func(a, b mission.Mission) int { return cmp.Compare(b.ID, a.ID) })
	if len(listed.List) > page.Limit {
		listed.List, listed.More = listed.List[:page.Limit], true
	}
	return listed, err
}

// post returns a post of a mission that the caller reaches. Errors: not_found, naming post_id.
func (c *call) post(ctx context.Context, id string) (mission.Content, error) {
	if id == "" {
		return mission.Content{}, mission.Invalid("post_id", "The post is required.")
	}
	post, err := c.missions.Content(ctx, c.p, id)
	if err == nil && !c.p.Reaches(post.MissionID) {
		post, err = mission.Content{}, mission.NotFound("post", id)
	}
	return post, naming(err, mission.CodeNotFound, "post_id")
}

// within returns the mission that a list is about; "" for all. An agent that reaches certain missions
// names one of several. Errors: invalid_request on mission_id; those of reaches.
func (c *call) within(missionID string) (string, error) {
	switch reached := c.p.Leash.Missions; {
	case missionID != "":
		return missionID, c.reaches(missionID)
	case reached == nil:
		return "", nil
	case len(reached) == 1:
		return reached[0], nil
	default:
		return "", mission.Invalid("mission_id", "This agent reaches certain missions; the list is of one of them: %s.", strings.Join(reached, ", "))
	}
}

// namesOf returns the missions of posts, by id, as posts name them.
func (c *call) namesOf(ctx context.Context, posts ...mission.Content) (map[string]named, error) {
	var ids []string
	for _, post := range posts {
		if !slices.Contains(ids, post.MissionID) {
			ids = append(ids, post.MissionID)
		}
	}
	found, err := c.missions.MissionsByID(ctx, c.p, ids)
	names := make(map[string]named, len(ids))
	for _, id := range ids {
		names[id] = named{id, cutTo(found[id].Name, fromTenant, nameBytes)}
	}
	return names, err
}
