package mission

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Destination is where posts go: an account of a platform.
type Destination struct {
	Platform Platform
	// IntegrationID is the account's integration. "" is the platform's default, whichever
	// that is when a post is published, and the sandbox.
	IntegrationID string
	// Handle is the account's handle, and Account what people call the account, or "".
	Handle, Account string
}

// String returns the destination for people.
func (d Destination) String() string {
	if d.Account == "" {
		return string(d.Platform)
	}
	return fmt.Sprintf("%s (%s)", d.Platform.Name(), d.Account)
}

// Key returns the destination's name in what is learned: the platform's, and the
// integration's id behind a slash.
func (d Destination) Key() string {
	if d.IntegrationID == "" {
		return string(d.Platform)
	}
	return string(d.Platform) + "/" + d.IntegrationID
}

// Destinations returns where a brief's posts go: for each platform the accounts that the
// mission has chosen, or else the default one. accounts are the tenant's integrations with
// the platforms, the chosen ones among them even if they were disconnected: their posts
// wait. A platform whose chosen accounts are all disconnected retains them, since another
// account is no substitute.
func (b Brief) Destinations(accounts []Integration) []Destination {
	var all []Destination
	for _, p := range b.Platforms {
		var chosen, gone []Destination
		usual := Destination{Platform: p}
		for _, i := range accounts {
			d := Destination{Platform: p, IntegrationID: i.ID, Handle: i.handle(), Account: i.called()}
			switch {
			case i.Platform != p:
			case slices.Contains(b.IntegrationIDs, i.ID) && i.DeletedAt != nil:
				gone = append(gone, d)
			case slices.Contains(b.IntegrationIDs, i.ID):
				chosen = append(chosen, d)
			case i.Default:
				usual = d
			}
		}
		switch {
		case len(chosen) > 0:
			all = append(all, chosen...)
		case len(gone) > 0:
			all = append(all, gone...)
		default:
			all = append(all, usual)
		}
	}
	return all
}

// called returns what people call an integration's account: the tenant's label for it,
// and its handle or, without one, its name.
func (i Integration) called() string {
	var names []string
	if i.Label != "" {
		names = append(names, i.Label)
	}
	if i.Account != nil {
		if name := cmp.Or(i.Account.Handle, i.Account.Name); name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// handle returns the handle of an integration's account, or "".
func (i Integration) handle() string {
	if i.Account == nil {
		return ""
	}
	return i.Account.Handle
}

// CheckChosen checks the accounts that in chooses. found are those of them that its tenant
// has; ChosenIDs are those to look up.
func (in CreateInput) CheckChosen(found map[string]Integration) (problems Problems) {
	for n, id := range in.IntegrationIDs {
		param := fmt.Sprintf("integration_ids[%d]", n)
		switch i, ok := found[id]; {
		case !ok:
			problems.add(Invalid(param, "No such integration: %q.", id))
		case !slices.Contains(in.Platforms, i.Platform):
			problems.add(Invalid(param, "%s is an account on %s, which isn't one of the mission's platforms.", id, i.Platform.Name()))
		case i.Account == nil:
			problems.add(Invalid(param, "%s was never connected.", id))
		}
	}
	return problems
}

// ChosenIDs returns those of the chosen accounts' ids that may exist; nil if there are too
// many.
func (in CreateInput) ChosenIDs() []string {
	if len(in.IntegrationIDs) > MaxIntegrations {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(in.IntegrationIDs), func(id string) bool { return !HasIDForm(PrefixIntegration, id) })
}

// checkIntegrationIDs checks the form of chosen accounts.
func checkIntegrationIDs(ids []string) (found Problems) {
	if len(ids) > MaxIntegrations {
		return Problems{Invalid("integration_ids", "At most %d integrations are allowed.", MaxIntegrations)}
	}
	for n, id := range ids {
		param := fmt.Sprintf("integration_ids[%d]", n)
		switch {
		case !HasIDForm(PrefixIntegration, id):
			found.add(Invalid(param, "No such integration: %q.", id))
		case slices.Contains(ids[:n], id):
			found.add(Invalid(param, "Duplicate integration %s.", id))
		}
	}
	return found
}
