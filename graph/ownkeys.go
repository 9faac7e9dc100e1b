package graph

import "missiond/mission"

// orNone returns what is shown of a record, or nil if there is none.
func orNone[R, T any](record R, err error, show func(R) T) (*T, error) {
	if mission.CodeOf(err) == mission.CodeNotFound {
		return nil, nil
	}
	return result(show(record), err)
}
