package main

import (
	"crypto/x509"
	"os"
	"os/exec"
	"testing"
)

// The program has certificate authorities where the machine has none, as in an image
// made from scratch.
func TestRootsWithoutMachine(t *testing.T) {
	const inside = "MISSIOND_TEST_ROOTS"
	if os.Getenv(inside) != "" {
		pool, err := x509.SystemCertPool()
		if err != nil || pool.Equal(x509.NewCertPool()) {
			t.Fatalf("no certificate authorities: %v", err)
		}
		return
	}
	t.Parallel()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestRootsWithoutMachine$")
	cmd.Env = []string{inside + "=1", "SSL_CERT_FILE=/nonexistent", "SSL_CERT_DIR=/nonexistent"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
