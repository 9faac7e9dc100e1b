package simulate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// WriteText writes the report as text tables.
func (r Report) WriteText(w io.Writer) error {
	var b bytes.Buffer // cells end with tabs, tables with an empty line
	fmt.Fprintf(&b, "%s\n\n", r.title())
	fmt.Fprintln(&b, "seed\tengagements per post\tnot learning\tgain\t"+r.rates("rate, %\tnot learning\tgain\t"))
	for _, s := range r.Seeds {
		fmt.Fprintf(&b, "%d\t%.1f\t%.1f\t%s\t%s\n", s.Seed, s.Learning.Engagements, s.Plain.Engagements, signed(s.Gains.Engagements),
			r.rates(fmt.Sprintf("%.2f\t%.2f\t%s\t", s.Learning.Rate, s.Plain.Rate, signed(s.Gains.Rate))))
	}
	fmt.Fprint(&b, "\ngain\tmean\tdeviation\tleast\tmost\t95 % interval of the mean\t\n")
	fmt.Fprintf(&b, "engagements per post\t%s\n%s", r.Overall.Engagements.cells(), r.rates("engagement rate\t"+r.Overall.Rate.cells()+"\n"))
	fmt.Fprintln(&b, "\ndays\tengagements per post\tbelow the noise\t"+r.rates("engagement rate\tbelow the noise\t"))
	for _, p := range r.Periods {
		fmt.Fprintf(&b, "%d to %d\t%s\t%s\t%s\n", p.From, p.To, signed(p.Gains.Engagements), p.Harm.Engagements.count(),
			r.rates(signed(p.Gains.Rate)+"\t"+p.Harm.Rate.count()+"\t"))
	}
	fmt.Fprintln(&b, "\nharm\tnoise\tleast gain\tbelow the noise\tshare\t")
	type row struct {
		of   string
		harm Harm
	}
	rows := []row{{"missions", r.Missions}, {"ten-day windows", r.Windows}}
	if r.Recovery != nil {
		rows = append(rows, row{"ten-day windows from the change on", r.Recovery.Windows})
	}
	for _, h := range rows {
		fmt.Fprintf(&b, "engagements per post, %s\t%s\n%s", h.of, h.harm.Engagements.cells(),
			r.rates(fmt.Sprintf("engagement rate, %s\t%s\n", h.of, h.harm.Rate.cells())))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, err := t.Write(b.Bytes())
	if err = errors.Join(err, t.Flush()); err != nil || r.Recovery == nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s\n", r.recovery())
	return err
}

// recovery says how the audience's change was followed.
func (r Report) recovery() string {
	before := r.Recovery.Before.Engagements
	if r.rated() {
		before = r.Recovery.Before.Rate
	}
	text := fmt.Sprintf("Preferences change on day %d. The gain was %s in the %d days before; ", r.Options.ChangeDay, signed(before), oldDays)
	if r.Recovery.Days == 0 {
		return text + "80 % of it isn't back by the end."
	}
	return text + fmt.Sprintf("80 %% of it is back after %d days.", r.Recovery.Days)
}

func (w Worse) count() string { return fmt.Sprintf("%d of %d", w.Below, w.Of) }

func (w Worse) cells() string {
	return fmt.Sprintf("%s\t%s\t%s\t%.1f %%\t", signed(w.Noise), signed(w.Least), w.count(), w.Share())
}

// rates returns the cells about rates, or "" if there are none.
func (r Report) rates(cells string) string {
	if !r.rated() {
		return ""
	}
	return cells
}

// rated reports whether any platform reports impressions.
func (r Report) rated() bool {
	return slices.ContainsFunc(r.Seeds, func(s Seed) bool { return s.Plain.Rate > 0 })
}

func (s Spread) cells() string {
	return fmt.Sprintf("%s\t%.1f\t%s\t%s\t%s to %s\t", signed(s.Mean), s.Deviation, signed(s.Min), signed(s.Max), signed(s.Low), signed(s.High))
}

// title says what was simulated.
func (r Report) title() string {
	o := r.Options
	platforms := make([]string, len(o.Platforms))
	for i, p := range o.Platforms {
		platforms[i] = string(p)
	}
	aim, audience := "without KPIs", ""
	if o.KPI != "" {
		aim = "for " + string(o.KPI)
	}
	if o.Steady {
		audience = " that prefer nothing"
	}
	return fmt.Sprintf("%d posts in %d days on %s, %s, before %d audiences%s. Gains are over the controls, which don't learn.",
		o.Days*o.PostsPerDay, o.Days, strings.Join(platforms, ", "), aim, o.Seeds, audience)
}

// signed formats a gain; one that rounds to zero has no sign.
func signed(percent float64) string {
	text := fmt.Sprintf("%+.1f %%", percent)
	if text == "-0.0 %" || text == "+0.0 %" {
		return "0.0 %"
	}
	return text
}
