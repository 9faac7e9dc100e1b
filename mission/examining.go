package mission

import "time"

const (
	// MaxExamining is how many files of a tenant may wait to be examined.
	MaxExamining = 200
	// MaxDeaths is after how many examinations in a row that broke off a file is refused: one may be
	// the machine's fault.
	MaxDeaths = 3
	// MaxDebt is how far a tenant's turn is put off at most, for what was examined of its files.
	MaxDebt = 10 * time.Minute
)

// CheckExamining returns an error if so many files of a tenant wait to be examined that no other may.
// Errors: rate_limit_exceeded.
func CheckExamining(waiting int) error {
	if waiting < MaxExamining {
		return nil
	}
	return RateLimited(examiningWait, "Too many files wait to be examined: %d are allowed.", MaxExamining)
}

// examiningWait is when a file may be tried again that was one too many.
const examiningWait = 30 * time.Second

// NextTurn returns from when on a tenant's files are examined next while others' wait: what they took of
// the processor, cost, after the end of the last at now or after the turn that it had, but not later than
// debt from now on.
func NextTurn(turn, now time.Time, cost, debt time.Duration) time.Time {
	if turn.Before(now) {
		turn = now
	}
	if next, latest := turn.Add(cost), now.Add(debt); next.Before(latest) {
		return next
	}
	return now.Add(debt)
}
