package dashboard

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"labour/serve/partners/signin"
)

// cookieName is the name of the session cookie. Because it begins with __Host-, browsers accept the
// cookie only over TLS and send it only to this host.
const cookieName = "__Host-labour-partner"

// cookie returns the session cookie for a token. If the token is empty, the browser deletes the
// cookie.
func cookie(token string) *http.Cookie {
	c := &http.Cookie{Name: cookieName, Value: token, Path: "/", MaxAge: int(signin.MaxSessionAge.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if token == "" {
		c.MaxAge = -1
	}
	return c
}

// identify finds the session that belongs to the request's cookie. The error wraps
// signin.ErrNoSession if there is none.
func (d *handler) identify(v *request) (err error) {
	c, err := v.Cookie(cookieName)
	if err != nil || c.Value == "" {
		return signin.ErrNoSession
	}
	v.by, err = d.Signin.FindSession(v.Context(), c.Value)
	return err
}

// first shows the start page: the partner's API keys or, without a session, the sign-in form.
func (d *handler) first(v *request) error {
	if v.by.PartnerID != "" {
		return d.keys(v)
	}
	return d.welcome(v)
}

func (d *handler) welcome(v *request) error {
	return d.page(v, "welcome", "Your keys, usage and webhooks", "", d.LinkMails != nil)
}

// askLink requests an e-mail with a sign-in link for the submitted address. The response is the
// same whether or not the address belongs to a partner.
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

// showLink shows the page of a sign-in link, with a button to sign in. Only the button uses up the
// link, because mail scanners open links too.
func (d *handler) showLink(v *request) error {
	if err := d.Signin.CheckLink(v.Context(), v.PathValue("token")); err != nil {
		return err
	}
	return d.page(v, "signin", "Sign in", "", v.URL.Path)
}

// useLink uses up a sign-in link and starts a session. It ends the browser's previous session, if
// there is one.
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

// Mailer sends sign-in links by e-mail. *mail.Sender implements it.
type Mailer interface {
	// SendLink sends a sign-in link to an e-mail address; until is the time when the link expires.
	SendLink(ctx context.Context, to, link string, until time.Time) error
}

// SignInMailQueue sends sign-in links by e-mail in the background. The response time of a request
// therefore does not disclose whether an address belongs to a partner.
type SignInMailQueue struct {
	links     *signin.Store
	mailer    Mailer
	base      string
	log       *slog.Logger
	addresses chan string
}

// maxWaiting is the largest number of addresses in the queue for sign-in links. RequestLink ignores
// further requests while the queue is full.
const maxWaiting = 64

// NewSignInMailQueue returns an empty queue. base is the public URL of the service, such as
// "https://example.org".
func NewSignInMailQueue(links *signin.Store, mailer Mailer, base string, log *slog.Logger) *SignInMailQueue {
	return &SignInMailQueue{links: links, mailer: mailer, base: base, log: log, addresses: make(chan string, maxWaiting)}
}

// RequestLink adds an e-mail address to the queue. If the address belongs to a partner, Run sends a
// sign-in link to it. RequestLink does nothing if the queue is full.
func (o *SignInMailQueue) RequestLink(address string) {
	select {
	case o.addresses <- address:
	default:
		o.log.Warn("a sign-in link is not mailed: too many were asked for at once")
	}
}

// Run sends sign-in links to the addresses in the queue until ctx ends.
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

// SignInLink returns the sign-in link for a token. base is the public URL of the service.
func SignInLink(base, token string) string { return base + RootPath + "/sign-in/" + token }
