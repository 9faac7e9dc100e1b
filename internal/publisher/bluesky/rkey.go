package bluesky

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"missiond/mission"
)

// A record key of posts is a TID (atproto.com/specs/tid): 64 bits in 13 characters,
// of which the first is 0, 53 are microseconds since 1970, and 10 distinguish
// clocks. Ours is the same at every call for a part:
//
//	bits 63    0
//	bits 62-36 when the content was made, in 2^26 microseconds (67 seconds)
//	bits 35-4  of the SHA-256 of the content's id and its revision
//	bits 3-0   the part's position in its thread
//
// So keys sort roughly as contents do, a thread's parts sort as they are read and
// never share a key, and posts made at the same time share one in a case in four
// billion.
const (
	coarseBits = 26
	placeBits  = 4
	hashBits   = coarseBits + 10 - placeBits
	timeBits   = 53 - coarseBits
)

// tidAlphabet is the protocol's sortable base 32.
const tidAlphabet = "234567abcdefghijklmnopqrstuvwxyz"

// tidLength is how many characters a TID has.
const tidLength = 13

// recordKey returns the key of a part's record.
func recordKey(p mission.Part) string {
	of := p
	of.Index = 0
	sum := sha256.Sum256([]byte(of.Key()))
	v := uint64(made(p).UnixMicro()) >> coarseBits & (1<<timeBits - 1)
	v = v<<hashBits | binary.BigEndian.Uint64(sum[:])>>(64-hashBits)
	v = v<<placeBits | uint64(p.Index)&(1<<placeBits-1)
	return tid(v)
}

// made returns when the part's content was made, from its id.
func made(p mission.Part) time.Time {
	_, text, _ := strings.Cut(p.Content.ID, "_")
	u, err := ulid.ParseStrict(text)
	if err != nil {
		return p.CalledAt // as stable, though less precise
	}
	return ulid.Time(u.Time())
}

// tid returns a number as a TID.
func tid(v uint64) string {
	var text [tidLength]byte
	for i := range text {
		text[tidLength-1-i] = tidAlphabet[v&31]
		v >>= 5
	}
	return string(text[:])
}
