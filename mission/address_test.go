package mission

import (
	"strings"
	"testing"
)

// A brand's website is a URL that could lead somewhere.
func TestWebsites(t *testing.T) {
	for website, ok := range map[string]bool{
		"https://acme.example": true, "http://acme.example:8080/a?b": true, "https://93.184.215.14/": true, "https://[2001:db8::1]/": true, "https://bücher.example": true, "https://acme.example.": true,
		"https://acme.example:0": false, "https://acme.example:65536": false, "https://acme..example": false, "https://acme.example/a b": false, "https://" + strings.Repeat("a", 64) + ".example": false,
		"https://a$b.example": false, "https://" + strings.Repeat("abcdefghi.", 26): false,
	} {
		in := TenantInput{Brand: &BrandInput{Website: &website}}
		if err := in.Check(); (err == nil) != ok {
			t.Errorf("%s: %v", website, err)
		}
	}
}
