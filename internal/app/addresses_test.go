package app

import (
	"strings"
	"testing"

	"missiond/internal/console"
	"missiond/internal/identity"
	"missiond/internal/mail"
)

// No address of the configuration that is refused is shown with its password.
func TestRefusedAddressesHideSecrets(t *testing.T) {
	for name, check := range map[string]func(address string) error{
		"--media-public-url": func(a string) error { return MediaOptions{MediaPublicURL: a}.check() },
		"--x-url":            func(a string) error { return PlatformOptions{LinkedInVersion: "202607", XURL: a}.check() },
		"--idp-issuer":       identity.CheckAddress,
		"--console-url":      console.CheckURL,
		"--smtp-url":         func(a string) error { return of(mail.New(a, "a@example.com")) },
		"--redis-url":        func(a string) error { return of(readRedisURL(a)) },
	} {
		for _, address := range []string{
			"ftp://user:secret@host/a", "ftp://secret@host", "redis://:12/secret@host:6379", "rediss://host/secret@host?addr=host:1",
			"https://user:secret@host?token=secret#secret", "user:secret@host", "https://user:se%zzcret@host",
			"//user:secret@host?password=secret", "smtp://h:secret@",
		} {
			if err := check(address); err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("%s %s: got %v", name, address, err)
			}
		}
		if err := check("ftp://user:secret@host/a?b=c"); err == nil && name != "--x-url" {
			t.Errorf("%s takes it", name)
		}
	}
}

func of[T any](_ T, err error) error { return err }
