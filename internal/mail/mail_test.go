package mail

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wneessen/go-mail"
)

// server plays an SMTP server (RFC 5321) that keeps what it is sent, as many
// lines of it as it is told.
type server struct {
	net.Listener

	mu       sync.Mutex
	commands []string
	data     string
	// refused are the replies to recipients by their names.
	refused map[string]string
}

func newServer(t *testing.T, silent bool) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{Listener: l}
	var wait sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); wait.Wait() })
	wait.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wait.Go(func() { s.talk(conn, silent) })
		}
	})
	return s
}

func (s *server) talk(conn net.Conn, silent bool) {
	defer func() { _ = conn.Close() }()
	lines := bufio.NewScanner(conn)
	say := func(text string) { _, _ = conn.Write([]byte(text + "\r\n")) }
	if silent {
		lines.Scan() // until the other side gives up
		return
	}
	say("220 test")
	inData := false
	for lines.Scan() {
		line := lines.Text()
		s.mu.Lock()
		if inData {
			s.data += line + "\n"
		} else {
			s.commands = append(s.commands, line)
		}
		s.mu.Unlock()
		verb, _, _ := strings.Cut(strings.ToUpper(line), " ")
		switch {
		case inData && line == ".":
			inData = false
			say("250 kept")
		case inData:
		case verb == "EHLO":
			say("250-test\r\n250-AUTH PLAIN\r\n250 8BITMIME")
		case verb == "DATA":
			inData = true
			say("354 go on")
		case verb == "RCPT" && s.refusal(line) != "":
			say(s.refusal(line))
		case verb == "AUTH":
			say("235 welcome")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

// With smtps:// the connection is encrypted from the start, so that the password may be
// sent.
func TestEncryptedFromTheStart(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificate
	defer web.Close()
	s := &server{}
	l, err := tls.Listen("tcp", "127.0.0.1:0", web.TLS)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	defer func() { _ = l.Close() }()
	wait.Go(func() {
		if conn, err := l.Accept(); err == nil {
			s.talk(conn, false)
		}
	})
	sender, err := New("smtps://user:hunter2@"+l.Addr().String(), "missiond@example.com")
	if err != nil {
		t.Fatal(err)
	}
	sender.secure.RootCAs = x509.NewCertPool()
	sender.secure.RootCAs.AddCert(web.Certificate())
	if err := sender.Send(context.Background(), Message{ID: "ntf_1", To: "ann@example.com", Subject: "x", Text: "y"}); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !strings.Contains(strings.Join(s.commands, "\n"), "AUTH PLAIN") || strings.Count(s.data, "Message-ID") != 1 {
		t.Errorf("the server heard %q", s.commands)
	}
}

// refusal is what the server says of a recipient whom it refuses, or "".
func (s *server) refusal(line string) string {
	for name, reply := range s.refused {
		if strings.Contains(line, "<"+name+"@") {
			return reply
		}
	}
	return ""
}

func TestSend(t *testing.T) {
	s := newServer(t, false)
	sender, err := New("smtp://"+s.Addr().String(), "missiond <missiond@example.com>")
	if err != nil {
		t.Fatal(err)
	}
	m := Message{ID: "ntf_1", Subject: "Grüße", Text: "A line.\n.\nAnother.", Unsubscribe: "https://missions.example/off"}
	for _, m.To = range []string{"ann@example.com", "bob@example.com"} {
		if err := sender.Send(context.Background(), m); err != nil {
			t.Fatal(err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	talk := strings.Join(s.commands, "\n")
	for _, want := range []string{"RCPT TO:<ann@example.com>", "RCPT TO:<bob@example.com>"} {
		if !strings.Contains(talk, want) {
			t.Errorf("the server heard no %s:\n%s", want, talk)
		}
	}
	if strings.Count(talk, "MAIL FROM:<missiond@example.com>") != 2 || strings.Count(talk, "DATA") != 2 {
		t.Errorf("the server heard\n%s", talk)
	}
	for _, want := range []string{
		"Message-ID: <ntf_1.", "Subject: =?UTF-8?q?Gr=C3=BC=C3=9Fe?=", "A line.\n..\nAnother.", "Auto-Submitted: auto-generated\n",
		"List-Unsubscribe: <https://missions.example/off>\n",
	} {
		if strings.Count(s.data, want) != 2 {
			t.Errorf("the messages have no %q:\n%s", want, s.data)
		}
	}
}

// A refusal of the address or the message is for good. What is said of the connection, or for
// now, isn't.
func TestRefusedRecipient(t *testing.T) {
	for name, tt := range map[string]struct {
		reply string
		words string // "" if it may be sent again
	}{
		"for good":        {"550 5.1.1 no such user", "550 5.1.1 no such user"},
		"in two lines":    {"552-5.2.2 the box\r\n552 5.2.2 is full", "552 5.2.2 the box\n5.2.2 is full"},
		"no mail there":   {"556 5.1.10 null MX", "556 5.1.10 null MX"},
		"no mail here":    {"521 5.3.2 no mail", "521 5.3.2 no mail"},
		"for now":         {"451 4.7.1 come back later", ""},
		"without a login": {"530 5.7.0 authentication required", ""},
		"out of sequence": {"503 5.5.1 what?", ""},
		"closing":         {"421 4.3.2 closing", ""},
		"no reply at all": {"what?", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, false)
			s.refused = map[string]string{"ann": tt.reply}
			sender, err := New("smtp://"+s.Addr().String(), "missiond@example.com")
			if err != nil {
				t.Fatal(err)
			}
			err = sender.Send(context.Background(), Message{ID: "ntf_1", To: "ann@example.com", Subject: "x", Text: "y"})
			var refused *RefusedError
			if err == nil || errors.As(err, &refused) != (tt.words != "") || refused != nil && refused.Reply != tt.words {
				t.Errorf("got %v", err)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.data != "" {
				t.Errorf("it was sent: %s", s.data)
			}
		})
	}
}

// What isn't an address is refused without a connection.
func TestNoAddress(t *testing.T) {
	sender, err := New("smtp://127.0.0.1:1", "missiond@example.com")
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"", "nobody", "no address\r\nRCPT TO:<x@y>"} {
		var refused *RefusedError
		if err := sender.Send(context.Background(), Message{ID: "ntf_1", To: to}); !errors.As(err, &refused) {
			t.Errorf("%q: %v", to, err)
		}
	}
}

// A server that says nothing, or isn't there, is an error in time.
func TestServerIsAway(t *testing.T) {
	s := newServer(t, true)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	for _, address := range []string{s.Addr().String(), "127.0.0.1:1"} {
		sender, err := New("smtp://user:hunter2@"+address, "missiond@example.com")
		if err != nil {
			t.Fatal(err)
		}
		sender.options = append(sender.options, mail.WithTimeout(100*time.Millisecond))
		err = sender.Send(ctx, Message{ID: "ntf_1", To: "ann@example.com"})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestBadConfiguration(t *testing.T) {
	for _, tt := range []struct{ address, from string }{
		{"mail.example.com", "a@b.c"}, {"http://mail.example.com", "a@b.c"}, {"smtp://", "a@b.c"}, {"smtp://user:hunter2@host:port", "a@b.c"}, {"smtp://host", "nobody"},
	} {
		_, err := New(tt.address, tt.from)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%+v answers %v", tt, err)
		}
	}
}

// A server that drips a reply without end, or sends one of any length, ends with the
// call: its connection is closed.
func TestRepliesWithoutEnd(t *testing.T) {
	for name, reply := range map[string]func(conn net.Conn){
		"drips": func(conn net.Conn) {
			for {
				if _, err := conn.Write([]byte("220-more\r\n")); err != nil {
					return
				}
				<-time.After(5 * time.Millisecond)
			}
		},
		"a line without end": func(conn net.Conn) {
			for {
				if _, err := conn.Write([]byte(strings.Repeat("2", 4096))); err != nil {
					return
				}
			}
		},
		"says nothing": func(conn net.Conn) { _, _ = conn.Read(make([]byte, 1)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			closed := make(chan struct{})
			go func() {
				defer close(closed)
				conn, err := l.Accept()
				if err != nil {
					return
				}
				reply(conn)
				_ = conn.Close()
			}()
			sender, err := New("smtp://"+l.Addr().String(), "missiond@example.com")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			defer cancel()
			if err := sender.Send(ctx, Message{ID: "ntf_1", To: "ann@example.com"}); err == nil {
				t.Error("it was sent")
			}
			_ = l.Close()
			<-closed
		})
	}
}
