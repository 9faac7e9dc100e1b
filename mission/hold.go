package mission

import "time"

// MaxHold is how long a hold lasts at most that ends by itself.
const MaxHold = 366 * 24 * time.Hour

// Hold is a stop of everything that a tenant would publish. While it lasts, the tenant's
// running missions are paused, and nobody can resume them.
type Hold struct {
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
	// Until is when the hold ends by itself; nil if somebody has to release it.
	Until *time.Time `json:"until"`
	// By is the user or API key that has set it.
	By string `json:"by"`
}

// HoldInput is what POST /tenant/hold takes.
type HoldInput struct {
	Reason string     `json:"reason" doc:"Why nothing may go out: 1 to 1000 characters" example:"An accident at the venue"`
	Until  *time.Time `json:"until,omitempty" nullable:"true" doc:"When the hold ends by itself, at most 366 days from now; absent or null: when it is released"`
}

// Check validates the input at now. Errors: invalid_request, naming the field.
func (in HoldInput) Check(now time.Time) error {
	if in.Until != nil && (!in.Until.After(now) || in.Until.After(now.Add(MaxHold))) {
		return Invalid("until", "The end of the hold must be in the future, at most 366 days away.")
	}
	return checkProse("reason", in.Reason, 1, MaxReason)
}

// TenantHeldData is the data of tenant.held and tenant.released.
type TenantHeldData struct {
	Reason string     `json:"reason"`
	Since  time.Time  `json:"since"`
	Until  *time.Time `json:"until"`
	// HeldBy and ReleasedBy are users or API keys. ReleasedBy is null in tenant.held, and for
	// a hold that ended by itself.
	HeldBy     string  `json:"held_by"`
	ReleasedBy *string `json:"released_by"`
}

// PutOnHold returns the tenant on hold at now, and the event. A hold that there is continues,
// with the new reason and end. Errors: invalid_request, naming the field.
func (t Tenant) PutOnHold(in HoldInput, by Principal, now time.Time) (Tenant, Event, error) {
	if err := in.Check(now); err != nil {
		return t, Event{}, err
	}
	h := Hold{Reason: Tidy(in.Reason), Since: now, Until: in.Until, By: by.Author()}
	if t.Hold != nil {
		h.Since = t.Hold.Since
	}
	t.Hold, t.AutonomyEnded = &h, &AutonomyEnd{Reason: EndedByHold, At: now}
	return t, h.event(EventTenantHeld, t.ID, nil, now), nil
}

// Release returns the tenant without its hold, and the event. by is the zero Principal for a
// hold that ends by itself. Errors: conflict if there is no hold.
func (t Tenant) Release(by Principal, now time.Time) (Tenant, Event, error) {
	if t.Hold == nil {
		return t, Event{}, Conflict("The tenant isn't on hold.")
	}
	var actor *string
	if id := by.Author(); id != "" {
		actor = &id
	}
	e := t.Hold.event(EventTenantReleased, t.ID, actor, now)
	t.Hold = nil
	return t, e, nil
}

func (h Hold) event(t EventType, tenantID string, releasedBy *string, now time.Time) Event {
	return Event{TenantID: tenantID, Type: t, CreatedAt: now, Data: TenantHeldData{
		Reason: h.Reason, Since: h.Since, Until: h.Until, HeldBy: h.By, ReleasedBy: releasedBy,
	}}
}

// Over reports whether the hold has ended by itself at now.
func (h Hold) Over(now time.Time) bool { return h.Until != nil && !now.Before(*h.Until) }

// Hold pauses an active mission of a tenant on hold; the release resumes it. Errors: conflict.
func (m Mission) Hold(now time.Time) (MissionChange, error) {
	c, err := m.Pause(now)
	c.To.Held = true
	return c, err
}
