// Package dashboard has the pages on which a partner manages its own keys, webhooks and usage. A
// partner signs in with a one-time link (package signin). Every page except the sign-in needs a
// session, and a partner gets "not found" for anything of another partner.
//
// The session's cookie is sent only over TLS (browsers treat loopback as secure), is hidden from
// scripts and is not sent with forms of other sites. net/http.CrossOriginProtection refuses
// requests that change something and come from another origin. No page is cached by a browser or a
// proxy: a secret is only on the page that made it.
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

	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/serve/partners/signin"
	"labour/serve/partners/usage"
	"labour/serve/web/words"
	"labour/serve/webhooks"
)

//go:embed templates
var files embed.FS

// Templates returns the pages' templates: shared parts below templates/parts, and one "main" for
// each page. They use the functions of the site and those of Functions.
func Templates() fs.FS { return files }

// Functions returns the template functions in addition to the site's own.
func Functions() template.FuncMap {
	return template.FuncMap{"disabled": func(reason *string) string { return words.In("disabled", *reason) },
		"says": attemptSays, "some": func(n int64) *int64 { return &n }}
}

// Options are the options of the pages. All fields except Outbox are required.
type Options struct {
	Keys     *access.Store
	Signin   *signin.Store
	Usage    *usage.Reader
	Webhooks *webhooks.Service
	Outbox   *Outbox // mails sign-in links on request; nil = no mail
	Now      func() time.Time
	Log      *slog.Logger
}

// Page is a page that the site renders within its frame.
type Page struct {
	Template string // name of a file of Templates, without .html
	Title    string
	Status   int
	Data     any
}

// Show renders a page.
type Show func(w http.ResponseWriter, r *http.Request, p Page)

// Root is the address of the first page; all others are below it.
const Root = "/partner"

type handler struct {
	Options
	show Show
}

// maxForm bounds the size of a form, in bytes.
const maxForm = 64 << 10

// New returns the handler of Root and everything below it.
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

// route is a pattern with its actions.
type route struct {
	do    action
	again action // shows the page that the request came from, if the action is refused
	open  bool   // whether it needs no session
}

type request struct {
	*http.Request
	w       http.ResponseWriter
	by      signin.Session // empty without a session
	status  int            // status of the page
	refused error          // why the request was refused; nil = it was not
	fault   string         // the same in words
}

type view struct {
	Partner string // empty without a session
	Tabs    []tab
	Note    string // the action just completed
	Fault   string // why it was refused
	Body    any
}

type tab struct {
	Name, URL string
	Here      bool
}

// handle finds the session, if one is needed, and turns an error into a page.
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

// may returns an error if a request must be refused: its form cannot be read, or the partner may
// not manage webhooks.
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

// failed shows the page for an error. Internal details are only logged.
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

// attemptSays describes the result of an attempt. An attempt without a fault succeeded.
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
