package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"labour/cmd/internal/cli"
	"labour/serve/partners/mail"
	"labour/sources"
)

// The environment variables that configure mail.
const (
	// smtpHost is the environment variable with the host name of the mail server. Mail is off
	// without it.
	smtpHost = "LABOUR_SMTP_HOST"
	// smtpPort is the environment variable with the port of the mail server. The default is 587.
	smtpPort = "LABOUR_SMTP_PORT"
	// smtpUser is the environment variable with the user name for the mail server.
	smtpUser = "LABOUR_SMTP_USER"
	// smtpPassword is the environment variable with the password for the mail server. The variable
	// LABOUR_SMTP_PASSWORD_FILE may name a file with the password instead.
	smtpPassword = "LABOUR_SMTP_PASSWORD"
	// smtpFrom is the environment variable with the address of the sender of all mails.
	smtpFrom = "LABOUR_SMTP_FROM"
	// smtpSecurity is the environment variable that states how the connection to the mail server is
	// encrypted: starttls, tls or none (see mail.Security). The default is starttls.
	smtpSecurity = "LABOUR_SMTP_SECURITY"
	// publicURL is the environment variable with the public web address of the service. Links in
	// mails begin with that address.
	publicURL = "LABOUR_PUBLIC_URL"
)

// initialBase is the web address of a server that was started without flags. Links begin with it if
// LABOUR_PUBLIC_URL is not set.
const initialBase = "http://127.0.0.1:8080"

// setting returns the value of an environment variable, or "" if it is not set.
func (a *app) setting(name string) string {
	if v, ok := a.getenv(name); ok {
		return v
	}
	return ""
}

// isSiteAddress reports whether u is the address of a website without a path, a query or a user
// name.
func isSiteAddress(u *url.URL) bool {
	hasMore := u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path != ""
	return sources.IsWebAddress(u.String()) && !hasMore
}

// base returns the web address of the service, with which its links begin. set reports whether the
// operator configured the address.
func (a *app) base() (base string, set bool, err error) {
	text := a.setting(publicURL)
	if text == "" {
		return initialBase, false, nil
	}
	u, err := url.Parse(strings.TrimSuffix(text, "/"))
	if err != nil || !isSiteAddress(u) {
		return "", true, cli.NewUsageError(fmt.Errorf("%s: give an address such as https://labour.example", publicURL))
	}
	return u.String(), true, nil
}

// linkMailer returns a sender for sign-in links, and the web address with which the links begin.
// The sender is nil if mail is not configured. If mail is configured, LABOUR_PUBLIC_URL must be
// set.
func (a *app) linkMailer() (*mail.Sender, string, error) {
	mailer, err := a.mailer()
	if mailer == nil || err != nil {
		return nil, "", err
	}
	base, set, err := a.base()
	if err == nil && !set {
		err = cli.NewUsageError(fmt.Errorf("%s is missing: mailed links begin with it", publicURL))
	}
	return mailer, base, err
}

// mailer returns a mail sender, configured by the environment variables. It returns nil if mail is
// not configured.
func (a *app) mailer() (*mail.Sender, error) {
	host := a.setting(smtpHost)
	if host == "" {
		return nil, nil
	}
	s := mail.Settings{Host: host, User: a.setting(smtpUser), From: a.setting(smtpFrom),
		Security: mail.Security(cmp.Or(a.setting(smtpSecurity), string(mail.StartTLS))), ServiceName: "Labour market data"}
	var err error
	if s.Password, err = a.readSecret(smtpPassword); err != nil {
		return nil, err
	}
	port := cmp.Or(a.setting(smtpPort), "587")
	if s.Port, err = strconv.Atoi(port); err != nil {
		return nil, cli.NewUsageError(fmt.Errorf("%s: %q is no port", smtpPort, port))
	}
	mailer, err := mail.New(s, a.now)
	if err != nil {
		return nil, cli.NewUsageError(err)
	}
	return mailer, nil
}

// notifyEnv is the environment variable with the address for notices about failed runs. The address
// is a URL that accepts JSON, or mailto: with an e-mail address. The URL must begin with https://,
// or with http:// and a loopback address. There is no flag for it, because the URL may be secret.
const notifyEnv = "LABOUR_NOTIFY"

const notifyTimeout = 30 * time.Second

func (a *app) notify(ctx context.Context, _ *struct{}, args []string) error {
	send, err := a.notifier()
	if err != nil {
		return err
	}
	return send(ctx, args[0])
}

// notifier returns a function that sends a text to the operator, by mail or HTTP. It returns an
// error if the environment variable LABOUR_NOTIFY is missing or not valid.
func (a *app) notifier() (func(ctx context.Context, text string) error, error) {
	to, err := a.readSecret(notifyEnv)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(to)
	if err != nil {
		u = &url.URL{}
	}
	isHTTPS := u.Scheme == "https" && u.Host != ""
	isLocalHTTP := u.Scheme == "http" && net.ParseIP(u.Hostname()).IsLoopback()
	switch {
	case isHTTPS || isLocalHTTP:
		return func(ctx context.Context, text string) error { return post(ctx, to, text) }, nil
	case u.Scheme == "mailto" && strings.Contains(u.Opaque, "@"):
		mailer, err := a.mailer()
		if err == nil && mailer == nil {
			err = cli.NewUsageError(fmt.Errorf("%s is not set, so nothing can be mailed", smtpHost))
		}
		return func(ctx context.Context, text string) error {
			return mailer.Send(ctx, u.Opaque, "labour needs attention", text+"\n")
		}, err
	}
	return nil, cli.NewUsageError(fmt.Errorf("set %s to an https:// address or to mailto: and an e-mail address",
		notifyEnv))
}

// post sends text to a URL as JSON. Its errors never contain the URL, which may be secret.
func post(ctx context.Context, to, text string) error {
	body, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, notifyTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s is no address", notifyEnv)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%s could not be reached", notifyEnv)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s answered with status %d", notifyEnv, response.StatusCode)
	}
	return nil
}

// withNotice calls work and returns its error. If work fails, withNotice sends the operator a
// notice with name, which is the name of the command, and the error. If notices are not configured,
// it returns an error and does not call work.
func (a *app) withNotice(ctx context.Context, name string, work func() error) error {
	send, err := a.notifier()
	if err != nil {
		return err
	}
	err = work()
	if status := exitStatus(err); status != cli.ExitDone {
		host, _ := os.Hostname()
		if failed := send(context.WithoutCancel(ctx), fmt.Sprintf("%s on %s ended with status %d: %v", name, host,
			status, err)); failed != nil {
			fmt.Fprintln(a.stderr, "labour: nobody was told:", failed)
		}
	}
	return err
}
