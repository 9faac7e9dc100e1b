package mission

// AuthorKind is who or what wrote a revision.
type AuthorKind string

// Who writes revisions.
const (
	AuthorPerson  AuthorKind = "person"
	AuthorModel   AuthorKind = "model"
	AuthorBuiltIn AuthorKind = "built_in"
	// AuthorAgent is a program that acts for a person, and has likely a model write.
	AuthorAgent AuthorKind = "agent"
	// AuthorWriter is a writer of which it wasn't recorded which: not before migration 51.
	AuthorWriter AuthorKind = "writer"
)

// AllAuthorKinds lists who writes revisions.
func AllAuthorKinds() []AuthorKind {
	return []AuthorKind{AuthorPerson, AuthorModel, AuthorBuiltIn, AuthorAgent, AuthorWriter}
}

// WrittenBy is what wrote a text. It is zero if that isn't known.
type WrittenBy struct {
	Kind AuthorKind `json:"kind,omitempty"`
	// Model is the name that the endpoint has for the language model, Provider the endpoint's
	// host.
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
	// KeyID is the API key that a person or an agent wrote with; "" in a session.
	KeyID string `json:"key_id,omitempty"`
	// AgentID is the agent that wrote; "" for others, and for one that calls with a key.
	AgentID string `json:"agent_id,omitempty"`
}

// ByPerson returns what writes with a principal's credential: a person, or an agent that acts for one.
func ByPerson(p Principal) WrittenBy {
	w := WrittenBy{Kind: AuthorPerson, KeyID: p.KeyID, AgentID: p.AgentID}
	if p.Agent {
		w.Kind = AuthorAgent
	}
	return w
}
