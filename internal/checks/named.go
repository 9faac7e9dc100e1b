package checks

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"missiond/internal/links"
)

// names are the accounts, numbers and addresses in a brief's own words, so that
// a post may contain them too.
type names struct {
	accounts, cashtags, addresses map[string]bool
	phones                        []string
}

// namesIn returns those in texts.
func namesIn(texts ...string) names {
	n := names{accounts: map[string]bool{}, cashtags: map[string]bool{}, addresses: map[string]bool{}}
	for _, text := range texts {
		seen := links.Plain(text)
		for _, account := range accountsIn(seen) {
			n.accounts[account] = true
		}
		for _, tag := range cashtags.FindAllStringSubmatch(seen, -1) {
			n.cashtags[strings.ToLower(tag[1])] = true
		}
		n.phones = append(n.phones, phonesIn(seen)...)
		for _, address := range append(tapsIn(seen), accountsForMoney(seen)...) {
			n.addresses[address] = true
		}
	}
	return n
}

var (
	// mention is an account of any platform: its name, and where it is.
	mention = regexp.MustCompile(`(^|[^\p{L}\p{N}_@./=])@([A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*(?:@[A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*)?)`)
	// cashtags are X's and Bluesky's: a price has digits.
	cashtags = regexp.MustCompile(`(?:^|[^\p{L}\p{N}_$])\$([A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)(?:$|[^\p{L}\p{N}_])`)
	// acting are addresses without slashes on which a tap acts: calls, sends,
	// pays, runs.
	acting = regexp.MustCompile(`(?i)\b(?:(?:bitcoin(?:cash)?|ethereum|litecoin|dogecoin|monero|solana|lightning|lnurlp?|tel|sms|smsto|mms|facetime|skype|sips?|xmpp|mailto|whatsapp|tg|signal|geo|intent|javascript|vbscript|data|file|magnet|steam|upi|venmo|cashapp):[^\s/]|[a-z][a-z0-9+.-]{1,20}:[A-Za-z0-9]{24})[^\s<>"]*`)
)

// accountsIn returns the accounts that a text mentions, in lower case.
func accountsIn(seen string) []string {
	if !strings.Contains(seen, "@") {
		return nil
	}
	var found []string
	for _, m := range mention.FindAllStringSubmatch(seen, -1) {
		found = append(found, strings.ToLower(m[2]))
	}
	return found
}

// without returns a text without the accounts that may be mentioned: their
// servers aren't links.
func (n names) without(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	return mention.ReplaceAllStringFunc(text, func(found string) string {
		m := mention.FindStringSubmatch(found)
		if n.accounts[strings.ToLower(m[2])] {
			return m[1] + " "
		}
		return found
	})
}

// account says whom a text, as it reads and without its links, names that isn't in n; "" if nobody.
func (n names) account(rest string) string {
	for _, account := range accountsIn(rest) {
		if !n.accounts[account] {
			return "mentions an account that the material doesn't name"
		}
	}
	for _, tag := range cashtags.FindAllStringSubmatch(rest, -1) {
		if !n.cashtags[strings.ToLower(tag[1])] {
			return "has a cashtag that the material doesn't name"
		}
	}
	for _, phone := range phonesIn(rest) {
		if !n.hasPhone(phone) {
			return "has a phone number that the material doesn't name"
		}
	}
	return ""
}

// strangeTap reports whether a text has an address on which a tap acts that isn't in n.
func (n names) strangeTap(rest string) bool { return n.lacks(tapsIn(rest)) }

// money says where a text has money sent that isn't in n; "" if nowhere.
func (n names) money(rest string) string {
	if n.lacks(accountsForMoney(rest)) {
		return "has an address of money that the material doesn't name"
	}
	return ""
}

func (n names) lacks(addresses []string) bool {
	return slices.ContainsFunc(addresses, func(address string) bool { return !n.addresses[address] })
}

var (
	// numbers match possible phone numbers: in the international form, in that
	// of North America, or with a leading zero.
	numbers = regexp.MustCompile(`(?:\+|\b00)[1-9](?:[ ./()-]{0,2}\d){7,14}\b|(?:\(\d{3}\) ?|\b(?:1[-. ])?\d{3}[-. ])\d{3}[-. ]\d{4}\b|(?:\(0|\b0)\d(?:[ ./()-]{0,2}\d){7,12}\b`)
	// dated matches numbers that begin like a date or a time.
	dated = regexp.MustCompile(`^\d{1,2}([./-])\d{1,2}([./-])\d{2,4}|^\d{2}[.:]\d{2}\b`)
)

// tapsIn returns the addresses in a text on which a tap acts, in lower case.
func tapsIn(seen string) []string {
	if !strings.Contains(seen, ":") {
		return nil
	}
	var found []string
	for _, address := range acting.FindAllString(seen, -1) {
		found = append(found, strings.ToLower(strings.TrimRight(address, ".,;:!?'\")]}")))
	}
	return found
}

// accountsForMoney returns the addresses of cryptocurrencies and the IBANs in a text, in lower case.
func accountsForMoney(seen string) []string {
	found := append(walletsIn(seen), ibansIn(seen)...)
	for i, address := range found {
		found[i] = strings.ToLower(address)
	}
	return found
}

// phonesIn returns the digits of the phone numbers in a text, without leading
// zeros.
func phonesIn(seen string) []string {
	if !strings.ContainsAny(seen, digits) {
		return nil
	}
	var found []string
	for _, number := range numbers.FindAllString(seen, -1) {
		if dated.MatchString(number) {
			continue
		}
		digits := strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return r
			}
			return -1
		}, number)
		found = append(found, strings.TrimLeft(digits, "0"))
	}
	return found
}

// hasPhone reports whether a number is one of n's, with or without a country
// code.
func (n names) hasPhone(digits string) bool {
	return slices.ContainsFunc(n.phones, func(known string) bool { return strings.HasSuffix(known, digits) || strings.HasSuffix(digits, known) })
}
