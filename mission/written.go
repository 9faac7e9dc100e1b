package mission

// WriterKind is the kind of a writer.
type WriterKind string

// The kinds of writers.
const (
	WriterBuiltIn WriterKind = "built_in"
	WriterModel   WriterKind = "model"
)

// WrittenBy is what wrote a text; zero if a person did, or if it isn't known.
type WrittenBy struct {
	Kind WriterKind `json:"kind,omitempty"`
	// Model is the name that the endpoint has for the language model, Provider the endpoint's
	// host.
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
}
