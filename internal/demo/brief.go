package demo

import (
	"context"
	"net/http"
)

// brief is the body of POST /v1/missions.
type brief struct {
	Name             string      `json:"name"`
	Description      string      `json:"description"`
	Objectives       []string    `json:"objectives"`
	Platforms        []string    `json:"platforms"`
	KPIs             []kpi       `json:"kpis"`
	MediaIDs         []string    `json:"media_ids"`
	Constraints      constraints `json:"constraints"`
	DurationDays     int         `json:"duration_days"`
	StartImmediately bool        `json:"start_immediately"`
}

type kpi struct {
	Metric string  `json:"metric"`
	Target float64 `json:"target"`
}

type constraints struct {
	PostsPerDay int    `json:"posts_per_day"`
	Tone        string `json:"tone"`
}

// springLaunch is the demo's mission. Strategy needs six measured posts that are half
// a day old to learn from: at four posts a day it has them on the third day.
var springLaunch = brief{
	Name: "Spring launch",
	Description: "Our bicycle app finds the quiet streets of Helsinki. It knows every cycle path on the map. " +
		"Version 2 remembers your route when the phone is offline. Cobbles, ice and building sites turn up on the map within an hour. " +
		"A ride along the sea is one tap away. It is the red line on the map. " +
		"The app counts no steps and sells no data. Forty beta testers ride with it through every winter. " +
		"Tyres, brakes and lights have a checklist of their own. In June we ride around Vuosaari together. " +
		"Join the beta testers in Helsinki.",
	Objectives:       []string{"Tell developers what is new in our bicycle app", "Win beta testers in Helsinki"},
	Platforms:        []string{"twitter", "linkedin"},
	KPIs:             []kpi{{"likes", 300}, {"engagement_rate", 4}},
	Constraints:      constraints{PostsPerDay: 4, Tone: "friendly"},
	DurationDays:     3,
	StartImmediately: true,
}

// create creates the mission and returns its id.
func (s Service) create(ctx context.Context, b brief) (string, error) {
	var created struct{ ID string }
	err := s.call(ctx, http.MethodPost, "/v1/missions", b, &created)
	return created.ID, err
}
