// Package mail sends e-mail over SMTP.
package mail

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"
)

// sendLimit is how long sending a message may take, from the lookup to the last
// response.
const sendLimit = 20 * time.Second

// maxReplies is how much is read of a server's replies to a message, in bytes.
const maxReplies = 1 << 20

// Sender sends messages through one server. It is safe for concurrent use.
type Sender struct {
	options []mail.Option
	host    string
	from    string
	secure  *tls.Config // for TLS from the start; nil for STARTTLS
}

// New returns a sender through the server at address: smtp:// (STARTTLS; on this
// machine without it, if the server doesn't have it) or smtps:// (TLS from the
// start), with user name and password if the server requires them. Errors describe
// what is wrong with the address, without the password.
func New(address, from string) (*Sender, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("mail: the server must be smtp://[user:password@]host[:port] or smtps://…")
	}
	s := &Sender{host: u.Hostname(), from: from, options: []mail.Option{mail.WithTimeout(sendLimit)}}
	switch {
	case u.Scheme == "smtps":
		// The library takes a connection that dial made with TLS for one without, unless it
		// may look for itself.
		s.secure = &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
		s.options = append(s.options, mail.WithPort(mail.DefaultPortSSL), mail.WithTLSPolicy(mail.TLSOpportunistic))
	case onThisMachine(s.host):
		s.options = append(s.options, mail.WithTLSPortPolicy(mail.TLSOpportunistic))
	default:
		s.options = append(s.options, mail.WithTLSPortPolicy(mail.TLSMandatory))
	}
	if u.Port() != "" {
		port, err := strconv.Atoi(u.Port())
		if err != nil {
			return nil, errors.New("mail: the server's port must be a number")
		}
		s.options = append(s.options, mail.WithPort(port))
	}
	if u.User != nil {
		password, _ := u.User.Password()
		s.options = append(s.options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	if err := mail.NewMsg().From(from); err != nil {
		return nil, fmt.Errorf("mail: the sender's address: %w", err)
	}
	_, err = mail.NewClient(s.host, s.options...)
	return s, err
}

func onThisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Message is a plain text message. ID identifies it if it arrives twice.
type Message struct {
	ID      string
	To      []string
	Subject string
	Text    string
}

// Send sends a message separately to each recipient with a valid address: a
// rejection of one doesn't keep it from the others. No recipients is no error.
// Errors: if the server may accept a message later, or accepted none; the same
// messages can then be sent again under the same Message-IDs.
func (s *Sender) Send(ctx context.Context, m Message) error {
	messages, err := s.messages(m)
	if err != nil || len(messages) == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	client, err := mail.NewClient(s.host, append(slices.Clone(s.options), mail.WithDialContextFunc(s.dial(ctx)))...)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, messages...)
	if err == nil || refusedSome(messages) {
		return nil
	}
	var network net.Error
	if ctx.Err() != nil || errors.As(err, &network) && network.Timeout() {
		return fmt.Errorf("mail: the server %s did not respond in time", s.host)
	}
	return fmt.Errorf("mail: %w", err)
}

// dial returns what connects to the server for the messages of ctx. The library extends
// its deadline with each message, and a server may drip: the connection ends with ctx.
func (s *Sender) dial(ctx context.Context) mail.DialContextFunc {
	return func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(dialing, network, address)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { _ = conn.Close() })
		conn = &limited{Conn: conn, left: maxReplies}
		if s.secure == nil {
			return conn, nil
		}
		secure := tls.Client(conn, s.secure)
		if err := secure.HandshakeContext(dialing); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		return secure, nil
	}
}

// limited is a connection of which only so many bytes are read: a reply's line may have
// no end.
type limited struct {
	net.Conn

	left int
}

// Read reads what is left at most.
func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errors.New("mail: the server's replies are too long")
	}
	n, err := l.Conn.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// messages returns a message for each recipient.
func (s *Sender) messages(m Message) ([]*mail.Msg, error) {
	var messages []*mail.Msg
	for _, to := range m.To {
		msg := mail.NewMsg()
		if err := msg.From(s.from); err != nil {
			return nil, err
		}
		if msg.To(to) != nil {
			continue
		}
		sum := sha256.Sum256([]byte(to))
		msg.SetMessageIDWithValue(m.ID + "." + hex.EncodeToString(sum[:8]) + "@" + s.host)
		msg.SetDate()
		msg.Subject(m.Subject)
		msg.SetBodyString(mail.TypeTextPlain, m.Text)
		messages = append(messages, msg)
	}
	return messages, nil
}

// refusedSome reports whether the server accepted some messages and permanently
// rejected the others: retrying those is of no use.
func refusedSome(messages []*mail.Msg) bool {
	taken := false
	for _, msg := range messages {
		if !msg.HasSendError() {
			taken = taken || msg.IsDelivered()
			continue
		}
		var refused *mail.SendError
		if !errors.As(msg.SendError(), &refused) || refused.IsTemp() {
			return false
		}
	}
	return taken
}
