package store

import "missiond/mission"

// Committed is what a transaction changed, for counters.
type Committed struct {
	// Events counts its events by type: each is a change of a mission, a job or a post.
	Events map[mission.EventType]int
	// Deliveries counts the deliveries that ended, by outcome.
	Deliveries map[mission.DeliveryStatus]int
	// Spent is the money of the reservations that were settled, by what it was spent on.
	Spent map[mission.SpendingKind]mission.Micros
}

// committed returns what the transaction changed.
func (p *progress) committed() Committed {
	c := Committed{Deliveries: p.deliveries, Spent: p.spent}
	for _, e := range p.events {
		if c.Events == nil {
			c.Events = map[mission.EventType]int{}
		}
		c.Events[e.Type]++
	}
	return c
}

// deliveryEnded counts a delivery that changed its status.
func (p *progress) deliveryEnded(s mission.DeliveryStatus) {
	if p.deliveries == nil {
		p.deliveries = map[mission.DeliveryStatus]int{}
	}
	p.deliveries[s]++
}

// settledSpending counts a reservation that was settled.
func (p *progress) settledSpending(kind mission.SpendingKind, spent mission.Micros) {
	if p.spent == nil {
		p.spent = map[mission.SpendingKind]mission.Micros{}
	}
	p.spent[kind] += spent
}
