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

// Functions returns the template functions in addition to the site's own.
func Functions() template.FuncMap {
	return template.FuncMap{"disabled": func(reason *string) string { return words.In("disabled", *reason) },
		"says": attemptSays, "some": func(n int64) *int64 { return &n }}
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
	for pattern, r := range map[string]route{
		"GET /partner":                  {do: d.first, open: true},
		"POST /partner/sign-in":         {do: d.askLink, again: d.welcome, open: true},
		"GET /partner/sign-in/{token}":  {do: d.showLink, open: true},
		"POST /partner/sign-in/{token}": {do: d.useLink, open: true},
		"POST /partner/sign-out":        {do: d.signOut, open: true},

		"POST /partner/keys":             {do: d.createKey, again: d.keys},
		"GET /partner/keys/{id}":         {do: d.key},
		"POST /partner/keys/{id}/name":   {do: d.nameKey, again: d.key},
		"POST /partner/keys/{id}/rotate": {do: d.rotateKey, again: d.key},
		"POST /partner/keys/{id}/revoke": {do: d.revokeKey, again: d.key},
		"GET /partner/usage":             {do: d.usage},

		"GET /partner/webhooks":                                       {do: d.webhooks},
		"POST /partner/webhooks":                                      {do: d.createWebhook, again: d.webhooks},
		"GET /partner/webhooks/{id}":                                  {do: d.webhook},
		"POST /partner/webhooks/{id}/change":                          {do: d.changeWebhook, again: d.webhook},
		"POST /partner/webhooks/{id}/rotate":                          {do: d.rotateWebhook, again: d.webhook},
		"POST /partner/webhooks/{id}/delete":                          {do: d.deleteWebhook, again: d.webhook},
		"POST /partner/webhooks/{id}/test":                            {do: d.testWebhook, again: d.webhook},
		"POST /partner/webhooks/{id}/deliveries/{delivery}/redeliver": {do: d.redeliver, again: d.webhook},

		"/": {do: func(*request) error { return errNoPage }, open: true},
	} {
		mux.Handle(pattern, d.handle(r))
	}
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(d.handle(route{do: func(*request) error { return errForeign }, open: true}))
	guarded := cross.Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		guarded.ServeHTTP(w, r)
	})
}

type action func(*request) error

// route is what answers the requests of a pattern.
type route struct {
	do    action
	again action // shows the page that the request came from, where it is refused
	open  bool   // whether it needs no session
}

type request struct {
	*http.Request
	w       http.ResponseWriter
	by      signin.Session // empty without a session
	status  int            // of the page that is shown
	refused error          // why what was asked is not done; nil = it is
	fault   string         // the same in words
}

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
func (d *handler) page(v *request, name, title, here string, body any) error {
	p := view{Partner: v.by.PartnerName, Fault: v.fault, Body: body}
	if v.fault == "" {
		p.Note = words.In("done", v.URL.Query().Get("done"))
	}
	if p.Partner != "" {
		for _, t := range words.List("tab") {
			p.Tabs = append(p.Tabs, tab{t.Name, t.Value, t.Value == here})
		}
	}
	d.show(v.w, v.Request, Page{Template: name, Title: title, Status: v.status, Data: p})
	return nil
}

// done leads to an address after something was done there; err is why it was not.
func (v *request) done(err error, to, what string) error {
	if err == nil {
		http.Redirect(v.w, v.Request, to+"?done="+what, http.StatusSeeOther)
	}
	return err
}

// handle finds the session, where one is needed, and makes a page of an error.
func (d *handler) handle(to route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &request{Request: r, w: w, status: http.StatusOK}
		err := d.identify(v)
		if errors.Is(err, signin.ErrNoSession) {
			if err = nil; !to.open {
				http.Redirect(w, r, Root, http.StatusSeeOther)
				return
			}
		}
		if err == nil {
			err = d.may(v, to)
		}
		if err == nil {
			err = to.do(v)
		}
		if known := refusalOf(err); err != nil && known.title == "" && to.again != nil {
			v.refused, v.status, v.fault = err, known.status, known.words
			err = to.again(v)
		}
		if err != nil {
			d.failed(v, err)
		}
	})
}

// may reports what stands against a request: a form that cannot be read, or webhooks that
// are not granted.
func (d *handler) may(v *request, to route) error {
	if err := v.ParseForm(); err != nil {
		return fmt.Errorf("%w: %w", errForm, err)
	}
	if to.open || !strings.HasPrefix(v.URL.Path, hooksRoot) {
		return nil
	}
	may, err := d.Keys.MayManageWebhooks(v.Context(), v.by.PartnerID)
	if err == nil && !may {
		err = errNoHooks
	}
	return err
}

// failed is the page of an error. What is inside goes to the log only.
func (d *handler) failed(v *request, err error) {
	r, here := refusalOf(err), ""
	if r.err == nil {
		d.Log.Error("partner page", "route", v.Pattern, "error", err)
	}
	if errors.Is(err, errNoHooks) {
		here = hooksRoot
	}
	v.status = r.status
	d.page(v, "refused", r.title, here, r.words)
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
