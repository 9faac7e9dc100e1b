package grammar

import (
	"strings"
	"testing"
)

// How many things are to be sold isn't said to readers; a number that is part of their name
// is.
func TestQuantities(t *testing.T) {
	for objective, want := range map[string]string{
		"Sell 3D printers": "3D printers", "Sell 4K TVs": "4K TVs", "Sell 12V batteries": "12V batteries", "Sell 2nd-hand bikes": "2nd-hand bikes", "Sell 80s records": "80s records",
		"Sell 1st-edition books": "1st-edition books", "Sell 7-inch tablets": "7-inch tablets", "Sell 3-D glasses": "3-D glasses", "Sell 100% cotton": "100% cotton",
		"Sell 5 a day smoothies": "5 a day smoothies", "Sell 360° cameras": "360° cameras", "Sell 24/7 support": "24/7 support", "Sell out 4x4 cars": "4x4 cars",
		"Promote 3D printers": "3D printers", "Announce 1st birthday": "1st birthday",
		"Sell 500 cakes": "cakes", "Sell 1,000 cakes": "cakes", "Sell 1.000 cakes": "cakes", "Sell out 300 seats": "seats", "Sell 2 million cakes": "cakes", "Sell 500 of our cakes": "our cakes",
		"Sell 10 tickets to our show": "get tickets to our show",
	} {
		s := subjectOf(objective, "BRAND", false)
		if got := strings.TrimSuffix(strings.TrimPrefix(s.line, topicIs), ".") + s.phrase; got != want {
			t.Errorf("%q is about %q, want %q", objective, got, want)
		}
	}
}
