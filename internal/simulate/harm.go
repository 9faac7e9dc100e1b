package simulate

import (
	"math"
	"slices"
)

const (
	// noiseControls is the number of additional controls per audience, each
	// with random draws of its own; gains are relative to another control.
	noiseControls = 10
	// noiseShare is the share of them that do worse than the noise bound.
	noiseShare = 0.05
)

// Harm is how often learning does worse than chance alone explains.
type Harm struct {
	Engagements Worse `json:"engagements_per_post"`
	Rate        Worse `json:"engagement_rate"`
}

// Worse counts gains that are below the noise.
type Worse struct {
	// Noise is the gain, in percent, below which 5 % of the controls are by
	// chance.
	Noise float64 `json:"noise"`
	// Least is the lowest gain of the missions that learn.
	Least float64 `json:"least"`
	// Below is how many Of those gains are below the noise.
	Below int `json:"below"`
	Of    int `json:"of"`
}

// Share returns the percentage of the gains that are below the noise.
func (w Worse) Share() float64 { return 100 * float64(w.Below) / float64(max(w.Of, 1)) }

// span is a range of days of a mission, counted from 0; to is excluded.
type span struct{ from, to int }

func (s span) has(day int) bool { return s.from <= day && day < s.to }

// windows splits days into windows of ten; the last may have fewer.
func windows(from, to int) []span {
	var list []span
	for ; from < to; from += periodDays {
		list = append(list, span{from, min(from+periodDays, to)})
	}
	return list
}

// harmOf compares the gains within spans of days with the noise of these spans.
func harmOf(runs []run, spans []span) Harm {
	var gains, noise []Gains
	for _, each := range runs {
		for _, s := range spans {
			plain := figuresOf(each.plain, s.has)
			gains = append(gains, figuresOf(each.learning, s.has).over(plain))
			for _, control := range each.noise {
				noise = append(noise, figuresOf(control, s.has).over(plain))
			}
		}
	}
	return Harm{
		Engagements: worseOf(gains, noise, func(g Gains) float64 { return g.Engagements }),
		Rate:        worseOf(gains, noise, func(g Gains) float64 { return g.Rate }),
	}
}

func worseOf(gains, noise []Gains, of func(Gains) float64) Worse {
	var controls []float64
	for _, g := range noise {
		controls = append(controls, of(g))
	}
	slices.Sort(controls)
	w := Worse{Noise: controls[int(noiseShare*float64(len(controls)))], Least: math.Inf(1), Of: len(gains)}
	for _, g := range gains {
		w.Least = min(w.Least, of(g))
		if of(g) < w.Noise {
			w.Below++
		}
	}
	return w
}

const (
	// oldDays is the number of days before a change that the old gain is
	// measured over.
	oldDays = 30
	// backShare is the share of the old gain that counts as recovered.
	backShare = 0.8
)

// Recovery is how quickly learning followed an audience's change.
type Recovery struct {
	// Before is the mean gain in the 30 days before the change.
	Before Gains `json:"gain_before"`
	// Days after the change until ten consecutive days had, on average, 80 % of
	// the gain before; 0 if none had within the mission.
	Days int `json:"days_to_80_percent"`
	// Windows is the harm to each ten days from the change on.
	Windows Harm `json:"harm_to_windows"`
}

// recovery returns how the change on a day, from 1, was followed: by the rate
// if there is one, or else by engagements.
func recovery(runs []run, change, days int) Recovery {
	day := change - 1
	r := Recovery{Before: meanGain(runs, span{max(0, day-oldDays), day})}
	of := func(g Gains) float64 { return g.Rate }
	if r.Before.Rate == 0 {
		of = func(g Gains) float64 { return g.Engagements }
	}
	r.Windows = harmOf(runs, windows(day, days))
	for from := day; from+periodDays <= days; from++ {
		if of(meanGain(runs, span{from, from + periodDays})) >= backShare*of(r.Before) {
			r.Days = from + periodDays - day
			break
		}
	}
	return r
}

// meanGain returns the mean gain of the runs within some days.
func meanGain(runs []run, days span) (mean Gains) {
	for _, each := range runs {
		g := figuresOf(each.learning, days.has).over(figuresOf(each.plain, days.has))
		mean.Engagements += g.Engagements / float64(len(runs))
		mean.Rate += g.Rate / float64(len(runs))
	}
	return mean
}
