package dashboard

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"labour/serve/partners/signin"
)

// cookieName is the name of the session cookie. It begins with __Host-, so that browsers accept the
// cookie only over TLS, only for this host and for all its paths.
const cookieName = "__Host-labour-partner"

// cookie returns the session cookie with a token. An empty token makes the browser delete the
// cookie.
func cookie(token string) *http.Cookie {
	c := &http.Cookie{Name: cookieName, Value: token, Path: "/", MaxAge: int(signin.MaxSessionAge.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if token == "" {
		c.MaxAge = -1
	}
	return c
}

// identify looks up the partner's session by the cookie of the request. The error wraps
// signin.ErrNoSession if there is none.
func (d *handler) identify(v *request) (err error) {
	c, err := v.Cookie(cookieName)
	if err != nil || c.Value == "" {
		return signin.ErrNoSession
	}
	v.by, err = d.Signin.FindSession(v.Context(), c.Value)
	return err
}

// first shows the partner's API keys, or the sign-in page to a visitor without a session.
func (d *handler) first(v *request) error {
	if v.by.PartnerID != "" {
		return d.keys(v)
	}
	return d.welcome(v)
}

func (d *handler) welcome(v *request) error {
	return d.page(v, "welcome", "Your keys, usage and webhooks", "", d.LinkMails != nil)
}

// askLink queues an e-mail with a sign-in link to the submitted address. The response does not
// disclose whether the address belongs to a partner.
func (d *handler) askLink(v *request) error {
	if d.LinkMails == nil {
		return errNoPage
	}
	address, err := signin.ParseAddress(v.PostForm.Get("email"))
	if err == nil {
		d.LinkMails.RequestLink(address)
	}
	return v.redirect(err, RootPath, "mailed")
}

// showLink shows a page with a sign-in button. Opening the page does not use up the link, because
// mail scanners open links too.
func (d *handler) showLink(v *request) error {
	if err := d.Signin.CheckLink(v.Context(), v.PathValue("token")); err != nil {
		return err
	}
	return d.page(v, "signin", "Sign in", "", v.URL.Path)
}

// useLink uses up a sign-in link, ends the current session if there is one, and starts a new one.
func (d *handler) useLink(v *request) error {
	token, err := d.Signin.UseLink(v.Context(), v.PathValue("token"))
	if err == nil {
		err = d.endSession(v)
	}
	if err != nil {
		return err
	}
	http.SetCookie(v.w, cookie(token))
	http.Redirect(v.w, v.Request, RootPath, http.StatusSeeOther)
	return nil
}

func (d *handler) signOut(v *request) error {
	if err := d.endSession(v); err != nil {
		return err
	}
	http.SetCookie(v.w, cookie(""))
	return v.redirect(nil, RootPath, "signed-out")
}

func (d *handler) endSession(v *request) error {
	c, err := v.Cookie(cookieName)
	if err != nil || c.Value == "" {
		return nil
	}
	return d.Signin.EndSession(v.Context(), c.Value)
}

// Mailer sends e-mails with sign-in links; *mail.Sender implements it.
type Mailer interface {
	// SendLink sends a sign-in link to an e-mail address; until is the time when the link expires.
	SendLink(ctx context.Context, to, link string, until time.Time) error
}

// SignInMailQueue mails sign-in links in the background, so that the response time does not
// disclose whether an address belongs to a partner.
type SignInMailQueue struct {
	links     *signin.Store
	mailer    Mailer
	base      string
	log       *slog.Logger
	addresses chan string
}

// maxWaiting is the largest number of e-mail addresses that can wait for a sign-in link. When the
// queue is full, RequestLink drops further ones.
const maxWaiting = 64

// NewSignInMailQueue returns an empty queue. base is the public URL of the service, without a slash
// at its end. Sign-in links begin with it.
func NewSignInMailQueue(links *signin.Store, mailer Mailer, base string, log *slog.Logger) *SignInMailQueue {
	return &SignInMailQueue{links: links, mailer: mailer, base: base, log: log, addresses: make(chan string, maxWaiting)}
}

// RequestLink queues an e-mail address. Later, Run mails a sign-in link to it if it belongs to a
// partner. If the queue is full, the request is dropped.
func (o *SignInMailQueue) RequestLink(address string) {
	select {
	case o.addresses <- address:
	default:
		o.log.Warn("a sign-in link is not mailed: too many were asked for at once")
	}
}

// Run mails sign-in links to the queued addresses until ctx ends.
func (o *SignInMailQueue) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case address := <-o.addresses:
			if err := o.mail(ctx, address); err != nil {
				o.log.Error("mail a sign-in link", "error", err)
			}
		}
	}
}

func (o *SignInMailQueue) mail(ctx context.Context, address string) error {
	token, until, err := o.links.CreateEmailLink(ctx, address)
	if errors.Is(err, signin.ErrUnknownAddress) || errors.Is(err, signin.ErrTooManyLinks) {
		o.log.Info("a sign-in link is not mailed", "reason", err)
		return nil
	}
	if err != nil {
		return err
	}
	return o.mailer.SendLink(ctx, address, SignInLink(o.base, token), until)
}

// SignInLink returns the URL of the page on which a sign-in token can be used. base is the public
// URL of the service.
func SignInLink(base, token string) string { return base + RootPath + "/sign-in/" + token }
