package simulate

import (
	"math"
	"slices"
)

const (
	// noiseTwins are the twins of an audience that don't learn and have a chance
	// of their own, beside the one that gains are over.
	noiseTwins = 10
	// noiseShare is the share of them that do worse than the bound of the noise.
	noiseShare = 0.05
)

// Harm is how often learning does worse than chance alone explains.
type Harm struct {
	Engagements Worse `json:"engagements_per_post"`
	Rate        Worse `json:"engagement_rate"`
}

// Worse counts gains that are below the noise.
type Worse struct {
	// Noise is the gain, in percent, below which 5 % of the twins are that don't
	// learn, by chance.
	Noise float64 `json:"noise"`
	// Least is the least gain of the twins that learn.
	Least float64 `json:"least"`
	// Below is how many Of those gains are below the noise.
	Below int `json:"below"`
	Of    int `json:"of"`
}

// Share is how many percent of the gains are below the noise.
func (w Worse) Share() float64 { return 100 * float64(w.Below) / float64(max(w.Of, 1)) }

// span is days of a mission, counted from 0, to not included.
type span struct{ from, to int }

func (s span) has(day int) bool { return s.from <= day && day < s.to }

// windows parts days into ten each; the last may have fewer.
func windows(from, to int) []span {
	var list []span
	for ; from < to; from += periodDays {
		list = append(list, span{from, min(from+periodDays, to)})
	}
	return list
}

// harmOf holds the gains within spans of days to the noise of these spans.
func harmOf(runs []run, spans []span) Harm {
	var gains, noise []Gains
	for _, each := range runs {
		for _, s := range spans {
			plain := figuresOf(each.plain, s.has)
			gains = append(gains, figuresOf(each.learning, s.has).over(plain))
			for _, twin := range each.noise {
				noise = append(noise, figuresOf(twin, s.has).over(plain))
			}
		}
	}
	return Harm{
		Engagements: worseOf(gains, noise, func(g Gains) float64 { return g.Engagements }),
		Rate:        worseOf(gains, noise, func(g Gains) float64 { return g.Rate }),
	}
}

func worseOf(gains, noise []Gains, of func(Gains) float64) Worse {
	var twins []float64
	for _, g := range noise {
		twins = append(twins, of(g))
	}
	slices.Sort(twins)
	w := Worse{Noise: twins[int(noiseShare*float64(len(twins)))], Least: math.Inf(1), Of: len(gains)}
	for _, g := range gains {
		w.Least = min(w.Least, of(g))
		if of(g) < w.Noise {
			w.Below++
		}
	}
	return w
}

const (
	// oldDays are the days before a change whose gain is the old one.
	oldDays = 30
	// backShare is the share of the old gain that counts as having it back.
	backShare = 0.8
)

// Recovery is how an audience's change was followed.
type Recovery struct {
	// Before is the mean gain in the 30 days before the change.
	Before Gains `json:"gain_before"`
	// Days after the change until ten days in a row had, on average, 80 % of the
	// gain before; 0 where none had within the mission.
	Days int `json:"days_to_80_percent"`
	// Windows is the harm to each ten days from the change on.
	Windows Harm `json:"harm_to_windows"`
}

// recovery returns how the change of a day, from 1, was followed: by the rate
// where there is one, or else by engagements.
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
