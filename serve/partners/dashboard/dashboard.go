// Package dashboard serves the web pages on which a partner manages its keys and webhooks and sees
// its usage. A partner signs in with a one-time link (package signin). Every page except the
// sign-in needs a session. A partner gets "not found" for a key or endpoint of another partner.
//
// The session's cookie is sent only over TLS, is hidden from scripts and is not sent with forms of
// other sites. net/http.CrossOriginProtection refuses changes requested from another origin. No
// page may be cached, because some pages show a secret.
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

// files has the HTML templates of the partner pages.
//
//go:embed templates
var files embed.FS

// Templates returns the HTML templates of the partner pages. All pages share the templates in
// templates/parts. Each other file defines the template "main" of one page.
func Templates() fs.FS { return files }

// TemplateFunctions returns the template functions that only the partner pages use. The keys of the
// map are the names of the functions.
func TemplateFunctions() template.FuncMap {
	return template.FuncMap{"disabled": func(reason *string) string { return words.DisplayName("disabled", *reason) },
		"says": describeAttempt, "some": func(n int64) *int64 { return &n }}
}

// Options configures the partner pages. All fields are required, except for LinkMails.
type Options struct {
	Keys      *access.Store
	Signin    *signin.Store
	Usage     *usage.Reader
	Webhooks  *webhooks.Service
	LinkMails *SignInMailQueue // mails sign-in links that partners request; nil = links are not mailed
	Now       func() time.Time
	Log       *slog.Logger
}

// Page is the content of one partner page. The site adds its layout, such as header and footer.
type Page struct {
	Template string // name of a template file, without .html
	Title    string
	Status   int
	Data     any
}

// RenderPage is a function that sends a partner page in the layout of the site.
type RenderPage func(w http.ResponseWriter, r *http.Request, p Page)

// RootPath is the path of the start page for partners. The paths of all partner pages begin with
// it.
const RootPath = "/partner"

type handler struct {
	Options
	show RenderPage
}

// maxForm is the size limit of a submitted form, in bytes.
const maxForm = 64 << 10

// New returns an HTTP handler of all partner pages, at RootPath and below. It calls show to send a
// page.
func New(o Options, show RenderPage) http.Handler {
	d := &handler{Options: o, show: show}
	mux := http.NewServeMux()
	for pattern, r := range map[string]route{
		"GET /partner":                  {do: d.first, open: true},
		"POST /partner/sign-in":         {do: d.askLink, redisplay: d.welcome, open: true},
		"GET /partner/sign-in/{token}":  {do: d.showLink, open: true},
		"POST /partner/sign-in/{token}": {do: d.useLink, open: true},
		"POST /partner/sign-out":        {do: d.signOut, open: true},

		"POST /partner/keys":             {do: d.createKey, redisplay: d.keys},
		"GET /partner/keys/{id}":         {do: d.key},
		"POST /partner/keys/{id}/name":   {do: d.nameKey, redisplay: d.key},
		"POST /partner/keys/{id}/rotate": {do: d.rotateKey, redisplay: d.key},
		"POST /partner/keys/{id}/revoke": {do: d.revokeKey, redisplay: d.key},
		"GET /partner/usage":             {do: d.usage},

		"GET /partner/webhooks":                                       {do: d.webhooks},
		"POST /partner/webhooks":                                      {do: d.createWebhook, redisplay: d.webhooks},
		"GET /partner/webhooks/{id}":                                  {do: d.webhook},
		"POST /partner/webhooks/{id}/change":                          {do: d.changeWebhook, redisplay: d.webhook},
		"POST /partner/webhooks/{id}/rotate":                          {do: d.rotateWebhook, redisplay: d.webhook},
		"POST /partner/webhooks/{id}/delete":                          {do: d.deleteWebhook, redisplay: d.webhook},
		"POST /partner/webhooks/{id}/test":                            {do: d.testWebhook, redisplay: d.webhook},
		"POST /partner/webhooks/{id}/deliveries/{delivery}/redeliver": {do: d.redeliver, redisplay: d.webhook},

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

// route defines how the partner pages handle one path pattern with one HTTP method.
type route struct {
	do action
	// shows the form a second time if the action is refused; nil = an error page is shown
	redisplay action
	open      bool // whether the route works for visitors who are not signed in
}

type request struct {
	*http.Request
	w           http.ResponseWriter
	by          signin.Session // session of the signed-in partner; empty without one
	status      int            // HTTP status of the response
	actionError error          // error for which the action was refused; nil if it was not
	fault       string         // message for the user that explains the refusal
}

type view struct {
	Partner string // name of the signed-in partner; empty without a session
	Tabs    []tab
	Note    string // message that the last action is completed
	Fault   string // message that explains why the last action was refused
	Body    any
}

type tab struct {
	Name, URL string
	Here      bool
}

// handle returns the HTTP handler of a route. The handler identifies the partner, runs the action
// and shows an error as a page.
func (d *handler) handle(to route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &request{Request: r, w: w, status: http.StatusOK}
		err := d.identify(v)
		if errors.Is(err, signin.ErrNoSession) {
			if err = nil; !to.open {
				http.Redirect(w, r, RootPath, http.StatusSeeOther)
				return
			}
		}
		if err == nil {
			err = d.checkRequest(v, to)
		}
		if err == nil {
			err = to.do(v)
		}
		if err != nil {
			d.answerError(v, to, err)
		}
	})
}

// answerError shows an error on the page with the form, if it belongs there, and else as an error
// page.
func (d *handler) answerError(v *request, to route, err error) {
	if r := refusalOf(err); r.title == "" && to.redisplay != nil {
		v.actionError = err
		v.status = r.status
		v.fault = r.words
		err = to.redisplay(v)
	}
	if err != nil {
		d.showError(v, err)
	}
}

// checkRequest returns an error if the submitted form cannot be read. It also returns an error if
// the request is for webhooks and the partner may not manage webhooks.
func (d *handler) checkRequest(v *request, to route) error {
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

// showError sends an error page. The details of internal errors are logged and not shown.
func (d *handler) showError(v *request, err error) {
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

// describeAttempt returns a sentence about the result of one attempt to deliver a webhook, such as
// its HTTP status.
func describeAttempt(a api.WebhookAttempt) string {
	fault, status := "", ""
	if a.Fault != nil {
		fault = *a.Fault
	}
	if a.HTTPStatus != nil {
		status = strconv.Itoa(*a.HTTPStatus)
	}
	said := cmp.Or(words.DisplayName("fault", fault), "the network failed on the way")
	return strings.ReplaceAll(said, "%d", status)
}
