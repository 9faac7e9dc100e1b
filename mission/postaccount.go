package mission

import "time"

// routed decides about a post by the account that it goes out through.
func (s ContentSituation) routed() (*Step, []Reason) {
	c := s.next()
	switch {
	case !s.open():
		return nil, nil
	case c.inFlight():
		return s.inFlight(c), nil
	case !s.scheduled():
		return nil, nil
	case s.answer():
		return s.answered(c), nil
	}
	i := s.Account.Integration
	switch {
	case c.MayBePublished() && s.otherAccount(c):
		return failing(Disconnected(c.Platform)), nil
	case i == nil && s.Account.Sandbox:
		return nil, nil
	case i == nil:
		return failing(NotConnected(c.Platform)), nil
	case !c.MayBePublished() && i.Usable() && c.ScheduledAt != nil && i.connectedAfter(*c.ScheduledAt):
		r := s.because(ReasonCatchUp, c.Platform.Name()+" was connected after its time: it moves to a later one.", RemedyWait).since(i.ConnectedAt)
		return &Step{Act: ActCatchUp}, []Reason{r}
	}
	return nil, nil
}

// otherAccount reports whether a post that the platform has parts of, or may have, isn't its account's any more.
func (s ContentSituation) otherAccount(c Content) bool {
	i := s.Account.Integration
	if i == nil {
		return c.IntegrationID != ""
	}
	return i.ID != c.IntegrationID || i.DeletedAt != nil
}

func (i Integration) connectedAfter(at time.Time) bool {
	return i.ConnectedAt != nil && i.ConnectedAt.After(at)
}

// inFlight decides about a post that its platform may have. If its account was disconnected it can't be found out.
func (s ContentSituation) inFlight(c Content) *Step {
	i := s.Account.Integration
	switch {
	case c.IntegrationID == "":
		return &Step{Act: ActLookUp}
	case i == nil || i.DeletedAt != nil:
		return failing(Disconnected(c.Platform))
	case c.Undecidable(s.Lookup, s.Now) || !i.Usable() && c.LookupsOver(s.Now):
		return failing(UnknownOutcome())
	}
	return nil
}

// answered decides about an answer, which goes out through the account that published the post.
func (s ContentSituation) answered(c Content) *Step {
	i := s.Account.Integration
	switch {
	case c.IntegrationID == "" || i != nil && i.DeletedAt == nil:
		return nil
	case c.MayBePublished():
		return failing(UnknownOutcome())
	}
	return failing(AccountGone(c.Platform))
}

// doubted decides about a post that is too late to be sent again, whether its account can be called or not.
func (s ContentSituation) doubted() (*Step, []Reason) {
	if c := s.next(); s.scheduled() && c.TooLate(s.Lookup, s.Now) {
		return &Step{Act: ActDoubt}, []Reason{s.because(ReasonLookup, "The platform may have it already, and is asked.", RemedyWait).since(c.CalledAt)}
	}
	return nil, nil
}

// callable decides about a post whose account can't be called. A pause that ends before the post's time is none, and
// neither is anything for what is in flight to the sandbox.
func (s ContentSituation) callable() (*Step, []Reason) {
	c := s.next()
	if !s.open() || c.inFlight() && c.IntegrationID == "" {
		return nil, nil
	}
	a := s.Account
	if s.waits() && a.PausedUntil != nil && c.ScheduledAt != nil && !a.PausedUntil.After(*c.ScheduledAt) {
		a.PausedUntil = nil
	}
	reasons := a.reasons(s.Mission, s.Now)
	again, ok := a.Callable(s.Now)
	if ok || !s.scheduled() && !c.inFlight() {
		return nil, reasons
	}
	return waiting(c.LookAgain(s.Lookup, again, s.Now)), reasons
}
