package missiond_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	missiond "missiond/clients/go"
)

// service is a development run of missiond.
type service struct{ url, key string }

var settings = regexp.MustCompile(`MISSIOND_URL=(\S+)\nMISSIOND_API_KEY=(\S+)\n`)

// serve starts the program that MISSIOND_BINARY names for a test.
func serve(t *testing.T, speed string) service {
	t.Helper()
	binary := os.Getenv("MISSIOND_BINARY")
	if binary == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("MISSIOND_BINARY must name the program: run make test-clients")
		}
		t.Skip("MISSIOND_BINARY doesn't name the program: run make test-clients")
	}
	data := t.TempDir()
	cmd := exec.Command(binary, "dev", "--addr", "127.0.0.1:0", "--data-dir", data, "--clock-speed", speed, "--log-level", "error")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	var s service
	until(t, "the service", func() bool {
		text, _ := os.ReadFile(filepath.Join(data, "dev.env"))
		m := settings.FindSubmatch(text)
		if m == nil {
			return false
		}
		s = service{string(m[1]), string(m[2])}
		resp, err := http.Get(s.url + "/readyz")
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	return s
}

// until waits for a condition, for a minute at most.
func until(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !condition(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
		<-time.After(50 * time.Millisecond)
	}
}

func (s service) env() []string {
	return append(os.Environ(), "MISSIOND_URL="+s.url, "MISSIOND_API_KEY="+s.key)
}

// client returns a client; change changes its options.
func (s service) client(t *testing.T, change func(o *missiond.Options)) *missiond.ClientWithResponses {
	t.Helper()
	o := missiond.Options{URL: s.url, Key: s.key, LongestWait: 5 * time.Second}
	if change != nil {
		change(&o)
	}
	c, err := missiond.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// listen starts a server on this machine for a test.
func listen(t *testing.T, handler http.HandlerFunc) service {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return service{server.URL, "a"}
}
