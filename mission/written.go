package mission

// AuthorKind is who or what wrote a revision.
type AuthorKind string

// Who writes revisions.
const (
	AuthorPerson  AuthorKind = "person"
	AuthorModel   AuthorKind = "model"
	AuthorBuiltIn AuthorKind = "built_in"
	// AuthorWriter is a writer of which it wasn't recorded which: not before migration 51.
	AuthorWriter AuthorKind = "writer"
)

// AllAuthorKinds lists who writes revisions.
func AllAuthorKinds() []AuthorKind {
	return []AuthorKind{AuthorPerson, AuthorModel, AuthorBuiltIn, AuthorWriter}
}

// WrittenBy is what wrote a text. It is zero if that isn't known.
type WrittenBy struct {
	Kind AuthorKind `json:"kind,omitempty"`
	// Model is the name that the endpoint has for the language model, Provider the endpoint's
	// host.
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
	// KeyID is the API key that a person wrote with; "" in a session.
	KeyID string `json:"key_id,omitempty"`
}

// ByPerson returns what writes with a principal's credential.
func ByPerson(p Principal) WrittenBy { return WrittenBy{Kind: AuthorPerson, KeyID: p.KeyID} }
