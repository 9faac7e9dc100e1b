package program

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"missiond/internal/testkit"
	"missiond/test/internal/missiond"
)

// residentKiB returns a program's resident memory in KiB.
func residentKiB(p *missiond.Process) int {
	p.T.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	if err != nil {
		p.T.Skipf("the program's memory can't be read here: %v", err)
	}
	_, after, _ := strings.Cut(string(text), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		p.T.Fatal(err)
	}
	return kib
}

// A thousand subscriptions take a bounded amount of memory each, and get every event.
func TestThousandSubscriptions(t *testing.T) {
	testkit.Full(t)
	t.Parallel()
	most := 160 // KiB each
	if testkit.Nightly() {
		most *= 12 // the race detector multiplies the memory
	}
	p := missiond.Dev(t, t.TempDir())
	p.StartMission(1, 1)
	before := residentKiB(p)
	const many = 1000
	type message struct {
		text []byte
		err  error
	}
	events := make(chan message, many)
	for range many {
		conn, _, err := websocket.Dial(t.Context(), p.URL+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // it has none
			Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: http.Header{"Authorization": {"Bearer " + p.Key}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.CloseNow() }()
		send := func(text string) error { return conn.Write(t.Context(), websocket.MessageText, []byte(text)) }
		err = send(`{"type":"connection_init"}`)
		_, _, readErr := conn.Read(t.Context())
		err = errors.Join(err, readErr, send(`{"id":"1","type":"subscribe","payload":{"query":"subscription { events(types: [MISSION_CREATED]) { id data } }"}}`))
		if err != nil {
			t.Fatal(err)
		}
		go func() { // without reading, pings aren't answered
			_, text, err := conn.Read(t.Context())
			events <- message{text, err}
		}()
	}
	p.Await("the subscriptions", func() bool {
		resp, err := http.Get(p.URL + "/metrics")
		if err != nil {
			return false
		}
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		return err == nil && strings.Contains(string(text), "missiond_feed_listeners 1000")
	})
	// Memory from connecting is freed once the process is idle.
	each := 0
	p.Await(fmt.Sprintf("a subscription to cost %d KiB at most", most), func() bool {
		each = (residentKiB(p) - before) / many
		return each <= most
	})
	p.StartMission(1, 1)
	for range many {
		if e := <-events; e.err != nil || !bytes.Contains(e.text, []byte(`"id":"evt_`)) {
			t.Fatalf("a subscriber got %s, %v", e.text, e.err)
		}
	}
	t.Logf("a subscription on a socket of its own takes %d KiB", each)
}
