package meta

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// audienceDays is how many days a call for an account's insights asks about; Instagram allows no more.
const audienceDays = 30

// Daily is the name of an account's insight that is a figure by day.
type Daily struct {
	Figure mission.AccountFigure
	Name   string
}

// ByDay returns figures of an account on the last days that are over, since a date. Each is asked for by
// itself, with more; those that the platform doesn't report of the account are absent. Meta's days end at
// midnight in California, which each value has as its end: it is that of the date on which its day began.
func (a API) ByDay(ctx context.Context, c mission.Credentials, since string, insights []Daily, more url.Values) ([]mission.DayFigures, error) {
	const day = 24 * time.Hour
	now := a.Now().UTC()
	start, err := time.Parse(time.DateOnly, since)
	if first := now.Truncate(day).Add(-(audienceDays - 1) * day); err != nil || start.Before(first) {
		start = first
	}
	var days []mission.DayFigures
	for _, insight := range insights {
		q := url.Values{
			"metric": {insight.Name}, "period": {"day"},
			"since": {strconv.FormatInt(start.Unix(), 10)}, "until": {strconv.FormatInt(now.Unix(), 10)},
		}
		for name, values := range more {
			q[name] = values
		}
		var list List[daily]
		if err := a.Get(ctx, c, "/"+c.AccountID+"/insights", q, &list); Unreported(err) {
			continue
		} else if err != nil {
			return nil, err
		}
		for _, each := range list.Data {
			for _, v := range each.Values {
				if n := publisher.Whole(v.Value); each.Name == insight.Name && n != nil && !v.End.After(now) {
					days = with(days, v.End.UTC().Add(-day).Format(time.DateOnly), insight.Figure, n)
				}
			}
		}
	}
	return days, nil
}

// daily is an insight by day.
type daily struct {
	Name   string `json:"name"`
	Values []struct {
		Value *float64 `json:"value"`
		End   Time     `json:"end_time"`
	} `json:"values"`
}

// with returns days with a figure of one of them.
func with(days []mission.DayFigures, date string, f mission.AccountFigure, n *int64) []mission.DayFigures {
	i := slices.IndexFunc(days, func(d mission.DayFigures) bool { return d.Date == date })
	if i < 0 {
		i, days = len(days), append(days, mission.DayFigures{Date: date})
	}
	switch f {
	case mission.FigureReach:
		days[i].Reach = n
	case mission.FigureViews:
		days[i].Views = n
	case mission.FigureFollowers:
		days[i].Followers = n
	}
	return days
}

// Followers returns how many follow the account; nil if the platform doesn't say.
func (a API) Followers(ctx context.Context, c mission.Credentials) (*int64, error) {
	var me struct {
		Followers *float64 `json:"followers_count"`
	}
	if err := a.Get(ctx, c, "/me", url.Values{"fields": {"followers_count"}}, &me); err != nil {
		return nil, err
	}
	return publisher.Whole(me.Followers), nil
}
