package node

import (
	"time"

	"missiond/mission"
	"missiond/mission/learning"
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
	learning.Belief

	Platform      *mission.Platform
	IntegrationID *string
	Angle         *mission.Angle
	Format        *mission.Format
	Hours         *string
}

// NewLearning returns what a mission has learned as shown; nil for nothing.
func NewLearning(l learning.Learned) *Learning {
	if len(l.Model) == 0 {
		return nil
	}
	shown := &Learning{LearnedAt: l.At, CredibleLevel: learning.CredibleLevel}
	for _, m := range l.Model.Beliefs() {
		beliefs := make([]Belief, len(m.Beliefs))
		for i, b := range m.Beliefs {
			beliefs[i] = newBelief(b)
		}
		shown.Metrics = append(shown.Metrics, MetricBeliefs{Metric: m.Metric, Observations: m.Observations, Beliefs: beliefs})
	}
	return shown
}

func newBelief(b learning.Belief) Belief {
	shown := Belief{Belief: b}
	switch b.Factor {
	case learning.FactorPlatform:
		p := mission.Platform(b.Choice)
		shown.Platform = &p
		if b.IntegrationID != "" {
			shown.IntegrationID = &b.IntegrationID
		}
	case learning.FactorAngle:
		a := mission.Angle(b.Choice)
		shown.Angle = &a
	case learning.FactorFormat:
		f := mission.Format(b.Choice)
		shown.Format = &f
	case learning.FactorHour:
		shown.Hours = &b.Choice
	}
	return shown
}
