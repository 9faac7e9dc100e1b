package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"missiond/internal/httpserver"
	"missiond/internal/service/media"
	"missiond/mission"
	"missiond/store"
)

const tagMedia tag = "Media"

// routeMedia registers the routes of pictures and videos (people.md, "Media").
func (a *API) routeMedia() {
	a.registerUpload(tagMedia.post(mission.OpMediaUpload, "/v1/media", "Upload a picture or a video").created())
	handle(a, tagMedia.get(mission.OpMediaList, "/v1/media", "List files"), a.listMedia)
	handle(a, tagMedia.get(mission.OpMediaRead, "/v1/media/{id}", "Read a file's description"), a.readMedia)
	handleBody(a, tagMedia.put(mission.OpMediaUpdate, "/v1/media/{id}", "Describe a file").
		withExample(`{"alt_text":"A red bicycle against a white wall","description":"Product, outside, spring"}`), a.updateMedia)
	handle(a, tagMedia.delete(mission.OpMediaDelete, "/v1/media/{id}", "Delete a file"), a.deleteMedia)
	handle(a, tagMedia.get(mission.OpMediaPosts, "/v1/media/{id}/content", "List the latest posts that have a file"), a.mediaPosts)
	handleBody(a, tagMedia.post(mission.OpMediaPrepare, "/v1/media/uploads", "Prepare an upload without a credential").created().
		withExample(`{"content_type":"image/jpeg","bytes":2411724}`), a.createUpload)
	a.registerReceive(tagMedia.put(mission.OpMediaReceive, "/v1/media/uploads/{id}", "Send the bytes of a prepared upload"))
	handle(a, tagMedia.post(mission.OpMediaComplete, "/v1/media/{id}/complete", "End a prepared upload"), a.completeUpload)
	a.registerFile(tagMedia.get(mission.OpMediaFile, "/v1/media/{id}/file", "Get a file's bytes"))
	a.registerFetch(tagMedia.get(mission.OpMediaFetch, "/v1/content/{id}/files/{hash}", "Fetch a post's file, as its platform"))
}

// MediaPath has the parameters of a file's routes.
type MediaPath struct {
	ID string `path:"id" doc:"The file's id" example:"med_01jd0000000000000000000000"`
}

type shownProvenance struct {
	AI         mission.AIProvenance `json:"ai" enum:"none,declared,detected" doc:"Whether a model made it: as a person declares, or as the file says" example:"none"`
	SourceType *string              `json:"source_type" doc:"IPTC's DigitalSourceType; null if there is none" example:"digitalCapture"`
	C2PA       string               `json:"c2pa" enum:"none,present" doc:"Whether the file has Content Credentials; they aren't verified" example:"none"`
	Credit     *string              `json:"credit" doc:"Who is to be credited, as the file says" example:"Ada Example"`
	Copyright  *string              `json:"copyright" doc:"The file's copyright notice" example:"© 2026 Ada Example"`
}

type shownVariant struct {
	Platforms   []mission.Platform `json:"platforms" doc:"Which platforms are sent it" example:"twitter"`
	ContentType string             `json:"content_type" doc:"What it is" example:"image/jpeg"`
	Bytes       int64              `json:"bytes" doc:"Its size" example:"1843200"`
	Width       int                `json:"width" doc:"In pixels" example:"4032"`
	Height      int                `json:"height" doc:"In pixels" example:"3024"`
	Hash        string             `json:"hash" doc:"The SHA-256 of its bytes, in hex" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	URL         string             `json:"url" doc:"Where it is shown without a credential, for a quarter of an hour at least" example:"/v1/media/med_01jnd2x6k8e4rvt0m7y3bqz5ce/file?expires=1764000000"`
}

type shownFraming struct {
	Fit    mission.Fit `json:"fit" enum:"letterbox,crop" doc:"letterbox: whole, on white; crop: a part of it" example:"crop"`
	FocusX float64     `json:"focus_x" doc:"What a crop keeps as near to its middle as can be: 0 is the left edge, 1 the right" example:"0.5"`
	FocusY float64     `json:"focus_y" doc:"The same from the top: 0 is the upper edge, 1 the lower" example:"0.3"`
}

type shownMedia struct {
	ID          string                    `json:"id" doc:"Its id" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Kind        *mission.MediaKind        `json:"kind" doc:"What it is; null until that is known" example:"image"`
	ContentType string                    `json:"content_type" doc:"What its bytes are; until they were looked at, what was said" example:"image/jpeg"`
	Bytes       int64                     `json:"bytes" doc:"Its size" example:"2411724"`
	Width       *int                      `json:"width" doc:"In pixels, as people see it; null until it is known" example:"4032"`
	Height      *int                      `json:"height" doc:"In pixels, as people see it; null until it is known" example:"3024"`
	DurationMS  *int64                    `json:"duration_ms" doc:"How long it plays; null for pictures" example:"14500"`
	AltText     string                    `json:"alt_text" doc:"What posts say of it to people who don't see it, unless they say something else" example:"A red bicycle against a white wall"`
	Description string                    `json:"description" doc:"What it shows, for those who choose pictures; never published" example:"Product, outside, spring"`
	Status      mission.MediaStatus       `json:"status" enum:"processing,ready,failed" doc:"ready: posts can have it" example:"ready"`
	Error       nullable[mission.Failure] `json:"error" doc:"Why it can't be used or, if it is ready, couldn't be made anew"`
	Provenance  shownProvenance           `json:"provenance" doc:"Where it comes from"`
	Uses        int                       `json:"uses" doc:"How many posts have it" example:"2"`
	Framing     shownFraming              `json:"framing" doc:"How it is made for platforms that don't take its ratio"`
	Variants    []shownVariant            `json:"variants" doc:"What each platform would be sent: without places, serial numbers and the like, turned upright, within the platform's limits"`
	URL         *string                   `json:"url" doc:"Where it is shown without a credential, for a quarter of an hour at least; null until it is ready" example:"/v1/media/med_01jnd2x6k8e4rvt0m7y3bqz5ce/file?expires=1764000000"`
	CreatedAt   time.Time                 `json:"created_at" doc:"When its upload began"`
	UpdatedAt   time.Time                 `json:"updated_at" doc:"When it changed last"`
}

func (a *API) showMedia(m mission.Media) shownMedia {
	shown := shownMedia{
		ID: m.ID, ContentType: m.ContentType, Bytes: m.Bytes, AltText: m.AltText, Description: m.Description, Status: m.Status, Error: nullable[mission.Failure]{m.Error},
		Provenance: shownProvenance{
			AI: m.Provenance.AI, SourceType: orNull(m.Provenance.SourceType), C2PA: "none", Credit: orNull(m.Provenance.Credit),
			Copyright: orNull(m.Provenance.Copyright),
		},
		Uses: m.Uses, Framing: shownFraming(m.Framing), Variants: []shownVariant{}, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
	}
	if m.Provenance.C2PA {
		shown.Provenance.C2PA = "present"
	}
	if m.Kind == "" {
		return shown
	}
	shown.Kind, shown.Width, shown.Height = &m.Kind, &m.Width, &m.Height
	if ms := m.Duration.Milliseconds(); ms > 0 {
		shown.DurationMS = &ms
	}
	if m.Status == mission.MediaReady {
		url := a.media.Link(m, "")
		shown.URL = &url
	}
	for _, v := range m.Variants {
		shown.Variants = append(shown.Variants, shownVariant{
			Platforms: v.Platforms, ContentType: v.ContentType, Bytes: v.Bytes, Width: v.Width, Height: v.Height, Hash: v.Hash,
			URL: a.media.Link(m, string(v.Platforms[0])),
		})
	}
	return shown
}

type mediaListParams struct {
	Paging

	Kind   mission.MediaKind   `query:"kind" enum:"image,animation,video" doc:"Only files of this kind" example:"image"`
	Status mission.MediaStatus `query:"status" enum:"processing,ready,failed" doc:"Only files in this state" example:"ready"`
	Unused bool                `query:"unused" doc:"Whether to return only files that no post has" example:"true"`
	Search string              `query:"search" doc:"Only files whose description or alt text has these words" example:"bicycle"`
}

func (a *API) listMedia(ctx context.Context, p mission.Principal, in *mediaListParams) (countedPage[shownMedia], error) {
	page := in.page()
	page.Total = true
	list, err := a.media.List(ctx, p, media.Filter{Kind: in.Kind, Status: in.Status, Unused: in.Unused, Search: in.Search}, page)
	shown := pageOf(list, list.Total, a.showMedia)
	result := countedPage[shownMedia]{Data: shown.Data, HasMore: shown.HasMore, Total: &shown.Total}
	if list.Total == store.Uncounted {
		result.Total = nil
	}
	return result, namingCursor(err)
}

func (a *API) readMedia(ctx context.Context, p mission.Principal, in *MediaPath) (shownMedia, error) {
	m, err := a.media.Media(ctx, p, in.ID)
	return a.showMedia(m), err
}

func (a *API) mediaPosts(ctx context.Context, p mission.Principal, in *MediaPath) (page[shownContent], error) {
	posts, err := a.media.Posts(ctx, p, in.ID)
	if err != nil {
		return page[shownContent]{}, err
	}
	show, err := a.showing(ctx, p, posts...)
	return whole(posts, show), err
}

type mediaParams struct {
	MediaPath
	RawText
}

type mediaBody struct {
	AltText     *string         `json:"alt_text,omitempty" nullable:"false" doc:"What posts say of it to people who don't see it" example:"A red bicycle against a white wall"`
	Description *string         `json:"description,omitempty" nullable:"false" doc:"What it shows, for those who choose pictures" example:"Product, outside, spring"`
	Provenance  *provenanceBody `json:"provenance,omitempty" nullable:"false" doc:"Where it comes from"`
	Framing     *framingBody    `json:"framing,omitempty" nullable:"false" doc:"How it is made for platforms that don't take its ratio; it is made anew, and posts keep what they have"`
}

type provenanceBody struct {
	AI         *mission.AIProvenance `json:"ai,omitempty" nullable:"false" enum:"none,declared" doc:"declared: a model made it, or a part of it" example:"declared"`
	SourceType *string               `json:"source_type,omitempty" nullable:"false" doc:"IPTC's DigitalSourceType; empty for none" example:"trainedAlgorithmicMedia"`
}

type framingBody struct {
	Fit    *mission.Fit `json:"fit,omitempty" nullable:"false" enum:"letterbox,crop" doc:"letterbox: whole, on white; crop: a part of it" example:"crop"`
	FocusX *float64     `json:"focus_x,omitempty" nullable:"false" doc:"What a crop keeps as near to its middle as can be: 0 is the left edge, 1 the right" example:"0.5"`
	FocusY *float64     `json:"focus_y,omitempty" nullable:"false" doc:"The same from the top: 0 is the upper edge, 1 the lower" example:"0.3"`
}

func (b mediaBody) input() mission.MediaInput {
	in := mission.MediaInput{AltText: b.AltText, Description: b.Description}
	if b.Provenance != nil {
		in.AI, in.SourceType = b.Provenance.AI, b.Provenance.SourceType
	}
	if b.Framing != nil {
		in.Framing = mission.FramingInput(*b.Framing)
	}
	return in
}

func (a *API) updateMedia(ctx context.Context, p mission.Principal, in *mediaParams, body mediaBody) (shownMedia, error) {
	m, err := a.media.Update(ctx, p, in.ID, body.input())
	return a.showMedia(m), err
}

type deletedMedia struct {
	ID      string `json:"id" doc:"Its id" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	Deleted bool   `json:"deleted" doc:"That it was deleted: always true" example:"true"`
}

func (a *API) deleteMedia(ctx context.Context, p mission.Principal, in *MediaPath) (deletedMedia, error) {
	err := a.media.Delete(ctx, p, in.ID)
	return deletedMedia{ID: in.ID, Deleted: err == nil}, err
}

// unwrapped is a request as net/http has it.
type unwrapped struct {
	r *http.Request
	w http.ResponseWriter
}

// Resolve implements huma.Resolver.
func (u *unwrapped) Resolve(hc huma.Context) []error {
	u.r, u.w = humago.Unwrap(hc)
	return nil
}

type uploadParams struct{ unwrapped }

// fileSchema describes the bytes of a file.
func fileSchema() *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "binary", Description: "The bytes of the file", Examples: []any{"(its bytes)"}}
}

// registerUpload registers the upload, whose body is read as it arrives.
func (a *API) registerUpload(rt route) {
	op := a.describe(rt)
	binary := fileSchema()
	text := func(about, example string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Description: about, Examples: []any{example}}
	}
	body := &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"multipart/form-data": {Schema: &huma.Schema{Type: huma.TypeObject, Required: []string{"file"}, Properties: map[string]*huma.Schema{
			"file": binary, "alt_text": text("What posts say of it to people who don't see it", "A red bicycle against a white wall"),
			"description": text("What it shows, for those who choose pictures", "Product, outside, spring"),
		}}},
	}}
	for _, t := range mission.UploadTypes() {
		body.Content[t] = &huma.MediaType{Schema: binary}
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *uploadParams) (*response[shownMedia], error) {
		return serve(ctx, rt, func(ctx context.Context, p mission.Principal) (shownMedia, error) {
			m, err := a.upload(ctx, p, in.w, in.r)
			return a.showMedia(m), err
		})
	})
	a.huma.OpenAPI().Paths[rt.path].Post.RequestBody = body // huma would read it
}

type createUploadBody struct {
	ContentType string  `json:"content_type" doc:"What it is; its bytes decide" example:"image/jpeg"`
	Bytes       int64   `json:"bytes" doc:"Its size" example:"2411724"`
	AltText     *string `json:"alt_text,omitempty" nullable:"true" doc:"What posts say of it to people who don't see it" example:"A red bicycle against a white wall"`
	Description *string `json:"description,omitempty" nullable:"true" doc:"What it shows, for those who choose pictures" example:"Product, outside, spring"`
}

type shownUpload struct {
	ID        string            `json:"id" doc:"The file's id" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce"`
	UploadURL string            `json:"upload_url" doc:"Where its bytes are PUT, without a credential" example:"/v1/media/uploads/med_01jnd2x6k8e4rvt0m7y3bqz5ce?expires=1764000000"`
	Headers   map[string]string `json:"headers" doc:"The headers that the request has" example:"{\"Content-Type\":\"image/jpeg\"}"`
	ExpiresAt time.Time         `json:"expires_at" doc:"When the address expires, and the upload with it"`
}

func (a *API) createUpload(ctx context.Context, p mission.Principal, _ *RawText, in createUploadBody) (shownUpload, error) {
	at, err := a.media.CreateUpload(ctx, p, media.Upload{
		ContentType: in.ContentType, Size: in.Bytes, MediaInput: mission.MediaInput{AltText: in.AltText, Description: in.Description},
	})
	return shownUpload{ID: at.ID, UploadURL: at.Path, Headers: map[string]string{"Content-Type": at.ContentType}, ExpiresAt: at.ExpiresAt}, err
}

func (a *API) completeUpload(ctx context.Context, p mission.Principal, in *MediaPath) (shownMedia, error) {
	m, err := a.media.Complete(ctx, p, in.ID)
	return a.showMedia(m), err
}

type receiveParams struct {
	MediaPath
	unwrapped

	Expires   string `query:"expires" maxLength:"20" doc:"Part of the signed address" example:"1764000000"`
	Tenant    string `query:"tenant" maxLength:"40" doc:"Part of the signed address" example:"tnt_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Signature string `query:"signature" maxLength:"100" doc:"Part of the signed address" example:"mZ0w"`
}

type received struct {
	ID string `json:"id" doc:"The file's id" example:"med_01jnd2x6k8e4rvt0m7y3bqz5ce"`
}

// registerReceive registers the route of signed uploads, whose body is read as it arrives.
func (a *API) registerReceive(rt route) {
	op := a.describe(rt)
	sent := &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{}}
	for _, t := range mission.UploadTypes() {
		sent.Content[t] = &huma.MediaType{Schema: fileSchema()}
	}
	huma.Register(a.huma, op, func(ctx context.Context, in *receiveParams) (*response[received], error) {
		q := in.r.URL.Query()
		ctx, turn, err := a.media.EnterPrepared(ctx, in.ID, q)
		if err != nil {
			return nil, fail(ctx, err)
		}
		body := arrivalOf(turn, in.w, in.r)
		defer body.end()
		if err := a.media.Receive(ctx, in.ID, q, in.r.ContentLength, body); err != nil {
			return nil, fail(ctx, err)
		}
		return &response[received]{Body: received{in.ID}}, nil
	})
	a.huma.OpenAPI().Paths[rt.path].Put.RequestBody = sent
}

type fileParams struct {
	MediaPath
	unwrapped

	Variant   string `query:"variant" maxLength:"64" doc:"A platform, for what it would be sent; the hash of a post's file, for that very file; original, for what was uploaded; by default, what is best shown" example:"mastodon"`
	Expires   string `query:"expires" maxLength:"20" doc:"Part of a signed address" example:"1764000000"`
	Tenant    string `query:"tenant" maxLength:"40" doc:"Part of a signed address" example:"tnt_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Signature string `query:"signature" maxLength:"100" doc:"Part of a signed address, which needs no credential" example:"mZ0w"`
}

// registerFile registers the route of a file's bytes, which huma doesn't write.
func (a *API) registerFile(rt route) {
	op := a.describe(rt)
	op.Responses["200"] = showsBytes()
	op.Security = []map[string][]string{{"bearer": {}}, {}}
	huma.Register(a.huma, op, func(ctx context.Context, in *fileParams) (*huma.StreamResponse, error) {
		p, err := a.viewer(ctx, in)
		var f media.File
		if err == nil {
			f, err = a.media.File(ctx, p, in.ID, in.Variant)
		}
		return a.showPart(ctx, in.unwrapped, f, err)
	})
}

type fetchParams struct {
	ContentPath
	unwrapped

	Hash      string `path:"hash" maxLength:"64" doc:"The file's hash" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	Tenant    string `query:"tenant" maxLength:"40" doc:"Part of the signed address" example:"tnt_01jnd2x6k8e4rvt0m7y3bqz5ca"`
	Signature string `query:"signature" maxLength:"100" doc:"Part of the signed address, which needs no credential" example:"mZ0w"`
}

// registerFetch registers the route at which platforms fetch the files of posts that are being
// published.
func (a *API) registerFetch(rt route) {
	op := a.describe(rt)
	op.Responses["200"] = showsBytes()
	huma.Register(a.huma, op, func(ctx context.Context, in *fetchParams) (*huma.StreamResponse, error) {
		f, err := a.media.Fetch(ctx, in.ID, in.Hash, in.r.URL.Query())
		return a.showPart(ctx, in.unwrapped, f, err)
	})
}

// showsBytes describes a response of bytes.
func showsBytes() *huma.Response {
	return &huma.Response{
		Description: "The bytes, whole or the range that was asked for",
		Content:     map[string]*huma.MediaType{"image/*": {}, "video/*": {}},
	}
}

// viewer returns whoever may see a file: a caller, or who has its signed address.
func (a *API) viewer(ctx context.Context, in *fileParams) (mission.Principal, error) {
	if in.Signature != "" {
		return a.media.Visitor(in.ID, in.Variant, in.r.URL.Query())
	}
	p, ok := httpserver.Principal(ctx)
	if !ok {
		return p, mission.Unauthorized()
	}
	return p, p.Check(mission.OpMediaFile)
}
