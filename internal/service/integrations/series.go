package integrations

import (
	"context"

	"missiond/mission"
)

// Series are an account's figures by day.
type Series struct {
	Integration mission.Integration
	// Of has both ends.
	Of mission.DateRange
	// Days has one for each day of the range, oldest first.
	Days []mission.DayFigures
}

// Series returns the figures of one of the tenant's accounts by day, from one day (UTC) to another,
// either of which may be "". Errors: not_found; invalid_request on from or to.
func (g *Service) Series(ctx context.Context, p mission.Principal, id, from, to string) (Series, error) {
	of, err := g.SeriesRange(from, to)
	if err != nil {
		return Series{}, err
	}
	i, err := g.Integration(ctx, p, id)
	if err != nil {
		return Series{}, err
	}
	days, err := g.SeriesOf(ctx, p, []string{i.ID}, of)
	return Series{Integration: i, Of: of, Days: days[i.ID]}, err
}

// SeriesRange returns the range of a series from one day to another, either of which may be "".
// Errors: invalid_request on from or to.
func (g *Service) SeriesRange(from, to string) (mission.DateRange, error) {
	return mission.SeriesRange(from, to, g.options.Clock.Now())
}

// SeriesOf returns the figures of the tenant's accounts for each day of a range, by integration id,
// in one statement.
func (g *Service) SeriesOf(ctx context.Context, p mission.Principal, ids []string, of mission.DateRange) (map[string][]mission.DayFigures, error) {
	known, err := g.db.AccountDays(ctx, p.TenantID, ids, of)
	series := make(map[string][]mission.DayFigures, len(ids))
	for _, id := range ids {
		series[id] = mission.AccountSeries(of, known[id])
	}
	return series, err
}
