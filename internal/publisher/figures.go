package publisher

import "missiond/mission"

// Whole returns a number of a platform's as a count; nil if it told none, or one that no count can
// be: negative, broken, or more than is believed of any account.
func Whole(number *float64) *int64 {
	if number == nil || !(*number >= 0 && *number <= mission.MaxAccountFigure) {
		return nil
	}
	count := int64(*number)
	if float64(count) != *number {
		return nil
	}
	return &count
}
