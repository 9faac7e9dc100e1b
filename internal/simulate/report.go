package simulate

import (
	"math"

	"missiond/mission"
)

// periodDays is the number of days in a period of the report.
const periodDays = 10

// run is what the mission of a seed and its controls published.
type run struct {
	seed            int
	learning, plain []played
	// noise are further controls, each with random draws of its own.
	noise [][]played
}

// Report is the result of a simulation. Gains are in percent of the figures of
// the control, which doesn't learn.
type Report struct {
	Options Options  `json:"options"`
	Seeds   []Seed   `json:"seeds"`
	Overall Overall  `json:"overall"`
	Periods []Period `json:"periods"`
	// Missions is the harm to whole missions, Windows that to windows of ten
	// days.
	Missions Harm `json:"harm_to_missions"`
	Windows  Harm `json:"harm_to_windows"`
	// Recovery is set if the audience changes.
	Recovery *Recovery `json:"recovery,omitempty"`
	// Days are for the plot: by day of the mission, from 0.
	Days []Day `json:"-"`
}

// Figures are the final figures of posts.
type Figures struct {
	// Engagements is the average per post.
	Engagements float64 `json:"engagements_per_post"`
	// Rate is engagements per hundred impressions; 0 if no platform reports
	// them.
	Rate float64 `json:"engagement_rate"`
}

// Gains is what learning adds, in percent.
type Gains struct {
	Engagements float64 `json:"engagements_per_post"`
	Rate        float64 `json:"engagement_rate"`
}

// Seed is one seed's result.
type Seed struct {
	Seed     int     `json:"seed"`
	Learning Figures `json:"learning"`
	Plain    Figures `json:"not_learning"`
	Gains    Gains   `json:"gain"`
}

// Overall is the spread of the gains of all seeds.
type Overall struct {
	Engagements Spread `json:"engagements_per_post"`
	Rate        Spread `json:"engagement_rate"`
}

// Period is the mean gain within some days, the first and last of them counted
// from 1.
type Period struct {
	From  int   `json:"from"`
	To    int   `json:"to"`
	Gains Gains `json:"gain"`
	// Harm is the harm to the audiences in these days.
	Harm Harm `json:"harm"`
}

// Day is the figures of the posts around a day, by seed.
type Day struct {
	Learning, Plain []Figures
}

// Spread is the distribution of numbers around their mean.
type Spread struct {
	Mean float64 `json:"mean"`
	// Deviation is the sample standard deviation; 0 for a single number.
	Deviation float64 `json:"deviation"`
	Min       float64 `json:"min"`
	Max       float64 `json:"max"`
	// Low and High bound the 95 % interval of the mean.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func newReport(o Options, runs []run) Report {
	r := Report{Options: o}
	always := func(int) bool { return true }
	var engagements, rates []float64
	for _, each := range runs {
		s := Seed{Seed: each.seed, Learning: figuresOf(each.learning, always), Plain: figuresOf(each.plain, always)}
		s.Gains = s.Learning.over(s.Plain)
		r.Seeds = append(r.Seeds, s)
		engagements, rates = append(engagements, s.Gains.Engagements), append(rates, s.Gains.Rate)
	}
	r.Overall = Overall{Engagements: spreadOf(engagements), Rate: spreadOf(rates)}
	tens := windows(0, o.Days)
	for _, days := range tens {
		r.Periods = append(r.Periods, Period{
			From: days.from + 1, To: days.to, Gains: meanGain(runs, days), Harm: harmOf(runs, []span{days}),
		})
	}
	r.Missions, r.Windows = harmOf(runs, []span{{0, o.Days}}), harmOf(runs, tens)
	if o.ChangeDay > 0 {
		change := recovery(runs, o.ChangeDay, o.Days)
		r.Recovery = &change
	}
	for day := range o.Days {
		r.Days = append(r.Days, about(runs, day))
	}
	return r
}

// smoothDays is the number of days that a point of the plot is the mean of.
const smoothDays = 7

// about returns the figures of the posts in the smoothDays around a day.
func about(runs []run, day int) Day {
	var d Day
	near := func(other int) bool { return max(day-other, other-day) <= smoothDays/2 }
	for _, each := range runs {
		d.Learning = append(d.Learning, figuresOf(each.learning, near))
		d.Plain = append(d.Plain, figuresOf(each.plain, near))
	}
	return d
}

// figuresOf returns the figures of the posts of some days.
func figuresOf(posts []played, of func(day int) bool) Figures {
	n, engaged, rated, seen := 0.0, 0.0, 0.0, 0.0
	for _, p := range posts {
		if !of(p.day) {
			continue
		}
		n++
		engaged += p.final.Engagements()
		if impressions := p.final[mission.Impressions]; impressions > 0 {
			seen += impressions
			rated += p.final.Engagements()
		}
	}
	return Figures{Engagements: engaged / max(n, 1), Rate: 100 * rated / max(seen, 1)}
}

// over returns the gains of f over plain.
func (f Figures) over(plain Figures) Gains {
	return Gains{Engagements: gain(f.Engagements, plain.Engagements), Rate: gain(f.Rate, plain.Rate)}
}

func gain(x, before float64) float64 {
	if before <= 0 {
		return 0
	}
	return 100 * (x/before - 1)
}

func spreadOf(xs []float64) Spread {
	n := float64(len(xs))
	s := Spread{Min: math.Inf(1), Max: math.Inf(-1)}
	for _, x := range xs {
		s.Mean += x / n
		s.Min, s.Max = min(s.Min, x), max(s.Max, x)
	}
	s.Low, s.High = s.Mean, s.Mean
	if len(xs) < 2 {
		return s
	}
	squares := 0.0
	for _, x := range xs {
		squares += (x - s.Mean) * (x - s.Mean)
	}
	s.Deviation = math.Sqrt(squares / (n - 1))
	reach := student(n-1) * s.Deviation / math.Sqrt(n)
	s.Low, s.High = s.Mean-reach, s.Mean+reach
	return s
}

// student returns approximately the 97.5 % quantile of Student's t, expanded
// from the normal one (Abramowitz, Stegun, "Handbook of Mathematical
// Functions", 26.7.5); accurate to a percent from five degrees of freedom on.
func student(freedom float64) float64 {
	const z = 1.959964
	return z + (z*z*z+z)/(4*freedom) + (5*z*z*z*z*z+16*z*z*z+3*z)/(96*freedom*freedom)
}
