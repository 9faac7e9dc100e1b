package meta

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"missiond/mission"
)

// Figures are the names of the insights that a metric is the sum of.
type Figures map[mission.Metric][]string

// names returns the names of all insights, each once, in order.
func (f Figures) names() (all []string) {
	for _, names := range f {
		all = append(all, names...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// of returns the metrics of insights: those whose insights are all there.
func (f Figures) of(insights map[string]float64) mission.Metrics {
	m := mission.Metrics{}
	for metric, names := range f {
		sum, whole := 0.0, true
		for _, name := range names {
			v, ok := insights[name]
			sum, whole = sum+v, whole && ok
		}
		if whole {
			m[metric] = sum
		}
	}
	return m
}

// Measure returns the metrics of posts by content id. more, unless nil, adds what isn't among the
// insights. Posts that the platform doesn't have are absent. What was measured before an error is
// returned with it.
func (a API) Measure(
	ctx context.Context, c mission.Credentials, posts []mission.Content, figures Figures,
	more func(ctx context.Context, id string, m mission.Metrics) error,
) (map[string]mission.Metrics, error) {
	measured := map[string]mission.Metrics{}
	for _, p := range posts {
		if p.PlatformPostID == nil || !IsID(*p.PlatformPostID) {
			continue
		}
		insights, err := a.Insights(ctx, c, *p.PlatformPostID, figures.names())
		m := figures.of(insights)
		if err == nil && more != nil {
			err = more(ctx, *p.PlatformPostID, m)
		}
		switch {
		case Missing(err):
		case err != nil:
			return measured, err
		default:
			measured[p.ID] = m
		}
	}
	return measured, nil
}

// Insights returns the insights of a post by name; those that the platform doesn't report are absent,
// never 0. They are asked for together and, if the platform refuses that, one by one: it refuses a
// whole call for the name of one that has ended. Errors: also Missing.
func (a API) Insights(ctx context.Context, c mission.Credentials, id string, names []string) (map[string]float64, error) {
	all, err := a.insights(ctx, c, id, names)
	if e, ok := ErrorOf(err); !ok || Missing(err) || e.Code != codeInvalid && e.Code != codePermission {
		return all, err
	}
	all = map[string]float64{}
	for _, name := range names {
		one, err := a.insights(ctx, c, id, []string{name})
		e, ok := ErrorOf(err)
		switch {
		case err == nil:
			if v, there := one[name]; there {
				all[name] = v
			}
		case !ok, Missing(err), e.Code != codeInvalid && !e.fewViewers():
			return all, err
		}
	}
	return all, nil
}

// fewViewers reports whether a post's figures aren't shown since too few people saw it. The code is
// also that of a missing permission.
func (e Error) fewViewers() bool {
	return e.Code == codePermission && strings.Contains(strings.ToLower(e.Message+e.UserText), "not enough viewers")
}

func (a API) insights(ctx context.Context, c mission.Credentials, id string, names []string) (map[string]float64, error) {
	var list struct {
		Data []struct {
			Name   string `json:"name"`
			Values []struct {
				Value json.RawMessage `json:"value"`
			} `json:"values"`
		} `json:"data"`
	}
	if err := a.Get(ctx, c, "/"+id+"/insights", url.Values{"metric": {strings.Join(names, ",")}}, &list); err != nil {
		return nil, err
	}
	all := map[string]float64{}
	for _, each := range list.Data {
		var v float64
		if len(each.Values) > 0 && len(each.Values[0].Value) > 0 && string(each.Values[0].Value) != "null" && json.Unmarshal(each.Values[0].Value, &v) == nil {
			all[each.Name] = v
		}
	}
	return all, nil
}
