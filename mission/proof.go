package mission

// ProofKind is what an adapter was tested against.
type ProofKind string

// The kinds of proofs, weakest first. None is the live platform.
const (
	// ProofStub is a strict stub, written from the platform's documentation.
	ProofStub ProofKind = "stub"
	// ProofSchema is the platform's own machine-readable description of its API.
	ProofSchema ProofKind = "schema"
	// ProofServer is the platform's own server software.
	ProofServer ProofKind = "server"
)

// AllProofKinds lists the kinds of proofs.
func AllProofKinds() []ProofKind { return []ProofKind{ProofStub, ProofSchema, ProofServer} }

// Proof is what a platform's adapter was tested against.
type Proof struct {
	Against ProofKind
	// What names it, with its version.
	What string
	// On is the day when that passed last and was recorded, as YYYY-MM-DD.
	On string
}
