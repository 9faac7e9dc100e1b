package linkedin

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// Audience implements [publisher.Audiences] for organizations: how many follow one now, and how many
// people its posts reached on each of the last days, which LinkedIn counts for whole days (UTC). Of
// members it reports only what may be kept for two days, so that nothing is asked. Errors: forbidden
// if the token may publish only.
func (a *Adapter) Audience(ctx context.Context, c mission.Credentials, since string) (mission.Audience, error) {
	if !strings.HasPrefix(c.AccountID, "urn:li:organization:") {
		return mission.Audience{}, nil
	}
	var size struct {
		Followers *float64 `json:"firstDegreeSize"`
	}
	if err := a.ask(ctx, c, "/rest/networkSizes/"+within(c.AccountID)+"?edgeType=COMPANY_FOLLOWED_BY_MEMBER", &size); err != nil {
		return mission.Audience{}, err
	}
	days, err := a.reachByDay(ctx, c, since)
	if err != nil {
		return mission.Audience{}, err
	}
	return mission.Audience{Now: mission.AccountFigures{Followers: publisher.Whole(size.Followers)}, Days: days}, nil
}

// dayStatistics are an organization's statistics of a day. LinkedIn's page has both names of the
// reach.
type dayStatistics struct {
	Range struct {
		Start int64 `json:"start"`
	} `json:"timeRange"`
	Total struct {
		Reach  *float64 `json:"uniqueImpressionsCount"`
		Reach2 *float64 `json:"uniqueImpressionsCounts"`
	} `json:"totalShareStatistics"`
}

// reachByDay returns the reach of the last days that are over, since a day: as many as a page has.
func (a *Adapter) reachByDay(ctx context.Context, c mission.Credentials, since string) ([]mission.DayFigures, error) {
	const day = 24 * time.Hour
	end := a.client.Now().UTC().Truncate(day)
	start, err := time.Parse(time.DateOnly, since)
	if first := end.Add(-page * day); err != nil || start.Before(first) {
		start = first
	}
	if !start.Before(end) {
		return nil, nil
	}
	var found struct {
		Elements []dayStatistics `json:"elements"`
	}
	err = a.ask(ctx, c, fmt.Sprintf(
		"/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=%s"+
			"&timeIntervals=(timeRange:(start:%d,end:%d),timeGranularityType:DAY)", within(c.AccountID), start.UnixMilli(), end.UnixMilli(),
	), &found)
	if err != nil {
		return nil, err
	}
	var days []mission.DayFigures
	for _, e := range found.Elements {
		at := time.UnixMilli(e.Range.Start).UTC()
		if reach := publisher.Whole(cmp.Or(e.Total.Reach, e.Total.Reach2)); reach != nil && !at.Before(start) && at.Before(end) {
			days = append(days, mission.DayFigures{Date: at.Format(time.DateOnly), AccountFigures: mission.AccountFigures{Reach: reach}})
		}
	}
	return days, nil
}

// ask reads figures of an account. Errors: forbidden if the token may publish only.
func (a *Adapter) ask(ctx context.Context, c mission.Credentials, target string, v any) error {
	response, err := a.do(ctx, c, http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	if !response.OK() {
		return a.denied(response)
	}
	return response.JSON(v)
}
