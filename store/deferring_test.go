package store_test

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"testing"

	"missiond/internal/testkit"
	"missiond/mission"
	"missiond/store"
)

// cut relays connections to a server. It closes a connection after it has
// passed on a message with word, so that the reply never arrives.
func cut(t *testing.T, server, word string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			upstream, err := net.Dial("tcp", server)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(client, upstream) }()
			go func() {
				defer func() { _ = client.Close() }()
				data := make([]byte, 64<<10)
				for {
					n, err := client.Read(data)
					if err != nil {
						_ = upstream.Close()
						return
					}
					last := bytes.Contains(data[:n], []byte(word))
					if last {
						_ = client.Close() // before the reply can be passed on
					}
					if _, err := upstream.Write(data[:n]); err != nil || last {
						return // the server has the message and carries on
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// A transaction whose COMMIT gets no reply may be committed: it fails, and
// isn't run again.
func TestUnansweredCommit(t *testing.T) {
	address, err := url.Parse(testkit.PostgresURL(t))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := store.OpenPostgres(address.String(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = plain.Close() }()
	if err := plain.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	address.Host = cut(t, address.Host, "COMMIT")
	db, err := store.OpenPostgres(address.String(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	runs := 0
	err = db.Tx(ctx, func(tx store.Tx) error {
		runs++
		return tx.SetLimits(ctx, "tnt_none", mission.Limits{})
	})
	if err == nil || runs != 1 {
		t.Errorf("a transaction whose COMMIT got no reply ran %d times and returned %v", runs, err)
	}
}
