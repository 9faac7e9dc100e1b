package main

import (
	"fmt"
	"net/url"
	"slices"
)

// deliveries checks that each acknowledged endpoint exists, that each event it
// subscribes to has one delivery to it, and that all have ended.
func (a *auditor) deliveries(r *result) {
	hooks := map[string]hookRow{} // by path
	for _, h := range a.Hooks {
		path := pathOf(h.URL)
		_, twice := hooks[path]
		r.hold(!twice, h.ID, "the only endpoint at its path", path)
		hooks[path] = h
	}
	to := map[string]map[string]deliveryRow{} // by endpoint and event
	for _, d := range a.Deliveries {
		if to[d.HookID] == nil {
			to[d.HookID] = map[string]deliveryRow{}
		}
		first, twice := to[d.HookID][d.EventID]
		r.hold(!twice, d.ID, "the only delivery of its event to its endpoint", first.ID)
		to[d.HookID][d.EventID] = d
		r.hold(d.Status == "delivered" && !d.Due, d.ID, "to be delivered: its endpoint accepts every event in the end", d.Status)
	}
	for path, sent := range a.b.hooks {
		h, ok := hooks[path]
		if !ok {
			r.hold(sent.Created.Sure == 0, path, "an endpoint: its creation was acknowledged", "none")
			continue
		}
		r.hold((sent.ID == "" || sent.ID == h.ID) && sent.TenantID == h.TenantID && same(sent.Events, h.Events) && h.Enabled && h.Status == "active",
			h.ID, fmt.Sprintf("what was sent: %+v", *sent), fmt.Sprintf("%+v", h))
		a.complete(r, h, to[h.ID], sent.Early)
	}
}

// complete checks that an endpoint gets each event that it subscribes to: from its
// tenant's first or, if it was created late, from its own first on. Deleted missions
// make no difference.
func (a *auditor) complete(r *result, h hookRow, got map[string]deliveryRow, early bool) {
	begun, n := early, 0
	for _, e := range a.Events { // by sequence number
		if e.TenantID != h.TenantID || !slices.Contains(h.Events, e.Type) {
			continue
		}
		d, ok := got[e.ID]
		begun = begun || ok
		if begun {
			r.hold(ok && d.EventType == e.Type && d.TenantID == e.TenantID, e.ID+" "+e.Type, "a delivery to "+h.ID, "none")
		}
		if ok {
			n++
		}
	}
	r.hold(n == len(got), h.ID, fmt.Sprintf("deliveries of events that it subscribes to: %d", n), len(got))
}

// pathOf returns the path of an endpoint's URL.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Path
}

// arrivals checks that every completed delivery was received, that nothing else
// was, and that each request had the same bytes and a valid signature.
func (a *auditor) arrivals(r *result) {
	body, path := map[string]string{}, map[string]string{}
	for _, e := range a.Events {
		body[e.ID] = string(e.Body)
	}
	for _, h := range a.Hooks {
		path[h.ID] = pathOf(h.URL)
	}
	answered := map[string]int{} // attempts with a response, by delivery
	made := map[string]int{}
	for _, t := range a.Attempts {
		made[t.DeliveryID]++
		r.hold(t.Number == made[t.DeliveryID], t.DeliveryID, fmt.Sprintf("the attempt %d in its log", made[t.DeliveryID]), t.Number)
		if t.Status != 0 {
			answered[t.DeliveryID]++
		}
	}
	known := map[string]map[string]bool{}
	for _, d := range a.Deliveries {
		at := path[d.HookID]
		if known[at] == nil {
			known[at] = map[string]bool{}
		}
		known[at][d.EventID] = true
		l := a.receipts[at][d.EventID]
		r.hold(made[d.ID] == d.Attempts, d.ID, fmt.Sprintf("each of its %d attempts in its log", d.Attempts), made[d.ID])
		r.hold(l.Times >= answered[d.ID], d.ID, fmt.Sprintf("to be received at least %d times", answered[d.ID]), l.Times)
		r.hold(d.Status != "delivered" || l.Taken > 0, d.ID, "to be accepted by its endpoint, being delivered", fmt.Sprintf("received %d times", l.Times))
	}
	for at, letters := range a.receipts {
		for id, l := range letters {
			r.hold(known[at][id], id, "a delivery to "+at+", at which it was received", "none")
			r.hold(l.Body == body[id], id, "the bytes of the log: "+body[id], l.Body)
			r.hold(len(l.Wrong) == 0, id, "to be received at "+at+" as it should be", l.Wrong)
		}
	}
}
