package checks

import (
	"bytes"
	"crypto/sha256"
	"math/big"
	"regexp"
	"strings"
	"unicode"
)

// Addresses of cryptocurrencies are recognized by their checksums where they have any, so
// that nothing else is taken for one.
var (
	// base58 are words of Base58, which Bitcoin, Litecoin, Dogecoin, Tron and Solana use.
	base58 = regexp.MustCompile(`[1-9A-HJ-NP-Za-km-z]{26,44}`)
	// bech32 are words of BIP 173 and BIP 350: a prefix, "1", and data; also Lightning's
	// invoices and Cosmos's addresses.
	bech32 = regexp.MustCompile(`(?i)[a-z][a-z0-9]*1[02-9ac-hj-np-z]{6,}`)
	// hexadecimal are Ethereum's.
	hexadecimal = regexp.MustCompile(`0[xX][0-9a-fA-F]{40}`)
	// monero are Monero's, whose checksum is Keccak.
	monero = regexp.MustCompile(`[48][1-9A-HJ-NP-Za-km-z]{94}`)
	// wallet is what could be one.
	wallet = regexp.MustCompile(`[A-Za-z0-9]{25,}`)
)

// walletsIn returns the addresses of cryptocurrencies in a text.
func walletsIn(seen string) []string {
	var found []string
	for _, w := range wallet.FindAllString(seen, -1) {
		whole := func(form *regexp.Regexp) bool { return form.FindString(w) == w }
		if whole(hexadecimal) || whole(monero) || whole(base58) && isBase58(w) || whole(bech32) && isBech32(w) {
			found = append(found, w)
		}
	}
	return found
}

const base58Letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// isBase58 reports whether a word is 25 bytes that end with the checksum of the others,
// or a key of Solana: 32 bytes, of which no word of a language consists.
func isBase58(w string) bool {
	n, radix := new(big.Int), big.NewInt(int64(len(base58Letters)))
	for _, r := range w {
		n.Mul(n, radix).Add(n, big.NewInt(int64(strings.IndexRune(base58Letters, r))))
	}
	const hashed, key, check = 25, 32, 4
	digits := n.Bytes()
	if len(digits) == key && strings.ContainsFunc(w, unicode.IsDigit) && strings.ContainsFunc(w, unicode.IsUpper) && strings.ContainsFunc(w, unicode.IsLower) {
		return true
	}
	if len(digits) > hashed {
		return false
	}
	payload := append(make([]byte, hashed-len(digits)), digits...)
	once := sha256.Sum256(payload[:hashed-check])
	twice := sha256.Sum256(once[:])
	return bytes.Equal(twice[:check], payload[hashed-check:])
}

const bech32Letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// isBech32 reports whether a word's checksum is BIP 173's or BIP 350's.
func isBech32(w string) bool {
	lower := strings.ToLower(w)
	if lower != w && strings.ToUpper(w) != w {
		return false
	}
	at := strings.LastIndexByte(lower, '1')
	sum := uint32(1)
	add := func(value int) {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(value)
		for i, generator := range []uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				sum ^= generator
			}
		}
	}
	prefix := lower[:at]
	for i := range len(prefix) {
		add(int(prefix[i] >> 5))
	}
	add(0)
	for i := range len(prefix) {
		add(int(prefix[i] & 31))
	}
	for _, r := range lower[at+1:] {
		add(strings.IndexRune(bech32Letters, r))
	}
	return sum == 1 || sum == 0x2bc830a3
}
