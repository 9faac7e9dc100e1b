package textlimit

import "missiond/mission"

// Twins returns the index of the first text that is alike to one before it, on a platform that
// refuses the text of a post that the account has, and where each part and first comment is a
// post; -1 if there is none.
func Twins(p mission.Platform, texts ...string) int {
	if caps, _ := mission.CapabilitiesOf(p); !caps.RefusesTwins || !caps.Threads() {
		return -1
	}
	seen := mission.TextSet{}
	for i, text := range texts {
		if seen.Has(text) {
			return i
		}
		seen.Add(text)
	}
	return -1
}
