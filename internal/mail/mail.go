// Package mail sends e-mail over SMTP.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"
)

// sendLimit bounds the sending of a message, from the look-up to the last
// answer.
const sendLimit = 20 * time.Second

// Sender sends messages through one server. It is safe for concurrent use.
type Sender struct {
	options []mail.Option
	host    string
	from    string
}

// New answers a sender through the server at address, smtp:// (STARTTLS; on
// this machine without, where the server has none) or smtps:// (TLS from the
// start), with user name and password where the server wants them. Errors say
// what is wrong with the address, without the password.
func New(address, from string) (*Sender, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("mail: the server is smtp://[user:password@]host[:port] or smtps://…")
	}
	s := &Sender{host: u.Hostname(), from: from, options: []mail.Option{mail.WithTimeout(sendLimit)}}
	switch {
	case u.Scheme == "smtps":
		s.options = append(s.options, mail.WithSSLPort(false))
	case onThisMachine(s.host):
		s.options = append(s.options, mail.WithTLSPortPolicy(mail.TLSOpportunistic))
	default:
		s.options = append(s.options, mail.WithTLSPortPolicy(mail.TLSMandatory))
	}
	if u.Port() != "" {
		port, err := strconv.Atoi(u.Port())
		if err != nil {
			return nil, errors.New("mail: the server's port is no number")
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

// Message is a plain text to be sent. ID makes the same message known as such
// where it arrives twice.
type Message struct {
	ID      string
	To      []string
	Subject string
	Text    string
}

// Send sends a message to those of its recipients whose address is one; none
// is no error.
func (s *Sender) Send(ctx context.Context, m Message) error {
	msg := mail.NewMsg()
	if err := msg.From(s.from); err != nil {
		return err
	}
	recipients := 0
	for _, to := range m.To {
		if msg.AddTo(to) == nil {
			recipients++
		}
	}
	if recipients == 0 {
		return nil
	}
	msg.SetMessageIDWithValue(m.ID + "@" + s.host)
	msg.SetDate()
	msg.Subject(m.Subject)
	msg.SetBodyString(mail.TypeTextPlain, m.Text)
	client, err := mail.NewClient(s.host, s.options...)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	if err := client.DialAndSendWithContext(ctx, msg); err != nil {
		var network net.Error
		if errors.As(err, &network) && network.Timeout() {
			return fmt.Errorf("mail: the server %s did not answer in time", s.host)
		}
		return fmt.Errorf("mail: %w", err)
	}
	return nil
}
