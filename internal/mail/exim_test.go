package mail

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/wneessen/go-mail"

	"missiond/internal/clock"
	"missiond/internal/servers"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
)

// certificate returns a certificate of 127.0.0.1 that signs itself, and its key, as PEM.
func certificate(t *testing.T) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// exim returns a real mail server with the boxes of names, and a function for senders that trust its
// certificate or nobody's.
func exim(t *testing.T, names ...string) (server *servers.Exim, to func(user string, trusted bool) *Sender) {
	t.Helper()
	cert, key := certificate(t)
	server, err := servers.StartExim(t.Context(), t.TempDir(), cert, key)
	if err != nil {
		testkit.NotStarted(t, "Exim", err)
	}
	t.Cleanup(server.Stop)
	for _, name := range names {
		if err := server.AddBox(name); err != nil {
			t.Fatal(err)
		}
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cert)
	return server, func(user string, trusted bool) *Sender {
		sender, err := New("smtp://"+user+server.Addr, "Mißiond <missiond@example.com>")
		if err != nil {
			t.Fatal(err)
		}
		// Elsewhere than on this machine STARTTLS is a must.
		sender.options = append(sender.options, mail.WithTLSPolicy(mail.TLSMandatory))
		if trusted {
			sender.options = append(sender.options, mail.WithTLSConfig(&tls.Config{RootCAs: roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12}))
		}
		return sender
	}
}

// arrived waits for the only e-mail in a box.
func arrived(t *testing.T, server *servers.Exim, name string) string {
	t.Helper()
	for deadline := time.Now().Add(await.Long()); ; _ = clock.Sleep(t.Context(), 20*time.Millisecond) {
		mails, err := server.Box(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(mails) == 1 {
			return mails[0]
		}
		if len(mails) > 1 || time.Now().After(deadline) {
			t.Fatalf("%s has %d e-mails\n%s", name, len(mails), server.Tail())
		}
	}
}

// What arrives at a real server is what was sent: encrypted, after a login, with its sender's
// headers and without any other recipient's address.
func TestEximDelivers(t *testing.T) {
	server, sender := exim(t, "ann", "bob")
	if err := server.RequireLogin(); err != nil {
		t.Fatal(err)
	}
	s := sender("missiond:hunter2@", true)
	text := "Zwölf Beiträge warten — 十二.\n.\nFrom here on\n" + strings.Repeat("é", 2000) + "\n"
	m := Message{ID: "ntf_1", Subject: "Grüße: " + strings.Repeat("十二 Beiträge ", 20), Text: text, Unsubscribe: "https://missions.example/console/" + strings.Repeat("settings/", 12)}
	for _, m.To = range []string{"ann@example.com", "bob@example.com"} {
		if err := s.Send(t.Context(), m); err != nil {
			t.Fatalf("%v\n%s", err, server.Tail())
		}
	}
	ann, bob := arrived(t, server, "ann"), arrived(t, server, "bob")
	if strings.Contains(ann, "bob") || strings.Contains(bob, "ann") {
		t.Errorf("one recipient sees the other:\n%s\n%s", ann, bob)
	}
	got, err := netmail.ReadMessage(strings.NewReader(ann))
	if err != nil {
		t.Fatal(err)
	}
	words := new(mime.WordDecoder)
	subject, err := words.DecodeHeader(got.Header.Get("Subject"))
	if err != nil || subject != strings.TrimSpace(m.Subject) && subject != m.Subject {
		t.Errorf("the subject is %q; %v", subject, err)
	}
	from, err := got.Header.AddressList("From")
	if err != nil || len(from) != 1 || from[0].Name != "Mißiond" || from[0].Address != "missiond@example.com" {
		t.Errorf("it is from %v; %v", from, err)
	}
	for name, want := range map[string]string{
		"To": "<ann@example.com>", "Return-Path": "<missiond@example.com>", "Auto-Submitted": "auto-generated", "List-Unsubscribe": "<" + m.Unsubscribe + ">",
	} {
		if value := strings.TrimSpace(got.Header.Get(name)); value != want {
			t.Errorf("%s is %q, want %q", name, value, want)
		}
	}
	if by := got.Header.Get("Received"); !strings.Contains(by, "esmtpsa") || !strings.Contains(by, "TLS1") {
		t.Errorf("it came by %q, not by TLS and a login", by)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(got.Body))
	if err != nil || strings.ReplaceAll(string(body), "\r\n", "\n") != text {
		t.Errorf("the text is %q; %v", body, err)
	}
	for line := range strings.Lines(ann) {
		if len(line) > 998 || strings.IndexFunc(line, func(r rune) bool { return r > 126 || r < ' ' && r != '\n' && r != '\t' }) >= 0 {
			t.Errorf("the line %q is too long, or not of ASCII", line)
		}
	}
}

// What the server gets has CRLF at the end of each line: a line feed alone ends a line for some
// servers, and lets others take one message for two.
func TestNoBareLineFeeds(t *testing.T) {
	sender, err := New("smtp://127.0.0.1", "missiond@example.com")
	if err != nil {
		t.Fatal(err)
	}
	msg, err := sender.message(Message{ID: "ntf_1", To: "ann@example.com", Subject: "a\r\nBcc: x@y.z\nb", Text: "a\nb\r\nc\rd\n.\n", Unsubscribe: "https://x.example/"})
	if err != nil {
		t.Fatal(err)
	}
	var sent bytes.Buffer
	if _, err := msg.WriteTo(&sent); err != nil {
		t.Fatal(err)
	}
	rest := strings.ReplaceAll(sent.String(), "\r\n", "")
	if strings.ContainsAny(rest, "\r\n") || strings.Contains(sent.String(), "\nBcc:") {
		t.Errorf("the message is %q", sent.String())
	}
}

// A server that isn't who it should be, or doesn't know the sender, gets no message and no password.
func TestEximIsNotTrusted(t *testing.T) {
	server, sender := exim(t, "ann")
	m := Message{ID: "ntf_1", To: "ann@example.com", Subject: "x", Text: "y"}
	var unknown *tls.CertificateVerificationError
	if err := sender("missiond:hunter2@", false).Send(t.Context(), m); !errors.As(err, &unknown) {
		t.Errorf("with a certificate that nobody signed: %v", err)
	}
	var refused *RefusedError
	if err := sender("missiond:wrong@", true).Send(t.Context(), m); err == nil || errors.As(err, &refused) || !strings.Contains(err.Error(), "535") || strings.Contains(err.Error(), "wrong") {
		t.Errorf("with a wrong password: %v", err)
	}
	if mails, err := server.Box("ann"); err != nil || len(mails) != 0 {
		t.Errorf("%q arrived; %v", mails, err)
	}
}

// The replies of a real server: for good to an unknown name and to what is too large, for now to
// one who is greylisted and gets it later.
func TestEximRefuses(t *testing.T) {
	server, sender := exim(t, "ann", "big")
	s := sender("", true)
	send := func(to, text string) (reply string, err error) {
		err = s.Send(context.WithoutCancel(t.Context()), Message{ID: "ntf_1", To: to + "@example.com", Subject: "x", Text: text})
		var refused *RefusedError
		if errors.As(err, &refused) {
			return refused.Reply, nil
		}
		return "", err
	}
	if reply, err := send("nobody", "y"); err != nil || !strings.HasPrefix(reply, "550 5.1.1 Nobody here") {
		t.Errorf("an unknown name: %q, %v", reply, err)
	}
	if reply, err := send("big", strings.Repeat("word ", 10_000)); err != nil || !strings.HasPrefix(reply, "552 ") {
		t.Errorf("a large e-mail: %q, %v", reply, err)
	}
	if err := server.Greylist("ann", true); err != nil {
		t.Fatal(err)
	}
	if reply, err := send("ann", "y"); err == nil || reply != "" || !strings.Contains(err.Error(), "451") {
		t.Errorf("one who is greylisted: %q, %v", reply, err)
	}
	if err := server.Greylist("ann", false); err != nil {
		t.Fatal(err)
	}
	if reply, err := send("ann", "y"); err != nil || reply != "" {
		t.Errorf("one who was greylisted: %q, %v", reply, err)
	}
	arrived(t, server, "ann")
	if mails, err := server.Box("big"); err != nil || len(mails) != 0 {
		t.Errorf("a large e-mail arrived: %v", err)
	}
}
