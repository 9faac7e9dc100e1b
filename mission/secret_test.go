package mission

import "testing"

// A secret may be any printable text of ASCII, but one that claims to be Standard Webhooks' has its form.
func TestSecrets(t *testing.T) {
	for secret, ok := range map[string]bool{
		"a secret of our own": true, "secret-of-sixteen": true, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": true, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS_": true, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaL": true,
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": true, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS=": true,
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS": false, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS_": false, "whsec_any other text": false, "whsec_MfKQ9r8GKYqr\nTwjUPD8ILPZIo2LaLaSw": false,
		"v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": false, "v1,MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw": false, "short": false,
		" secret-of-sixteen": false, "secret-of-sixteen ": false, "secret-of-\nsixteen": false, "secret-of-sixteen\n": false, "secret-of-\tsixteen": false, "secret-of-\u200bsixteen": false,
		"secret-of-sixteen\u00a0": false, "secret-of-\u007fsixteen": false, "ein Schlüssel mit Umlaut": false,
	} {
		in := WebhookInput{URL: "https://a.example", Events: []EventType{EventMissionCreated}, Secret: &secret}
		if err := in.Check(); (err == nil) != ok {
			t.Errorf("%q: %v", secret, err)
		}
	}
}
