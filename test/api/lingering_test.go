package api

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"missiond/internal/app"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
)

// A body that is refused is read, so that the refusal reaches a client that sends all of it first, whatever the route and
// the reason.
func TestRefusalsReachClientsThatSendFirst(t *testing.T) {
	t.Parallel()
	s := newHarness(t, testkit.SQLite)
	server := httptest.NewServer(s.another(func(c *app.Config) { c.Lingers, c.Limits = await.Long(), s.Limits }).Handler(app.Pages{}))
	testkit.Cleanup(t, server.Close)
	const size = 25_000_000
	body := make([]byte, size)
	for _, c := range []struct {
		path, contentType, key string
		want                   int
	}{
		{"/v1/media", "image/png", s.key, http.StatusRequestEntityTooLarge},
		{"/v1/media", "text/html", s.key, http.StatusUnsupportedMediaType},
		{"/v1/media", "image/png", "sk_none", http.StatusUnauthorized},
		{"/v1/missions", "application/json", s.key, http.StatusRequestEntityTooLarge},
		{"/graphql", "application/json", s.key, http.StatusRequestEntityTooLarge},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		s.must(err)
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", c.path, c.key, c.contentType, size)
		s.must(err)
		if _, err = conn.Write(body); err != nil {
			t.Errorf("POST %s of %s can't be sent: %v", c.path, c.contentType, err)
		}
		if line, err := bufio.NewReader(conn).ReadString('\n'); !strings.HasPrefix(line, fmt.Sprintf("HTTP/1.1 %d ", c.want)) {
			t.Errorf("POST %s of %s returned %q, %v", c.path, c.contentType, line, err)
		}
		_ = conn.Close()
	}
}
