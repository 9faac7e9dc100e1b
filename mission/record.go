package mission

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
)

// RecordLife is how long the record of a post that was on its platform is kept after its mission
// was deleted.
const RecordLife = 400 * 24 * time.Hour

// Decision is what a reviewer decided about a revision.
type Decision string

// The decisions of reviewers.
const (
	DecisionApproved Decision = "approved"
	DecisionRejected Decision = "rejected"
	DecisionReopened Decision = "reopened" // the decision before was taken back
)

// AllDecisions lists the decisions of reviewers.
func AllDecisions() []Decision {
	return []Decision{DecisionApproved, DecisionRejected, DecisionReopened}
}

// Review is a decision about a revision of a post. Reviews are only added, never changed.
type Review struct {
	ContentID, TenantID string
	Revision            int
	Decision            Decision
	// By is the id of who decided: a user, an API key, a review link or an agent.
	By     string    `bun:"reviewer"`
	Reason string    `bun:",nullzero"` // "" for none
	At     time.Time `bun:"created_at"`
}

// review returns a decision about c's revision.
func (c Content) review(d Decision, by, reason string, now time.Time) *Review {
	return &Review{ContentID: c.ID, TenantID: c.TenantID, Revision: c.Revision, Decision: d, By: by, Reason: reason, At: now}
}

// ReviewedWith returns the change with who decided it: a key, if the principal has one.
func (ch ContentChange) ReviewedWith(p Principal) ContentChange {
	if ch.Review != nil {
		r := *ch.Review
		r.By = cmp.Or(p.KeyID, r.By, p.UserID)
		ch.Review = &r
	}
	return ch
}

// ReviewVia is what a reviewer decided by.
type ReviewVia string

// What reviewers decide by.
const (
	ViaSession    ReviewVia = "session"
	ViaKey        ReviewVia = "key"
	ViaReviewLink ReviewVia = "review_link"
	ViaAgent      ReviewVia = "agent"
)

// AllReviewVias lists what reviewers decide by.
func AllReviewVias() []ReviewVia { return []ReviewVia{ViaSession, ViaKey, ViaReviewLink, ViaAgent} }

// via returns what an id decided by.
func via(id string) ReviewVia {
	switch {
	case strings.HasPrefix(id, PrefixKey):
		return ViaKey
	case strings.HasPrefix(id, PrefixReviewLink):
		return ViaReviewLink
	case strings.HasPrefix(id, PrefixAgent):
		return ViaAgent
	default:
		return ViaSession
	}
}

// Record is what proves how a post came about (people.md, "Disclosure and the editorial record").
type Record struct {
	ContentID     string         `json:"content_id" doc:"The post" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	Mission       RecordMission  `json:"mission" doc:"Its mission"`
	Origin        Origin         `json:"origin" doc:"Who made it: the service's writer or a person" example:"writer"`
	Platform      Platform       `json:"platform" doc:"The platform" example:"twitter"`
	IntegrationID *string        `json:"integration_id" doc:"The account; null for the platform's default until the post is published, and for the sandbox" example:"int_01jnd2x6k8e4rvt0m7y3bqz5cp"`
	AccountHandle *string        `json:"account_handle" doc:"The account's handle; null if it isn't known or has none" example:"acme@mastodon.example"`
	Status        ContentStatus  `json:"status" doc:"Its state" example:"published"`
	CreatedAt     time.Time      `json:"created_at" doc:"When it was made"`
	ScheduledAt   *time.Time     `json:"scheduled_at" doc:"When it was to go out"`
	PublishedAt   *time.Time     `json:"published_at" doc:"When it was published"`
	Revision      int            `json:"revision" doc:"The number of its latest text; if it was published, that is what went out" example:"2"`
	Revisions     []RecordText   `json:"revisions" doc:"Its texts, first to last; at most the latest 101"`
	WriterShare   *float64       `json:"writer_share" doc:"How much of the writer's latest text is left in the post's latest, 0 to 1: the share of its words that are there in the same order. null if no writer wrote any" example:"0.87"`
	Reviews       []RecordReview `json:"reviews" doc:"All decisions of reviewers, first to last; at most the latest 200"`
	Repeats       *string        `json:"repeats" doc:"The post that it repeats; null for none" example:"cnt_01jnd2x6k8e4rvt0m7y3bqz5cb"`
	RestsOn       []Approval     `json:"rests_on" doc:"If it goes out, or went out, without review since its mission has earned that: the approvals of other posts that this rests on"`
	// Publications are the parts that the platform accepted.
	Publications []RecordPublication `json:"publications" doc:"The parts that the platform accepted, in order"`
	Failure      RecordFailure       `json:"failure" doc:"Why publishing failed, why its outcome is unknown, or why it was canceled; its fields are null otherwise"`
	Readback     RecordReadback      `json:"readback" doc:"Whether the platform shows what was sent, read back once, some minutes after publication"`
	// KeptUntil is set once the post itself is gone.
	KeptUntil *time.Time `json:"kept_until" doc:"Until when the record is kept of a post whose mission was deleted; null while there is the post"`
}

// Completed returns a record that an earlier version stored, with empty lists for those that it
// didn't have.
func (r Record) Completed() Record {
	r.RestsOn = append([]Approval{}, r.RestsOn...)
	r.Revisions = slices.Clone(r.Revisions)
	for i, t := range r.Revisions {
		r.Revisions[i].Facts, r.Revisions[i].Checks = append([]CitedFact{}, t.Facts...), append([]ShownCheck{}, t.Checks...)
	}
	return r
}

// Users returns the ids of the users who wrote and decided; some may be there several times.
func (r Record) Users() []string {
	var ids []string
	for _, t := range r.Revisions {
		if t.Author.ID != nil {
			ids = append(ids, *t.Author.ID)
		}
	}
	for _, v := range r.Reviews {
		ids = append(ids, v.ByID)
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !strings.HasPrefix(id, PrefixUser) })
}

// NameUsers returns the record with the names that users have, by their ids; those of keys and review links stay.
func (r Record) NameUsers(names RecordNames) Record {
	r.Revisions, r.Reviews = slices.Clone(r.Revisions), slices.Clone(r.Reviews)
	for i, t := range r.Revisions {
		r.Revisions[i].Author.Name = names.of(deref(t.Author.ID, ""))
	}
	for i, v := range r.Reviews {
		if strings.HasPrefix(v.ByID, PrefixUser) {
			r.Reviews[i].ByName = names.of(v.ByID)
		}
	}
	return r
}

// RecordMission is the mission of a post, as it is now or was when it was deleted.
type RecordMission struct {
	ID             string  `json:"id" doc:"Its id" example:"msn_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Name           string  `json:"name" doc:"Its name" example:"Autumn launch"`
	EditorName     *string `json:"editor_name" doc:"Who holds editorial responsibility; null if nobody is named" example:"Jo Doe"`
	EditorEmail    *string `json:"editor_email" doc:"Their e-mail address" example:"jo@acme.example"`
	PublicInterest bool    `json:"public_interest" doc:"Whether posts are to inform the public on matters of public interest" example:"true"`
}

// RecordText is a revision of a post.
type RecordText struct {
	Revision     int               `json:"revision" doc:"Its number" example:"1"`
	Author       RecordAuthor      `json:"author" doc:"Who or what wrote it"`
	Instructions *string           `json:"instructions" doc:"What the writer was told; null for nothing" example:"Shorter"`
	WrittenAt    *time.Time        `json:"written_at" doc:"When it was written; null if it isn't known"`
	Type         Format            `json:"type" doc:"The post's format" example:"post"`
	Text         string            `json:"text" doc:"The text; for a thread, its parts joined by blank lines" example:"Version 2.0 is out: twice as fast, half the size."`
	Parts        []string          `json:"parts" doc:"The parts of a thread, in order; otherwise empty" example:"First of all: it is faster.,Second: it is smaller."`
	TextHash     string            `json:"text_hash" doc:"The SHA-256 of text in UTF-8, in hex" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	FirstComment *string           `json:"first_comment" doc:"The text of its first comment; null if it has none" example:"The release notes: https://acme.example/2.0"`
	Media        []RecordMedia     `json:"media" doc:"Its files"`
	Disclosure   ContentDisclosure `json:"disclosure" doc:"What it was decided to disclose"`
	Facts        []CitedFact       `json:"facts" doc:"The facts of the brand that it rests on, as they were"`
	Checks       []ShownCheck      `json:"checks" doc:"The results of the rules that it was checked by; of texts before rules had names, none"`
}

// RecordAuthor is who or what wrote a revision.
type RecordAuthor struct {
	Kind     AuthorKind `json:"kind" doc:"person, or what the service wrote with: model, a language model; built_in, the built-in writer; writer: one of both, before the service recorded which" example:"model"`
	ID       *string    `json:"id" doc:"The user, if a person wrote it; null for a key that no user made" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	Name     *string    `json:"name" doc:"The user's name; null if it isn't known" example:"Jo Doe"`
	KeyID    *string    `json:"key_id" doc:"The API key that the person wrote with; null in a session" example:"key_01jnd2x6k8e4rvt0m7y3bqz5cl"`
	Model    *string    `json:"model" doc:"The language model, by the name that its endpoint has for it" example:"example-large-2"`
	Provider *string    `json:"provider" doc:"The host of the language model's endpoint" example:"api.provider.example"`
}

// RecordMedia is a file of a revision: the very bytes that are sent.
type RecordMedia struct {
	MediaID     string           `json:"media_id" doc:"The file" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Part        int              `json:"part" doc:"The index of the part of a thread that has it, from 0" example:"0"`
	ContentType string           `json:"content_type" doc:"What is sent" example:"image/jpeg"`
	Hash        string           `json:"hash" doc:"The SHA-256 of what is sent, in hex" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	AltText     string           `json:"alt_text" doc:"What the post says of it to people who don't see it" example:"A red bicycle against a white wall"`
	Provenance  RecordProvenance `json:"provenance" doc:"Where it comes from, by what was known when the post was given it"`
}

// RecordProvenance is where a file comes from; AI is nil if it wasn't recorded.
type RecordProvenance struct {
	AI         *AIProvenance `json:"ai" enum:"none,declared,detected" doc:"Whether AI made it: declared by a person, or detected in the file; null for posts that were given it before this was recorded" example:"declared"`
	SourceType *string       `json:"source_type" doc:"IPTC's DigitalSourceType, the last part of its address; null if the file has none" example:"trainedAlgorithmicMedia"`
	C2PA       bool          `json:"c2pa" doc:"Whether the uploaded file has a C2PA manifest, which isn't verified" example:"true"`
	Credit     *string       `json:"credit" doc:"The file's own; null if it has none" example:"Jo Doe"`
	Copyright  *string       `json:"copyright" doc:"The file's own; null if it has none" example:"Acme"`
}

// RecordReview is a decision of a reviewer.
type RecordReview struct {
	Revision int       `json:"revision" doc:"The text that it is about" example:"2"`
	Decision Decision  `json:"decision" doc:"What was decided; reopened: the decision before was taken back" example:"approved"`
	Via      ReviewVia `json:"via" doc:"What it was decided by" example:"session"`
	ByID     string    `json:"by_id" doc:"Who decided: a user, an API key, a review link or an agent" example:"usr_01jnd2x6k8e4rvt0m7y3bqz5ch"`
	ByName   *string   `json:"by_name" doc:"The name of the user, of the key, or of the link; null if it isn't known" example:"Jo Doe"`
	Reason   *string   `json:"reason" doc:"Why it was rejected; null if no reason was given" example:"Too loud"`
	At       time.Time `json:"at" doc:"When it was decided"`
}

// RecordPublication is a part of a post on its platform.
type RecordPublication struct {
	Part            int       `json:"part" doc:"The index of the part of a thread, from 0" example:"0"`
	PostID          *string   `json:"post_id" doc:"The platform's id of it; null if only its address is known" example:"1896500000000000000"`
	Text            string    `json:"text" doc:"What was sent: its text, with its links as they went out" example:"Version 2.0 is out: https://missions.example.com/l/k3v7q2m7w4x6n5rt"`
	URL             string    `json:"url" doc:"Where it is to be seen" example:"https://x.com/acme/status/1896500000000000000"`
	PublishedAt     time.Time `json:"published_at" doc:"When it was published"`
	MadeWithAI      bool      `json:"made_with_ai" doc:"Whether it was sent with the platform's label of pictures made by AI" example:"false"`
	PaidPartnership bool      `json:"paid_partnership" doc:"Whether it was sent with the platform's label of a paid partnership" example:"false"`
}

// RecordFailure is why a post wasn't published.
type RecordFailure struct {
	Code    *string `json:"code" doc:"What kind of failure it was" example:"platform_refused"`
	Message *string `json:"message" doc:"What went wrong, for people" example:"The platform refused the post: duplicate text."`
}

// RecordNames are the names of who wrote and decided, by their ids.
type RecordNames map[string]string

func (n RecordNames) of(id string) *string { return orNil(n[id]) }

func orNil[T ~string](v T) *T {
	if v == "" {
		return nil
	}
	return &v
}

// NewRecord returns the record of a post: of its earlier texts, its reviews, and the names of who
// had a part in them.
func (m Mission) NewRecord(c Content, older []Revision, reviews []Review, names RecordNames, now time.Time) Record {
	r := Record{
		ContentID: c.ID, Mission: RecordMission{ID: m.ID, Name: m.Name, PublicInterest: m.PublicInterest}, Origin: c.Origin, Platform: c.Platform,
		IntegrationID: orNil(c.IntegrationID), AccountHandle: orNil(c.AccountHandle), Status: c.Status, CreatedAt: c.CreatedAt,
		ScheduledAt: c.ScheduledAt, PublishedAt: c.PublishedAt, Revision: c.Revision,
		Revisions: []RecordText{}, Reviews: []RecordReview{}, RestsOn: append([]Approval{}, c.RestsOn...), Repeats: orNil(c.Repeats), Publications: []RecordPublication{}, Readback: c.readback(now),
	}
	if m.Editor != nil {
		r.Mission.EditorName, r.Mission.EditorEmail = &m.Editor.Name, &m.Editor.Email
	}
	if c.Error != nil {
		r.Failure = RecordFailure{Code: &c.Error.Code, Message: &c.Error.Message}
	}
	// A text that was replaced since the post was read is there already, as its latest.
	older = slices.DeleteFunc(slices.Clone(older), func(t Revision) bool { return t.Revision >= c.Revision })
	texts := c.History(older)
	r.WriterShare = c.writerShare(texts)
	for _, t := range slices.Backward(texts) { // which point into each other
		r.Revisions = append(r.Revisions, c.recordText(t, names))
	}
	for _, v := range allReviews(texts, reviews) {
		r.Reviews = append(r.Reviews, RecordReview{
			Revision: v.Revision, Decision: v.Decision, Via: via(v.By), ByID: v.By, ByName: names.of(v.By), Reason: orNil(v.Reason), At: v.At,
		})
	}
	sent := c.SentTexts()
	for i, p := range c.Published {
		r.Publications = append(r.Publications, RecordPublication{
			Part: i, Text: sent[i], PostID: orNil(p.PostID), URL: p.URL, PublishedAt: p.PublishedAt,
			MadeWithAI: p.Labels.MadeWithAI, PaidPartnership: p.Labels.PaidPartnership,
		})
	}
	return r
}

func (c Content) recordText(t Revision, names RecordNames) RecordText {
	hash := sha256.Sum256([]byte(t.Text))
	text := RecordText{
		Revision: t.Revision, Author: c.author(t, names), Instructions: orNil(t.Instructions), WrittenAt: t.WrittenAt, Type: t.Format,
		Text: t.Text, Parts: append([]string{}, t.Parts...), TextHash: hex.EncodeToString(hash[:]), FirstComment: orNil(t.Comment),
		Media: []RecordMedia{}, Disclosure: t.Disclosed.shown(c.Platform, Draft{Text: t.Text, Parts: t.Parts}, t.Media), Facts: append([]CitedFact{}, t.Facts...),
		Checks: t.Verdict.Shown(),
	}
	for _, f := range t.Media {
		p := f.Provenance
		text.Media = append(text.Media, RecordMedia{
			MediaID: f.MediaID, Part: f.Part, ContentType: f.ContentType, Hash: f.Hash, AltText: f.AltText,
			Provenance: RecordProvenance{AI: orNil(p.AI), SourceType: orNil(p.SourceType), C2PA: p.C2PA, Credit: orNil(p.Credit), Copyright: orNil(p.Copyright)},
		})
	}
	return text
}

// author returns who or what wrote a revision of the post.
func (c Content) author(t Revision, names RecordNames) RecordAuthor {
	w, kind := t.Writer, t.Writer.Kind
	switch {
	case kind != "":
	case t.AuthorID != "" || c.Origin == OriginPerson:
		kind = AuthorPerson
	default:
		kind = AuthorWriter
	}
	return RecordAuthor{
		Kind: kind, ID: orNil(t.AuthorID), Name: names.of(t.AuthorID), KeyID: orNil(w.KeyID), Model: orNil(w.Model), Provider: orNil(w.Provider),
	}
}

// allReviews returns reviews, first to last, with those that texts have and that weren't recorded:
// by versions before migration 51.
func allReviews(texts []Revision, reviews []Review) []Review {
	all := slices.Clone(reviews)
	for _, t := range texts {
		known := slices.ContainsFunc(reviews, func(r Review) bool { return r.Revision == t.Revision })
		if t.ReviewedAt == nil || t.ReviewedBy == "" || known {
			continue
		}
		r := Review{Revision: t.Revision, Decision: DecisionApproved, By: t.ReviewedBy, At: *t.ReviewedAt}
		if t.Status == ContentRejected {
			r.Decision, r.Reason = DecisionRejected, deref(t.RejectionReason, "")
		}
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b Review) int { return a.At.Compare(b.At) })
	return all
}

// RecordPeople returns the ids of who wrote and decided, each once.
func RecordPeople(texts []Revision, reviews []Review) []string {
	var ids []string
	for _, t := range texts {
		ids = append(ids, t.AuthorID, t.ReviewedBy)
	}
	for _, r := range reviews {
		ids = append(ids, r.By)
	}
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
}
