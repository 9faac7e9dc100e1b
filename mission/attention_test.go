package mission

import (
	"slices"
	"testing"
	"time"
)

// A person is told of an endpoint that is failing, and of one that a receiver's 410 disabled; not of
// one that a person disabled, or has seen to since.
func TestWebhooksThatNeedAPerson(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	earlier := now.Add(-time.Hour)
	delivered := Delivery{Status: DeliveryDelivered, CompletedAt: &earlier}
	failed := Delivery{Status: DeliveryFailed, CompletedAt: &earlier}
	retried, waiting := Delivery{Status: DeliveryPending, Attempts: 2}, Delivery{Status: DeliveryPending}
	_, disabled := Delivery{Status: DeliveryPending}.Tried(Webhook{Enabled: true, Status: WebhookActive}, Attempt{Number: 1, StatusCode: gone}, 0, earlier)
	touched, byPerson := disabled, Webhook{UpdatedAt: now}
	touched.UpdatedAt = now
	failing := Webhook{Enabled: true, Status: WebhookFailing, UpdatedAt: earlier}
	for name, tc := range map[string]struct {
		w          Webhook
		latest     []Delivery
		want       bool
		failed, of int
	}{
		"one that accepts":                   {Webhook{Enabled: true, Status: WebhookActive}, []Delivery{failed}, false, 1, 1},
		"one that fails":                     {failing, []Delivery{waiting, retried, failed, delivered}, true, 2, 4},
		"one that fails, with nothing new":   {failing, nil, true, 0, 0},
		"one that a 410 disabled":            {disabled, []Delivery{failed}, true, 0, 0},
		"one that a 410 disabled, looked at": {touched, []Delivery{failed}, false, 0, 0},
		"one that a person disabled":         {byPerson, []Delivery{failed}, false, 0, 0},
		"one that never failed":              {disabled, nil, false, 0, 0},
	} {
		item, ok := tc.w.NeedsPerson(tc.latest)
		if ok != tc.want || !item.Since.Equal(tc.w.UpdatedAt) {
			t.Errorf("%s: got %v, %+v", name, ok, item)
		}
		if tc.w.Enabled && (*item.Count != tc.failed || *item.Of != tc.of) || !tc.w.Enabled && item.Count != nil {
			t.Errorf("%s: got %+v, want %d of %d", name, item, tc.failed, tc.of)
		}
	}
}

// The order of the kinds has each once, and lists keep it.
func TestMostPressing(t *testing.T) {
	var backward []Attention
	for _, kind := range AllAttentionKinds() {
		backward = append([]Attention{{Kind: kind}}, backward...)
	}
	var kinds []AttentionKind
	for _, a := range MostPressing(backward[:4], nil, backward[4:]) {
		kinds = append(kinds, a.Kind)
	}
	if !slices.Equal(kinds, AllAttentionKinds()) {
		t.Errorf("got %v", kinds)
	}
}
