package node

import (
	"time"

	"missiond/mission"
)

// Learning is what a mission has learned.
type Learning struct {
	LearnedAt     time.Time
	CredibleLevel float64
	Metrics       []MetricBeliefs
}

// MetricBeliefs are what was learned about a metric.
type MetricBeliefs struct {
	Metric       mission.Metric
	Observations int
	Beliefs      []Belief
}

// Belief is what is believed about a choice. Of the fields for choices only
// those of its factor are set.
type Belief struct {
	mission.Belief

	Platform      *mission.Platform
	IntegrationID *string
	Angle         *mission.Angle
	Format        *mission.Format
	Hours         *string
}

// NewLearning returns what a mission has learned as shown; nil for nothing.
func NewLearning(l mission.Learned) *Learning {
	if len(l.Learning) == 0 {
		return nil
	}
	shown := &Learning{LearnedAt: l.At, CredibleLevel: mission.CredibleLevel}
	for _, m := range l.Learning.Beliefs() {
		beliefs := make([]Belief, len(m.Beliefs))
		for i, b := range m.Beliefs {
			beliefs[i] = newBelief(b)
		}
		shown.Metrics = append(shown.Metrics, MetricBeliefs{Metric: m.Metric, Observations: m.Observations, Beliefs: beliefs})
	}
	return shown
}

func newBelief(b mission.Belief) Belief {
	shown := Belief{Belief: b}
	switch b.Factor {
	case mission.FactorPlatform:
		p := mission.Platform(b.Choice)
		shown.Platform = &p
		if b.IntegrationID != "" {
			shown.IntegrationID = &b.IntegrationID
		}
	case mission.FactorAngle:
		a := mission.Angle(b.Choice)
		shown.Angle = &a
	case mission.FactorFormat:
		f := mission.Format(b.Choice)
		shown.Format = &f
	case mission.FactorHour:
		shown.Hours = &b.Choice
	}
	return shown
}
