package mission

import (
	"maps"
	"slices"
)

// Codes of failures that platforms cause.
const (
	CodePlatformRefused      = "platform_refused"
	CodePlatformDuplicate    = "platform_duplicate"
	CodePlatformRateLimited  = "platform_rate_limited"
	CodePlatformUnavailable  = "platform_unavailable"
	CodePlatformMalformed    = "platform_malformed_answer"
	CodePlatformUnauthorized = "platform_unauthorized"
	// CodePlatformFileGone is that of a post's file that the platform no longer has.
	CodePlatformFileGone = "platform_file_gone"
	// CodeFileUnread is that of a file that couldn't be read, which isn't the platform's fault.
	CodeFileUnread = "file_unreadable"
)

// cures are what helps against the failures of posts, of first comments and of jobs' stages, by
// their codes: beside what the post's state, or the job's, allows. None means that nothing else
// has to be done.
var cures = map[string][]Remedy{
	CodePlatformRefused:      nil,
	CodePlatformDuplicate:    nil,
	CodePlatformRateLimited:  nil,
	CodePlatformUnavailable:  nil,
	CodeNoResponse:           nil,
	CodePlatformMalformed:    nil,
	CodePlatformUnauthorized: {RemedyReconnect},
	CodePlatformFileGone:     nil,
	CodeFileUnread:           nil,
	CodeFileMissing:          nil,
	CodeCredentialsUnread:    {RemedyReconnect},
	CodeNotConnected:         {RemedyConnect},
	CodeDisconnected:         {RemedyConnect},
	CodeOutcomeUnknown:       nil,
	CodeMissionEnded:         nil,
	CodeNoTimeLeft:           {RemedyExtend, RemedyUpdate},
	CodeCanceled:             nil,
	CodeExcludedTopic:        {RemedyExclusions},
	CodeAutonomyEnded:        nil,
	CodeBannedWord:           {RemedyExclusions},
	CodeFactExpired:          {RemedyExclusions},
	CodeBudgetExhausted:      {RemedyBudget},
	CodeNotNamed:             nil,
	CodeWriterRefused:        {RemedyUpdate},
	CodeWriterInvalid:        {RemedyUpdate},
	CodeWriterTruncated:      {RemedyUpdate},
	CodeWriterUnavailable:    nil,
	CodeWriterBrokeRule:      {RemedyUpdate},
	CodeWriterRejected:       {RemedyWriter},
	CodeWriterUsedUp:         {RemedyUpdate},
	CodeWriterNoPicture:      {RemedyPictures},
	CodeWriterLanguage:       {RemedyUpdate},

	string(CodeInvalidRequest): {RemedyUpdate},
	string(CodeInternal):       nil,
}

// AllFailureCodes lists the codes of the failures of posts, first comments and jobs, sorted.
func AllFailureCodes() []string { return slices.Sorted(maps.Keys(cures)) }
