package checks

import (
	"regexp"
	"strings"
)

// iban matches what may be an IBAN (ISO 13616), written together or in groups of four.
var iban = regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b`)

// ibansIn returns the IBANs of a text, whose checksums are right, without spaces.
func ibansIn(seen string) (found []string) {
	for _, each := range iban.FindAllString(seen, -1) {
		if number := strings.ReplaceAll(each, " ", ""); isIBAN(number) {
			found = append(found, number)
		}
	}
	return found
}

// isIBAN reports whether a number's remainder is that of an IBAN (ISO 7064, MOD 97-10).
func isIBAN(number string) bool {
	const shortest, longest, modulus = 15, 34, 97
	if len(number) < shortest || len(number) > longest {
		return false
	}
	rest := 0
	for _, r := range number[4:] + number[:4] {
		if r >= 'A' {
			rest = rest*100 + int(r-'A') + 10
		} else {
			rest = rest*10 + int(r-'0')
		}
		rest %= modulus
	}
	return rest == 1
}
