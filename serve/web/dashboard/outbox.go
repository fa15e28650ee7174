package dashboard

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"labour/serve/signin"
)

// Mailer sends a sign-in link to an address; *mail.Box is the real one. The link
// may be used until a time.
type Mailer interface {
	SendLink(ctx context.Context, to, link string, until time.Time) error
}

// Outbox mails sign-in links beside the answers, so that how long an answer takes
// does not tell whether an address is a partner's.
type Outbox struct {
	links  *signin.Store
	mailer Mailer
	base   string
	log    *slog.Logger
	asked  chan string
}

// maxAsked bounds the addresses that wait; more are left out.
const maxAsked = 64

// NewOutbox makes an outbox. base is the address of the service as partners reach
// it, without a slash at its end: what a request says its host is cannot be trusted
// in a mail.
func NewOutbox(links *signin.Store, mailer Mailer, base string, log *slog.Logger) *Outbox {
	return &Outbox{links: links, mailer: mailer, base: base, log: log, asked: make(chan string, maxAsked)}
}

// Ask has a link mailed to an address if it is a partner's.
func (o *Outbox) Ask(address string) {
	select {
	case o.asked <- address:
	default:
		o.log.Warn("a sign-in link is not mailed: too many were asked for at once")
	}
}

// Run mails until ctx ends.
func (o *Outbox) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case address := <-o.asked:
			if err := o.mail(ctx, address); err != nil {
				o.log.Error("mail a sign-in link", "error", err)
			}
		}
	}
}

func (o *Outbox) mail(ctx context.Context, address string) error {
	token, until, err := o.links.LinkFor(ctx, address)
	if errors.Is(err, signin.ErrNoLink) || errors.Is(err, signin.ErrTooOften) {
		o.log.Info("a sign-in link is not mailed", "reason", err)
		return nil
	}
	if err != nil {
		return err
	}
	return o.mailer.SendLink(ctx, address, Link(o.base, token), until)
}

// Link is the address of the page that a sign-in token opens.
func Link(base, token string) string { return base + Root + "/sign-in/" + token }
