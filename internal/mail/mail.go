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
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
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

// Message is a plain text message to one person. ID identifies it if it arrives twice.
type Message struct {
	ID      string
	To      string
	Subject string
	Text    string
	// Unsubscribe is the URL of the page where the person switches such messages off, or "".
	Unsubscribe string
}

// RefusedError means that a message to an address is refused for good: sending it again is of
// no use.
type RefusedError struct {
	// Reply is why, in the server's words, of any length.
	Reply string
}

// Error returns the server's words.
func (e *RefusedError) Error() string { return "mail: the address is refused: " + e.Reply }

// Send sends a message. Errors: RefusedError; any other if the same message can be sent again
// later, under the same Message-ID.
func (s *Sender) Send(ctx context.Context, m Message) error {
	msg, err := s.message(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel() // closes the connection
	client, err := mail.NewClient(s.host, append(slices.Clone(s.options), mail.WithDialContextFunc(s.dial(ctx)))...)
	if err != nil {
		return err
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err == nil {
		err = deliver(session, msg)
	}
	var refused *RefusedError
	var network net.Error
	switch {
	case err == nil || errors.As(err, &refused):
		return err
	case ctx.Err() != nil || errors.As(err, &network) && network.Timeout():
		return fmt.Errorf("mail: the server %s did not respond in time", s.host)
	}
	return fmt.Errorf("mail: %w", err)
}

// deliver hands a message to the server. Errors: RefusedError.
func deliver(session *smtp.Client, msg *mail.Msg) error {
	from, err := msg.GetSender(false)
	if err != nil {
		return err
	}
	to, err := msg.GetRecipients()
	if err != nil {
		return err
	}
	if err := session.Mail(from); err != nil {
		return err
	}
	if err := session.Rcpt(to[0]); err != nil {
		return refusal(err)
	}
	data, err := session.Data()
	if err != nil {
		return refusal(err)
	}
	if _, err := msg.WriteTo(data); err != nil {
		return err // without the final dot, the server forgets what it has
	}
	if err := data.Close(); err != nil {
		return refusal(err)
	}
	_ = session.Quit() // it was accepted
	return nil
}

// refusal returns a RefusedError if err is a permanent reply (RFC 5321, 4.2.1) about the
// recipient or the message: 55x, and 521 of a server without mail (RFC 7504).
// Other replies are about the connection, which whoever runs the service can set right.
func refusal(err error) error {
	var reply *textproto.Error
	if errors.As(err, &reply) && (reply.Code/10 == 55 || reply.Code == 521) {
		return &RefusedError{Reply: fmt.Sprintf("%d %s", reply.Code, reply.Msg)}
	}
	return err
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

// message returns a message in its form. Errors: RefusedError if the address isn't valid.
func (s *Sender) message(m Message) (*mail.Msg, error) {
	msg := mail.NewMsg()
	if err := msg.From(s.from); err != nil {
		return nil, err
	}
	if msg.To(m.To) != nil {
		return nil, &RefusedError{Reply: "it isn't a valid address"}
	}
	sum := sha256.Sum256([]byte(m.To))
	msg.SetMessageIDWithValue(m.ID + "." + hex.EncodeToString(sum[:8]) + "@" + s.host)
	msg.SetDate()
	// No person wrote it: programs that answer for people on holiday don't answer it (RFC 3834).
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Unsubscribe != "" {
		msg.SetGenHeaderPreformatted(mail.HeaderListUnsubscribe, "<"+m.Unsubscribe+">")
	}
	msg.Subject(m.Subject)
	msg.SetBodyString(mail.TypeTextPlain, m.Text)
	return msg, nil
}
