package learning

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"missiond/mission"
)

// leastPeers is how many posts of an account are measured at least before one of them is repeated:
// of fewer, half are better than most by chance.
const leastPeers = 10

// Best returns those of a mission's measured posts that did better than most of their account's, the
// best first: by the metrics that a job's plan aims at there. Their metrics should be of a
// comparable age. It returns none of an account with few posts, or if nothing was learned.
func Best(j mission.Job, posts []mission.Content, learned Model) []mission.Content {
	s := strategist{job: j, learned: learned}
	peers := map[mission.Destination][]mission.Content{}
	for _, c := range posts {
		account := mission.Destination{Platform: c.Platform, IntegrationID: c.IntegrationID}
		peers[account] = append(peers[account], c)
	}
	var best []ranked
	for account, of := range peers {
		best = append(best, aboveMedian(of, s.aims(account.Platform))...)
	}
	slices.SortFunc(best, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.post.ID, b.post.ID))
	})
	list := make([]mission.Content, len(best))
	for i, r := range best {
		list[i] = r.post
	}
	return list
}

// ranked is a post with its score: the mean of the logarithms of its metrics or, of the best, the share
// of its account's posts that did worse, which compares accounts whose metrics spread differently.
type ranked struct {
	post  mission.Content
	score float64
}

func aboveMedian(posts []mission.Content, aims []mission.Metric) (above []ranked) {
	var all []ranked
	for _, c := range posts {
		if score, ok := scoreOf(c, aims); ok {
			all = append(all, ranked{c, score})
		}
	}
	if len(all) < leastPeers {
		return nil
	}
	scores := make([]float64, len(all))
	for i, r := range all {
		scores[i] = r.score
	}
	slices.Sort(scores)
	middle := (scores[(len(scores)-1)/2] + scores[len(scores)/2]) / 2
	for _, r := range all {
		if r.score > middle {
			worse, _ := slices.BinarySearch(scores, r.score)
			above = append(above, ranked{r.post, float64(worse) / float64(len(scores))})
		}
	}
	return above
}

// scoreOf returns the mean of the logarithms of a post's metrics; ok is false if one is missing, or
// none is asked for.
func scoreOf(c mission.Content, aims []mission.Metric) (score float64, ok bool) {
	for _, m := range aims {
		value, ok := logOf(c, m)
		if !ok {
			return 0, false
		}
		score += value / float64(len(aims))
	}
	return score, len(aims) > 0
}

// Repeating returns a job's plan with slots that repeat posts: at most as many as the brief's
// Evergreen says, each with the first of the originals that may be repeated in it and that no other
// slot has. Slots that lead up to an event stay. may reports whether an original may be repeated
// in a slot whatever the brief says.
func Repeating(p mission.Plan, j mission.Job, originals []mission.Original, may func(mission.Original, mission.Slot) bool) mission.Plan {
	left := j.Brief.Constraints.Evergreen.Repeats(j.Cycle-1, len(p.Slots))
	if left == 0 {
		return p
	}
	p.Slots = slices.Clone(p.Slots)
	var dates []string
	for _, o := range originals {
		if len(dates) == left {
			break
		}
		i := slices.IndexFunc(p.Slots, func(s mission.Slot) bool {
			return s.Repeats == "" && s.Occasion == nil && s.Platform == o.Content.Platform && j.Brief.MayRepeat(o, s.At) && may(o, s)
		})
		if i >= 0 {
			p.Slots[i] = p.Slots[i].Repeating(o)
			dates = append(dates, o.Content.PublishedAt.In(j.Brief.Constraints.Zone()).Format(time.DateOnly))
		}
	}
	if len(dates) > 0 {
		p.Reasons = append(slices.Clone(p.Reasons), explainRepeats(dates))
	}
	return p
}

// explainRepeats says which posts a plan repeats, by their dates.
func explainRepeats(dates []string) string {
	if len(dates) == 1 {
		return fmt.Sprintf("As you asked, a post that did better than most is repeated: that of %s.", dates[0])
	}
	return fmt.Sprintf("As you asked, %d posts that did better than most are repeated: those of %s.", len(dates), joinDates(dates))
}

func joinDates(dates []string) string {
	dates = slices.Clone(dates)
	slices.Sort(dates)
	text := ""
	for i, d := range slices.Compact(dates) {
		switch {
		case i == explainedDates:
			return text + " and others"
		case i > 0:
			text += ", "
		}
		text += d
	}
	return text
}

// explainedDates bounds the dates that a reason mentions.
const explainedDates = 5
