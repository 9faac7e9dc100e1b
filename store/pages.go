package store

import "missiond/mission"

// MaxPage and DefaultPage are the limits of a list's page.
const (
	MaxPage     = 100
	DefaultPage = 20
)

// Check returns an error if the page's limit isn't within 1 to MaxPage, or if a cursor
// isn't the id, with the prefix, of a record of the list, whose name is noun. Errors:
// invalid_request; without a param for a cursor.
func (p Page) Check(prefix, noun string) error {
	if p.Limit < 1 || p.Limit > MaxPage {
		return mission.Invalid("limit", "The limit must be 1 to %d.", MaxPage)
	}
	for _, cursor := range []string{p.After, p.Before} {
		if cursor != "" && !mission.HasIDForm(prefix, cursor) {
			return mission.Invalid("", "Invalid cursor %q: there is no %s with this id.", cursor, noun)
		}
	}
	return nil
}
