package mail

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/serve/certtest"
)

// mailServer is a small SMTP server on loopback that takes one mail.
type mailServer struct {
	net.Listener
	port int
	got  chan string // the mail, with its envelope
}

func newMailServer(t *testing.T, refuse bool) *mailServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return serveMail(l, refuse)
}

func serveMail(l net.Listener, refuse bool) *mailServer {
	s := &mailServer{l, l.Addr().(*net.TCPAddr).Port, make(chan string, 1)}
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		s.talk(c, refuse)
	}()
	return s
}

// talk speaks as much of RFC 5321 as a client needs.
func (s *mailServer) talk(c net.Conn, refuse bool) {
	r, mail, inside := bufio.NewReader(c), "", false
	fmt.Fprint(c, "220 labour.example\r\n")
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		mail += line
		switch {
		case inside && line == ".\r\n":
			inside = false
			s.got <- mail
			fmt.Fprint(c, "250 taken\r\n")
		case inside:
		case strings.HasPrefix(line, "EHLO"):
			fmt.Fprint(c, "250-labour.example\r\n250 AUTH PLAIN\r\n")
		case strings.HasPrefix(line, "AUTH"):
			fmt.Fprint(c, "235 known\r\n")
		case strings.HasPrefix(line, "DATA"):
			inside = true
			fmt.Fprint(c, "354 go on\r\n")
		case strings.HasPrefix(line, "RCPT") && refuse:
			fmt.Fprint(c, "550 nobody here\r\n")
		case strings.HasPrefix(line, "QUIT"):
			fmt.Fprint(c, "221 bye\r\n")
			return
		default:
			fmt.Fprint(c, "250 yes\r\n")
		}
	}
}

func settings(port int, s Security) Settings {
	return Settings{Host: "127.0.0.1", Port: port, From: "labour@labour.example", Security: s,
		ServiceName: "Labour market data"}
}

const link = "https://labour.example/partner/sign-in/0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"

func now() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) }

func TestALinkIsMailed(t *testing.T) {
	s := newMailServer(t, false)
	b, err := New(settings(s.port, Unencrypted), now)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.SendLink(t.Context(), "one@labour.example", link, now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	got := <-s.got
	whole := strings.ReplaceAll(got, "=\r\n", "") // where quoted-printable broke a line
	for _, want := range []string{"MAIL FROM:<labour@labour.example>", "RCPT TO:<one@labour.example>",
		"Subject: Your sign-in link", link, "20 November 2026, 10:00", "Fri, 20 Nov 2026 09:00:00",
		"Message-ID: <"} {
		if !strings.Contains(whole, want) {
			t.Errorf("the mail does not have %q:\n%s", want, got)
		}
	}
}

// A refused mail, a server without TLS and no server at all are errors that do not
// hold the link.
func TestWhatCannotBeMailedIsAnError(t *testing.T) {
	closed := newMailServer(t, false)
	closed.Close()
	for name, s := range map[string]Settings{
		"refused":        settings(newMailServer(t, true).port, Unencrypted),
		"no TLS offered": settings(newMailServer(t, false).port, StartTLS),
		"no server":      settings(closed.port, Unencrypted),
	} {
		b, err := New(s, now)
		if err != nil {
			t.Fatal(err)
		}
		err = b.SendLink(t.Context(), "one@labour.example", link, now())
		if err == nil || strings.Contains(err.Error(), "sign-in") {
			t.Errorf("%s: %v", name, err)
		}
	}
	b, err := New(settings(1, Unencrypted), now)
	if err != nil {
		t.Fatal(err)
	}
	err = b.SendLink(t.Context(), "one@labour.example\r\nBcc: two@labour.example", link, now())
	if err == nil || !strings.HasPrefix(err.Error(), "write a mail: ") {
		t.Errorf("an address with a second line: %v, want an error before the server is called", err)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for name, change := range map[string]func(*Settings){
		"no host": func(s *Settings) { s.Host = "" }, "no port": func(s *Settings) { s.Port = 0 },
		"port":     func(s *Settings) { s.Port = 65536 },
		"negative": func(s *Settings) { s.Port = -1 },
		"security": func(s *Settings) { s.Security = "perhaps" }, "sender": func(s *Settings) { s.From = "nobody" },
		"a password in the clear": func(s *Settings) { s.Security, s.User, s.Password = Unencrypted, "u", "p" },
	} {
		s := settings(25, StartTLS)
		change(&s)
		if _, err := New(s, now); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	for _, port := range []int{1, 65535} {
		if _, err := New(settings(port, StartTLS), now); err != nil {
			t.Errorf("port %d: %v", port, err)
		}
	}
}

// With implicit TLS and a user, the client encrypts before its first word and then names the user.
func TestAuthenticationIsEncrypted(t *testing.T) {
	dir := t.TempDir()
	certificate, err := certtest.WriteCertificate(filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), 1)
	if err != nil {
		t.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{certificate}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	server := serveMail(l, false)
	s := settings(server.port, ImplicitTLS)
	s.User, s.Password, s.RootCAs = "labour", "secret", x509.NewCertPool()
	leaf, err := x509.ParseCertificate(certificate.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	s.RootCAs.AddCert(leaf)
	b, err := New(s, now)
	if err == nil {
		err = b.SendLink(t.Context(), "one@labour.example", link, now())
	}
	if err != nil {
		t.Fatal(err)
	}
	want := "AUTH PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00labour\x00secret"))
	if got := <-server.got; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}
