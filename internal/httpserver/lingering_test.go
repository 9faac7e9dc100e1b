package httpserver

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A client that sends its whole request before it reads gets the refusal; one that waits to be told to go on gets it
// without having sent anything.
func TestLingering(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Lingering(time.Minute, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
	})))
	defer server.Close()
	for name, c := range map[string]struct {
		header string
		sent   int
	}{
		"sends at once": {"", 25_000_000},
		"waits":         {"Expect: 100-continue\r\n", 0},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\n%sContent-Length: 25000000\r\n\r\n", c.header)
		if err == nil {
			_, err = conn.Write(make([]byte, c.sent))
		}
		if err != nil {
			t.Errorf("a client that %s can't send its request: %v", name, err)
		}
		if line, err := bufio.NewReader(conn).ReadString('\n'); !strings.HasPrefix(line, "HTTP/1.1 413 ") {
			t.Errorf("a client that %s got %q, %v", name, line, err)
		}
		_ = conn.Close()
	}
}
