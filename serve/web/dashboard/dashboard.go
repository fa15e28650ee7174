// Package dashboard is the pages on which a partner looks after its own keys,
// webhooks and usage. It signs in with a one-time link (package signin); every page
// but the signing in needs a session, and whatever belongs to another partner does
// not exist for it.
//
// The session's cookie is sent over TLS only (browsers take loopback for safe), is
// out of reach of scripts and is not sent with forms of other sites. Requests that
// change something and come from another origin are refused by
// net/http.CrossOriginProtection. No page is kept by a browser or a proxy: a secret
// is on the page that made it and nowhere else.
package dashboard

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"labour/serve/access"
	"labour/serve/api"
	"labour/serve/signin"
	"labour/serve/usage"
	"labour/serve/web/words"
	"labour/serve/webhooks"
)

//go:embed templates
var files embed.FS

// Templates are the pages' templates: below templates/parts what they share, else
// one "main" each. They use the functions of the site and those of Functions.
func Templates() fs.FS { return files }

// Functions are what the templates call beside the site's own functions.
func Functions() template.FuncMap {
	return template.FuncMap{"disabled": func(reason *string) string { return words.In("disabled", *reason) }, "says": attemptSays, "some": func(n int64) *int64 { return &n }}
}

// Options is what the pages need. All of it is required but Outbox.
type Options struct {
	Keys     *access.Store
	Signin   *signin.Store
	Tally    *usage.Tally
	Webhooks *webhooks.Service
	Outbox   *Outbox // mails sign-in links to who asks for one; nil = nobody does
	Now      func() time.Time
	Log      *slog.Logger
}

// Page is what the site draws within its frame.
type Page struct {
	Template string // name of a file of Templates, without .html
	Title    string
	Status   int
	Data     any
}

// Show draws a page.
type Show func(w http.ResponseWriter, r *http.Request, p Page)

// Root is the address of the first page; all others are below it.
const Root = "/partner"

type handler struct {
	Options
	show Show
}

// maxForm bounds what a form may send, in bytes.
const maxForm = 64 << 10

// New makes the handler of everything at and below Root.
func New(o Options, show Show) http.Handler {
	d := &handler{Options: o, show: show}
	mux := http.NewServeMux()
	for pattern, f := range map[string]action{ // what needs no session
		"GET /partner":                  d.first,
		"POST /partner/sign-in":         d.askLink,
		"GET /partner/sign-in/{token}":  d.showLink,
		"POST /partner/sign-in/{token}": d.useLink,
		"POST /partner/sign-out":        d.signOut,
	} {
		mux.Handle(pattern, d.handle(f, false))
	}
	for pattern, f := range map[string]action{
		"POST /partner/keys":             d.createKey,
		"GET /partner/keys/{id}":         d.key,
		"POST /partner/keys/{id}/name":   d.nameKey,
		"POST /partner/keys/{id}/rotate": d.rotateKey,
		"POST /partner/keys/{id}/revoke": d.revokeKey,
		"GET /partner/usage":             d.usage,

		"GET /partner/webhooks":                                       d.requireWebhooks(d.webhooks),
		"POST /partner/webhooks":                                      d.requireWebhooks(d.createWebhook),
		"GET /partner/webhooks/{id}":                                  d.requireWebhooks(d.webhook),
		"POST /partner/webhooks/{id}/change":                          d.requireWebhooks(d.changeWebhook),
		"POST /partner/webhooks/{id}/rotate":                          d.requireWebhooks(d.rotateWebhook),
		"POST /partner/webhooks/{id}/delete":                          d.requireWebhooks(d.deleteWebhook),
		"POST /partner/webhooks/{id}/test":                            d.requireWebhooks(d.testWebhook),
		"POST /partner/webhooks/{id}/deliveries/{delivery}/redeliver": d.requireWebhooks(d.redeliver),
	} {
		mux.Handle(pattern, d.handle(f, true))
	}
	mux.Handle("/", d.handle(func(*request) error { return errNoPage }, false))
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(d.handle(func(*request) error { return errForeign }, false))
	guarded := cross.Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		guarded.ServeHTTP(w, r)
	})
}

// action answers a request.
type action func(*request) error

type request struct {
	*http.Request
	w  http.ResponseWriter
	by signin.Session // empty without a session
}

// view is the data of every page.
type view struct {
	Partner string // empty without a session
	Tabs    []tab
	Note    string // what was just done
	Fault   string // why it was not
	Body    any
}

type tab struct {
	Name, URL string
	Here      bool
}

// page draws a page of a partner. Its tab is that of the address.
func (d *handler) page(v *request, name, title, here string, status int, fault string, body any) error {
	p := view{Partner: v.by.PartnerName, Note: words.In("done", v.URL.Query().Get("done")), Fault: fault, Body: body}
	if fault != "" {
		p.Note = ""
	}
	if p.Partner != "" {
		p.Tabs = []tab{{Name: "Keys", URL: Root}, {Name: "Usage", URL: Root + "/usage"}, {Name: "Webhooks", URL: Root + "/webhooks"}}
		for i := range p.Tabs {
			p.Tabs[i].Here = p.Tabs[i].URL == here
		}
	}
	d.show(v.w, v.Request, Page{Template: name, Title: title, Status: status, Data: p})
	return nil
}

// done leads to an address after something was done there.
func (v *request) done(to, what string) error {
	http.Redirect(v.w, v.Request, to+"?done="+what, http.StatusSeeOther)
	return nil
}

var (
	errNoPage  = errors.New("there is no such page")
	errForeign = errors.New("a request from another site")
	errForm    = errors.New("a form that cannot be read")
	errNoHooks = errors.New("webhooks are not granted")
)

// handle finds the session, where one is needed, and makes a page of an error.
func (d *handler) handle(f action, session bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &request{Request: r, w: w}
		err := d.identify(v)
		switch {
		case errors.Is(err, signin.ErrNoSession) && session:
			http.Redirect(w, r, Root, http.StatusSeeOther)
			return
		case errors.Is(err, signin.ErrNoSession), err == nil:
			if err = r.ParseForm(); err == nil {
				err = f(v)
			} else {
				err = fmt.Errorf("%w: %w", errForm, err)
			}
		}
		if err != nil {
			d.failed(v, err)
		}
	})
}

// failed is the page of an error. What is inside goes to the log only.
func (d *handler) failed(v *request, err error) {
	status, title, words := http.StatusInternalServerError, "Something went wrong", "This could not be done. Please try again; if it stays so, tell the operator when it happened."
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errNoPage), errors.Is(err, access.ErrNoKey), errors.Is(err, webhooks.ErrNotFound):
		status, title, words = http.StatusNotFound, "There is no such page", "The address may be mistyped, or what was there is deleted."
	case errors.Is(err, errForeign):
		status, title, words = http.StatusForbidden, "Refused", "This request came from another site, so nothing was done. Go back to your pages and try there."
	case errors.Is(err, errNoHooks):
		status, title, words = http.StatusForbidden, "Webhooks are not granted yet", "Ask the operator for the scope webhooks:manage. Once it is granted, your endpoints are set up here."
	case errors.As(err, &tooLarge):
		status, title, words = http.StatusRequestEntityTooLarge, "Too much at once", "The form holds more than can be taken."
	case errors.Is(err, errForm):
		status, title, words = http.StatusBadRequest, "Not understood", "The form could not be read. Go back and send it again."
	default:
		d.Log.Error("partner page", "route", v.Pattern, "error", err)
	}
	here := ""
	if errors.Is(err, errNoHooks) {
		here = Root + "/webhooks"
	}
	d.page(v, "refused", title, here, status, "", words)
}

func describe(a access.Allowance) string {
	if a.Monthly == 0 {
		return words.Number(a.Hourly) + " calls an hour"
	}
	return fmt.Sprintf("%s calls an hour, %s a month", words.Number(a.Hourly), words.Number(a.Monthly))
}

// attemptSays is what came of an attempt. Without a fault the status was a good one.
func attemptSays(a api.WebhookAttempt) string {
	fault, status := "", ""
	if a.Fault != nil {
		fault = *a.Fault
	}
	if a.HTTPStatus != nil {
		status = strconv.Itoa(*a.HTTPStatus)
	}
	said := cmp.Or(words.In("fault", fault), "the network failed on the way")
	return strings.ReplaceAll(said, "%d", status)
}
