// Package mail sends sign-in links by SMTP.
package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	"github.com/wneessen/go-mail"
)

// Security selects how the connection to the mail server is encrypted.
type Security string

// StartTLS, ImplicitTLS and Unencrypted are the ways to connect to the mail server.
const (
	// StartTLS begins without encryption and then requires TLS, with the SMTP command STARTTLS.
	StartTLS Security = "starttls"
	// ImplicitTLS uses TLS from the beginning of the connection.
	ImplicitTLS Security = "tls"
	// Unencrypted uses no encryption. It is for a mail server on a trusted network.
	Unencrypted Security = "none"
)

// Settings describes the mail server and the sender of the mails.
type Settings struct {
	Host        string // host name of the mail server
	Port        int    // TCP port of the mail server, 1 to 65535
	User        string // user name at the mail server; empty = no authentication
	Password    string
	From        string // sender's e-mail address
	Security    Security
	ServiceName string         // name of this service, which the mails mention
	RootCAs     *x509.CertPool // trusted certificate authorities; nil = the system's
}

// sendTimeout is the time limit for sending one mail.
const sendTimeout = 30 * time.Second

// Sender sends mail over SMTP. It is safe for concurrent use.
type Sender struct {
	settings Settings
	now      func() time.Time
}

// New returns a Sender, or an error if the settings are invalid. It does not connect to the mail
// server.
func New(s Settings, now func() time.Time) (*Sender, error) {
	var faults []error
	if s.Host == "" {
		faults = append(faults, errors.New("the mail server's host is missing"))
	}
	if s.Port < 1 || s.Port > 65535 {
		faults = append(faults, fmt.Errorf("port %d is not a port number", s.Port))
	}
	if s.Security != StartTLS && s.Security != ImplicitTLS && s.Security != Unencrypted {
		faults = append(faults, fmt.Errorf("security %q is none of %s, %s and %s", s.Security, StartTLS, ImplicitTLS,
			Unencrypted))
	}
	if s.Security == Unencrypted && s.Password != "" {
		faults = append(faults, errors.New("a password is not sent over a plain connection"))
	}
	if err := mail.NewMsg().From(s.From); err != nil {
		faults = append(faults, errors.New("the sender's address is not an e-mail address"))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("settings of mail: %w", err)
	}
	return &Sender{settings: s, now: now}, nil
}

// SendLink sends a mail with a sign-in link. expiry is the time until which the link is valid.
// Errors do not contain the link.
func (b *Sender) SendLink(ctx context.Context, to, link string, expiry time.Time) error {
	return b.Send(ctx, to, "Your sign-in link",
		fmt.Sprintf("Sign in to the partner pages of %s with this link. It works once, until %s UTC:\n\n%s\n\n"+
			"If you did not ask for it, leave it: without it nobody can sign in.\n", b.settings.ServiceName,
			expiry.UTC().Format("2 January 2006, 15:04"), link))
}

// Send sends a plain-text mail. Errors do not contain the text.
func (b *Sender) Send(ctx context.Context, to, subject, text string) error {
	m := mail.NewMsg()
	if err := errors.Join(m.From(b.settings.From), m.To(to)); err != nil {
		return fmt.Errorf("write a mail: %w", err)
	}
	m.SetDateWithValue(b.now())
	m.Subject(subject)
	m.SetBodyString(mail.TypeTextPlain, text)
	client, err := b.client()
	if err != nil {
		return fmt.Errorf("mail over %s: %w", b.settings.Host, err)
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	if err := client.DialAndSendWithContext(ctx, m); err != nil {
		return fmt.Errorf("mail over %s: %w", b.settings.Host, err)
	}
	return nil
}

func (b *Sender) client() (*mail.Client, error) {
	s := b.settings
	options := []mail.Option{mail.WithPort(s.Port), mail.WithTimeout(sendTimeout),
		mail.WithTLSConfig(&tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12, RootCAs: s.RootCAs})}
	switch s.Security {
	case ImplicitTLS:
		options = append(options, mail.WithSSL())
	case Unencrypted:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if s.User != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.User),
			mail.WithPassword(s.Password))
	}
	return mail.NewClient(s.Host, options...)
}
