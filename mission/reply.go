package mission

import (
	"fmt"
	"slices"
	"time"
)

// ReplyStatus is what was done about a reply.
type ReplyStatus string

// The states of a reply. Someone may have to do something about new ones only.
const (
	ReplyNew      ReplyStatus = "new"
	ReplyAnswered ReplyStatus = "answered" // or is being answered: see Reply.Answer
	ReplyDone     ReplyStatus = "done"     // a person has set it aside
	ReplyHidden   ReplyStatus = "hidden"   // on its platform
	ReplyDeleted  ReplyStatus = "deleted"  // its platform no longer shows it
)

// AllReplyStatuses lists the states of a reply.
func AllReplyStatuses() []ReplyStatus {
	return []ReplyStatus{ReplyNew, ReplyAnswered, ReplyDone, ReplyHidden, ReplyDeleted}
}

// ReplyAuthor is who wrote a reply, as the platform shows them: words of a stranger.
type ReplyAuthor struct {
	// ID is the platform's id of the account; "" if it tells none.
	ID string
	// Handle is without a leading @, Name what the account calls itself and URL where it is to be
	// seen; each is "" if the platform doesn't tell it.
	Handle, Name, URL string
}

// FoundReply is a reply as a platform shows it. All its texts are a stranger's.
type FoundReply struct {
	// ID is the platform's id, by which the reply is known again, and Hash that of its record on
	// Bluesky.
	ID   string `bun:"reply_id"`
	Hash string `bun:"cid"`
	// ParentID is the platform's id of what it replies to: a part of the post, or another reply.
	ParentID string
	Author   ReplyAuthor `bun:"embed:author_"`
	// Text is plain text.
	Text string `bun:"body"`
	URL  string
	// PublishedAt is when it was written; zero if the platform doesn't tell.
	PublishedAt time.Time `bun:",nullzero"`
	// Hidden reports that its platform hides it, as the post's account has asked it to.
	Hidden bool `bun:"-"`
}

// ReplyQuery requests the replies to a post.
type ReplyQuery struct {
	// Post is a published post with its parts and its first comment.
	Post Content
	// Cursor continues a read that isn't complete; "" begins one.
	Cursor string
	// Since is the mark of the last read that was complete; "" if there was none.
	Since string
	// Limit is how many replies the caller takes at most, in this and all further calls of the
	// read: a platform that charges for each must not return more.
	Limit int
}

// ReplyPage is a page of the replies to a post.
type ReplyPage struct {
	Replies []FoundReply
	// Cursor requests the next page; "" if this is the last.
	Cursor string
	// Mark is where the next read begins, for ReplyQuery.Since; "" for a platform that always
	// shows all. That of the first page counts.
	Mark string
	// Gone are the platform's ids of replies that it says are no longer there.
	Gone []string
	// Whole reports that the pages of the read up to this one show each reply that the platform has,
	// even if others were deleted in between, so that one that is absent from all of them was deleted.
	Whole bool
	// Charged is how many posts the platform charges for.
	Charged int
}

// Bounds of replies.
const (
	// MaxReplyText bounds the text of a reply, in characters; the rest of it isn't stored.
	MaxReplyText = 5000
	// MaxReplies is how many replies to a post are stored at most.
	MaxReplies = 1000
	// MaxAnswer bounds what is sent as an answer, in characters, whatever the platform allows.
	MaxAnswer = 5000
	// ReplyRetention is how long replies are retained once their post is no longer read.
	ReplyRetention = 90 * day
	// ReplyReading is how long after its publication a post's replies are read.
	ReplyReading = 90 * day
	// RepliesPerRead is how many replies one read of a post takes at most, RepliesPerRun one run of
	// a mission's, and PagesPerRead how many calls one read makes; what is left is read in the next.
	RepliesPerRead = 500
	RepliesPerRun  = 2000
	PagesPerRead   = 5
	// MaxReplyPages is how many pages a read takes in all its runs: enough for MaxReplies where a
	// page has 20. A platform may never come to an end.
	MaxReplyPages = 50
)

// MaxTenantReplies is how many replies to all posts of a tenant with a plan are stored at most. Strangers write them, so
// they don't count in the tenant's TextQuota.
func MaxTenantReplies(p TenantPlan) int {
	switch p {
	case PlanEnterprise:
		return 200_000
	case PlanPro:
		return 50_000
	default:
		return 10_000
	}
}

// Reply is what somebody answered to a published post, or commented on it.
type Reply struct {
	ID        string `bun:",pk"`
	TenantID  string
	MissionID string
	ContentID string
	Platform  Platform
	// IntegrationID is the account that published the post; "" is the sandbox.
	IntegrationID string
	Found         FoundReply `bun:"embed:"`
	Status        ReplyStatus
	// Answer is what was answered; nil if nothing was.
	Answer *Answer
	// ReceivedAt is when it was first seen, ChangedAt when its text was last found to be another,
	// nil if never.
	ReceivedAt time.Time
	ChangedAt  *time.Time
	// Hiding is set if a person has had it hidden.
	Hiding *Hiding
	// HandledBy is the user or API key that set it aside; "" if nobody did.
	HandledBy string
	// SeenIn is the last read of several runs that showed it before its end, by when that began;
	// zero if none did.
	SeenIn time.Time `bun:",nullzero"`
	// ExpiresAt is until when it is retained.
	ExpiresAt time.Time
	UpdatedAt time.Time
}

// Hiding is what became of a request to hide a reply.
type Hiding struct {
	// By is the user or API key that asked for it.
	By string    `json:"by"`
	At time.Time `json:"at"`
	// Done reports that the platform hides it. Error is why it won't; both are zero until it
	// responds.
	Done  bool     `json:"done,omitempty"`
	Error *Failure `json:"error,omitempty"`
}

// Answer is a person's answer to a reply. It is sent as a post's first comment is.
type Answer struct {
	Comment

	// ID is what the platform is called with: another for each text that is given.
	ID string `json:"id"`
	// By is the user or API key that gave it.
	By string    `json:"by"`
	At time.Time `json:"at"`
	// Fees is what the platform has charged for it.
	Fees Micros `json:"fees,omitempty"`
}

// ReplyRules are what can be done about replies on a platform.
type ReplyRules struct {
	// Read reports whether replies to posts can be read there, PageOnly only to those of
	// organisations' accounts.
	Read, PageOnly bool
	// Answer and Hide report whether they can be answered and hidden.
	Answer, Hide bool
	// Mention reports whether an answer reaches the reply's author only if it mentions them, so
	// that one which doesn't is sent with a mention at its beginning.
	Mention bool
	// MostRead is how many replies one read of a post takes at most; 0 is RepliesPerRead. LeastRead is
	// the least Limit of a call.
	MostRead, LeastRead int
}

// ReadsReplies reports whether the replies to posts can be read through an account, by its id on the
// platform.
func (c Capabilities) ReadsReplies(accountID string) bool {
	return c.Replies.Read && (!c.Replies.PageOnly || isPage(accountID))
}

// checkPaidReplies checks the platforms on which replies are read although that costs.
func checkPaidReplies(on []Platform) (found Problems) {
	for i, p := range on {
		param := fmt.Sprintf("constraints.paid_replies[%d]", i)
		found.add(CheckPlatform(param, p))
		if slices.Contains(on[:i], p) {
			found.add(Invalid(param, "duplicate"))
		}
	}
	return found
}

// ReadsReplies reports whether the mission reads the replies to its posts through an account: where
// reading costs, only if it says so. The sandbox, which nil is, has what its platform has.
func (c Constraints) ReadsReplies(p Platform, via *Integration) bool {
	caps, _ := CapabilitiesOf(p)
	if via == nil {
		return caps.Replies.Read
	}
	if via.Account == nil || !caps.ReadsReplies(via.Account.ID) {
		return false
	}
	return caps.Fees.Reply == 0 || slices.Contains(c.PaidReplies, p)
}
