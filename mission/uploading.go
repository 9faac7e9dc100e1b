package mission

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"
)

// NextUpload returns the next of the post's files that its platform doesn't have yet, with how
// far it has come; ok is false if the platform has all that are left to be published.
func (c Content) NextUpload(now time.Time) (file PostMedia, u Upload, ok bool) {
	for part := len(c.Published); part < len(c.Texts()); part++ {
		for _, m := range c.PartMedia(part) {
			if u := c.UploadOf(m, now); u.State != UploadReady {
				return m, u, true
			}
		}
	}
	return PostMedia{}, Upload{}, false
}

// LinkFile returns the card of a link as a file of a post, which has no bytes: its upload is what
// the card says, recorded before the post is sent, so that a post that is sent again is the same. sent is
// the link as the post has it, address where it leads.
func LinkFile(sent, address string) PostMedia {
	sum := sha256.Sum256([]byte(sent))
	return PostMedia{Kind: MediaLink, Key: address, Link: sent, Hash: hex.EncodeToString(sum[:])}
}

// UploadOf returns how far a file of the post has come on its platform; what the platform has
// forgotten begins anew.
func (c Content) UploadOf(m PostMedia, now time.Time) Upload {
	i := slices.IndexFunc(c.Uploads, func(u Upload) bool { return u.Hash == m.Hash && u.AltText == m.AltText })
	if i < 0 || c.Uploads[i].ExpiresAt != nil && !now.Before(*c.Uploads[i].ExpiresAt) {
		return Upload{Hash: m.Hash, AltText: m.AltText}
	}
	return c.Uploads[i]
}

// Drafts reports whether the post's next part is made as a draft before an integration publishes it:
// the platform has drafts, and the part is a post there, as first comments and answers are where there are
// threads. The sandbox has none.
func (c Content) Drafts() bool {
	caps, _ := CapabilitiesOf(c.Platform)
	return caps.Drafts && (caps.Threads() || c.PublishedAt == nil && c.Replying == nil)
}

// Draft returns how far the post's next part has come as a draft on its platform (see
// Capabilities.Drafts); what the platform has forgotten begins anew. It is stored with the
// post's uploads, under the part's key.
func (c Content) Draft(now time.Time) Upload {
	return c.UploadOf(PostMedia{Hash: c.NextPart().Key()}, now)
}

// recordedDraft returns the draft of a part by its key as it was recorded, even if the platform has
// forgotten it; the zero Upload if there is none.
func (c Content) recordedDraft(key string) Upload {
	for _, u := range c.Uploads {
		if u.Hash == key {
			return u
		}
	}
	return Upload{}
}

// uploadTime is how long a platform may take for a file, from the first step of its upload to
// the last.
const uploadTime = 2 * time.Hour

// Uploaded returns the post with an upload that went a step further; late reports whether it
// has been going on for too long.
func (c Content) Uploaded(u Upload, now time.Time) (next Content, late bool) {
	same := func(o Upload) bool { return o.Hash == u.Hash && o.AltText == u.AltText }
	if u.BegunAt == nil {
		u.BegunAt = &now
	}
	late = u.State != UploadReady && now.Sub(*u.BegunAt) > uploadTime
	c.Uploads = append(slices.DeleteFunc(slices.Clone(c.Uploads), same), u)
	return c, late
}

// Unprocessed returns the failure of a post whose file its platform doesn't finish.
func Unprocessed(p Platform) Failure {
	return Failure{Code: CodeNoResponse, Message: p.Name() + " hasn't finished working on a file of the post."}
}

// PartFiles returns the files of a part, which are all on the platform. open opens one.
func (c Content) PartFiles(part int, now time.Time, open func(PostMedia) File) []PartFile {
	var files []PartFile
	for _, m := range c.PartMedia(part) {
		files = append(files, PartFile{File: open(m), Upload: c.UploadOf(m, now)})
	}
	return files
}

// UploadFailure is what becomes of a post whose file couldn't be uploaded: with more it is
// tried again at RunAt, else the post fails.
type UploadFailure struct {
	Failure Failure
	More    bool
	RunAt   time.Time
	// Attempts counts the attempts that the task has used up.
	Attempts int
	// PausedUntil is until when the platform wants no calls for the account; zero if it doesn't
	// say.
	PausedUntil time.Time
	// Trouble is as a Settlement's.
	Trouble Trouble
}

// AfterUpload returns what becomes of post c after a step of an upload failed. Nothing is out,
// so that the step is made again whatever became of it.
func (at PublishAttempt) AfterUpload(c Content, r PublishResult, now time.Time) UploadFailure {
	f := UploadFailure{Failure: r.Failure, Attempts: at.Number, Trouble: r.Trouble}
	if r.Outcome == OutcomeRefused {
		return f
	}
	wait, more := TaskContentPublish.Plan().OutageDelay(at.Number, 0, at.WindowEnd.Sub(now))
	if r.Trouble != "" {
		since := at.Task.TroubledSince(r.Trouble, now)
		wait, more = TroublePause(now.Sub(since)), now.Before(c.TroubleEnds(since, at.WindowEnd))
		f.More, f.RunAt, f.Attempts = more, now.Add(wait), f.Attempts-1
		return f
	}
	spends := !r.Unauthorized && r.RetryAfter == 0
	if f.More = more || !spends; !spends {
		f.Attempts--
	}
	f.RunAt = now.Add(r.wait(wait))
	if r.RetryAfter > 0 {
		f.PausedUntil = now.Add(r.RetryAfter)
	}
	return f
}
