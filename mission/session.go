package mission

import "time"

// Lifetimes of sessions and their tokens, in real time (decisions, "Identity").
const (
	// TokenLife is how long a session's token is valid.
	TokenLife = time.Hour
	// SessionLife is how long after its login a session may be refreshed.
	SessionLife = 30 * 24 * time.Hour
	// RefreshLeeway is how long a token still works after it was refreshed.
	RefreshLeeway = 10 * time.Second
	// maxSuperseded bounds how many refreshed tokens of a session still work at
	// the same time.
	maxSuperseded = 64
)

// Session is a user's login. Its tokens have generations: a refresh ends one
// and begins the next, so that a late use of an old token shows that it was
// copied.
type Session struct {
	ID         string `bun:",pk"`
	TenantID   string
	UserID     string
	Generation int
	// ProviderSession is the identity provider's session that it began with; ""
	// if that isn't known.
	ProviderSession string
	// Superseded has the Unix milliseconds at which the latest generations
	// ended; the last entry is that of Generation-1.
	Superseded []int64
	CreatedAt  time.Time
	ExpiresAt  time.Time
	EndedAt    *time.Time
}

// NewSession returns a new session.
func NewSession(id string, u User, now time.Time) Session {
	return Session{
		ID: id, TenantID: u.TenantID, UserID: u.ID, Generation: 1, Superseded: []int64{},
		CreatedAt: now, ExpiresAt: now.Add(SessionLife),
	}
}

// TokenExpiry returns when a token made at now expires: a whole second, since
// tokens have no smaller unit.
func (s Session) TokenExpiry(now time.Time) time.Time {
	expiry := now.Add(TokenLife)
	if expiry.After(s.ExpiresAt) {
		expiry = s.ExpiresAt
	}
	return expiry.Truncate(time.Second)
}

// RenewedAt returns when the session's token was last renewed, nil if it never was.
// Clients that are in use renew it before it expires, so it is at most TokenLife
// older than the session's last use.
func (s Session) RenewedAt() *time.Time {
	if len(s.Superseded) == 0 {
		return nil
	}
	at := time.UnixMilli(s.Superseded[len(s.Superseded)-1]).UTC()
	return &at
}

// SeenAt returns when the session's token was last issued.
func (s Session) SeenAt() time.Time {
	if at := s.RenewedAt(); at != nil {
		return *at
	}
	return s.CreatedAt
}

// CheckSessionsOf returns an error unless the principal may see and end a user's
// sessions: its own in a session, and with the scope admin everybody's. Errors:
// forbidden.
func (p Principal) CheckSessionsOf(userID string) error {
	if p.Has(ScopeAdmin) || p.SessionID != "" && userID == p.UserID {
		return nil
	}
	return Forbidden(ScopeAdmin)
}

// Live reports whether the session hasn't ended at now.
func (s Session) Live(now time.Time) bool { return s.EndedAt == nil && now.Before(s.ExpiresAt) }

// Accepts reports whether a token of a generation still works at now.
func (s Session) Accepts(generation int, now time.Time) bool {
	return s.Live(now) && (generation == s.Generation || s.inLeeway(generation, now))
}

// inLeeway reports whether a generation was refreshed so recently that its
// token still works.
func (s Session) inLeeway(generation int, now time.Time) bool {
	i := len(s.Superseded) - (s.Generation - generation)
	return i >= 0 && i < len(s.Superseded) && now.Before(time.UnixMilli(s.Superseded[i]).Add(RefreshLeeway))
}

// Refresh uses a token of a generation to get the next. It returns the session
// afterwards, and whether a token may be issued for it. The current generation
// is superseded by a new one; one that was superseded within the leeway gets a
// token of the current one, as concurrent refreshes do; an older one is a
// replay, which ends the session.
func (s Session) Refresh(generation int, now time.Time) (next Session, ok bool) {
	if next, ok = s.Renew(generation, now); ok || !s.Live(now) || generation > s.Generation {
		return next, ok
	}
	return s.End(now), false
}

// Renew is Refresh for a token that its holder didn't choose to refresh, since a
// renewal may be late: an older generation's gets none, and the session goes on.
func (s Session) Renew(generation int, now time.Time) (next Session, ok bool) {
	switch {
	case !s.Live(now):
		return s, false
	case generation == s.Generation:
		return s.supersede(now), true
	}
	return s, s.inLeeway(generation, now)
}

func (s Session) supersede(now time.Time) Session {
	recent := []int64{}
	for _, at := range append(s.Superseded, now.UnixMilli()) {
		if now.Before(time.UnixMilli(at).Add(RefreshLeeway)) {
			recent = append(recent, at)
		}
	}
	s.Superseded = recent[max(0, len(recent)-maxSuperseded):]
	s.Generation++
	return s
}

// End ends the session; one that has ended already stays as it is.
func (s Session) End(now time.Time) Session {
	if s.EndedAt == nil {
		s.EndedAt = &now
	}
	return s
}
