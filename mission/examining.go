package mission

// MaxDeaths is after how many examinations in a row that broke off a file is refused: one may be the
// machine's fault.
const MaxDeaths = 3
