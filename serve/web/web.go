// Package web serves the public web pages: an explorer of the labour market data and the
// documentation of the API. Pages are rendered on the server with html/template from embedded
// files. They need no key and no script, and load nothing from other hosts.
//
// A page runs the same queries as the API, so it can show only figures that the API returns. Below
// its figures, it shows the attribution statements of their sources word for word, the date that
// the figures describe, and the API requests that return them. It also links to the same figures as
// CSV. The page of an occupation also shows careers pathways, which the platform publishes itself,
// and live adverts from sources that permit republishing.
//
// To add a page, write a template under templates that defines "main". Then add the page, with its
// pattern and its function, to Site.pages. The function returns a view. If it records an error, the
// visitor sees an error page with advice instead.
//
// Pages use the parameter names of the API. A value that does not exist is an error. Unknown
// parameters are ignored, because other sites and mail programs add them to links.
package web

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/apidocs"
	"labour/serve/cursor"
	"labour/serve/partners/dashboard"
	"labour/serve/prefixsearch"
	"labour/serve/web/changed"
	"labour/serve/web/words"
	"labour/snapshots"
	"labour/snapshots/store"
)

// Options configures the web pages. A field may be empty only if its comment states what that
// means.
type Options struct {
	Snapshots api.Snapshots     // source of the published snapshots
	Backend   serve.PageBackend // runs queries and downloads within the limits of the API
	Cursors   *cursor.Sealer
	Store     *store.Store // lists the snapshots and gives access to their files
	Now       func() time.Time
	Log       *slog.Logger
	ChangeLog string // change log of the API, in Markdown
	// PublicURL is the public address of the service, such as https://labour.example. If it is empty,
	// pages use the host of the request.
	PublicURL string
	// OperatorContact is the operator's e-mail address or web page, which pages show to visitors; empty =
	// none.
	OperatorContact string
	// OccupationOfTitle returns the SOC 2020 unit group for a job title in everyday words, such as
	// 6135 for carer; nil = job titles cannot be searched.
	OccupationOfTitle func(title string) (soc string, ok bool)
	// MadeUp marks every page and every chart as based on made-up data. They are also marked if the
	// platform, or one of its live adverts, has an address under .example.
	MadeUp bool
	// CheckSignature checks a snapshot's signature. The snapshot's files can be downloaded only if
	// it returns no error. nil = no check.
	CheckSignature func(id snapshots.ID) error

	Dashboard *dashboard.Options // configures the partner dashboard; nil = no dashboard
}

// Site serves the public web pages. It is safe for concurrent use.
type Site struct {
	Options
	// templates of the pages, each with the surrounding frame, by file name
	templates map[string]*template.Template
	changes   template.HTML
	samples   []sample                     // sample programs that verify a webhook message
	callers   []sample                     // sample programs that request data from the API
	documents map[string]prefixsearch.Name // texts of the documentation pages for searches, by name
	version   string                       // hash of the templates and static files, part of entity tags

	// sections of the site whose addresses select a snapshot, see datedSections
	snapshotSections map[string]bool

	catalogue   catalogue
	madeUpCache sync.Map // whether the data of each snapshot is made up, by snapshot id
	changeLists *changeLists
}

// New returns the HTTP handler of the public web pages. It returns an error if a template or
// another embedded file is invalid.
func New(o Options) (http.Handler, error) {
	s := &Site{Options: o}
	var bad [5]error
	s.version, bad[0] = versionOf(files, texts, dashboard.Templates())
	s.changes, bad[1] = renderMarkdown(o.ChangeLog)
	s.samples, bad[2] = readSamples("verify")
	s.callers, bad[3] = readSamples("call")
	s.changeLists, bad[4] = lru.New[snapshots.ID, func() (*changed.Summary, error)](maxCachedChanges)
	if err := errors.Join(append(bad[:], s.readTemplates(), s.readDocuments())...); err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	s.snapshotSections = s.datedSections()
	mux, books := http.NewServeMux(), http.NewServeMux()
	for _, p := range s.pages() {
		mux.Handle(p.pattern, s.handler(p, s.send))
		if p.queries || p.tables {
			books.Handle(p.pattern, s.handler(p, s.sendWorkbook))
		}
	}
	mux.Handle("GET "+workbookRoot+"/", http.StripPrefix(workbookRoot, books))
	for pattern, h := range s.files() {
		mux.Handle(pattern, h)
	}
	if s.Dashboard != nil {
		pages := dashboard.New(*s.Dashboard, s.showPartner)
		mux.Handle(dashboard.RootPath, pages)
		mux.Handle(dashboard.RootPath+"/", pages)
	}
	mux.Handle("/", s.handler(page{pattern: "/", show: s.missing}, s.send))
	return s.withSecurityHeaders(mux), nil
}

func (s *Site) pages() []page {
	list := []page{
		{pattern: "GET /{$}", queries: true, show: s.home},
		{pattern: "GET /skills", queries: true, show: s.skills, cursor: cursorOf[api.SkillsUnmetPosition](skillsPath)},
		{pattern: "GET /skills/{skill}", queries: true, show: s.skill},
		{pattern: "GET /skills/{skill}/chart.svg", queries: true, show: s.chartFile},
		{pattern: "GET " + embedRoot + "skills/{skill}", queries: true, show: s.embedPage},
		{pattern: "GET /places", queries: true, show: s.places},
		{pattern: "GET /places/{place}", queries: true, show: s.place},
		{pattern: "GET /occupations", queries: true, show: s.occupations},
		{pattern: "GET /occupations/{soc}", queries: true, show: s.occupation},
		{pattern: "GET /places/{place}/brief", queries: true, show: s.brief},
		{pattern: "GET /plan", queries: true, show: s.plan},
		{pattern: "GET /find", queries: true, show: s.searchPage},
		{pattern: "GET /changes", queries: true, show: s.changesNow},
		{pattern: "GET /gaps", queries: true, show: s.gaps},
		{pattern: "GET /courses", queries: true, show: s.courses},
		{pattern: "GET /evidence", queries: true, show: s.evidence, cursor: cursorOf[api.EvidencePosition](evidencePath)},
		{pattern: "GET /sources", queries: true, show: s.sources, ofTheMoment: true},
		{pattern: "GET /status", tables: true, show: s.status},
		{pattern: "GET /snapshots", show: s.snapshots},
		{pattern: "GET /snapshots/{id}", show: s.snapshot},
		{pattern: "GET " + apidocs.Path, show: s.apiPage},
	}
	for _, d := range words.List("document") {
		list = append(list,
			page{pattern: "GET " + documentURL(d), show: func(v *request) view { return s.document(v, d) }})
	}
	return list
}

// files returns the handlers of everything that is not a page, such as downloads and redirects. The
// keys are patterns of http.ServeMux.
func (s *Site) files() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{"GET /static/{name}": s.serveAsset,
		"GET /snapshots/{id}/files/{name...}": s.serveFile,
		"GET /snapshots.atom":                 s.feed, "GET /catalog.jsonld": s.catalog,
		"GET /snapshots/{id}/changes.csv": s.changesCSV, "GET /csv/{dataset}": s.download("csv"),
		"GET /csv/whole/skills-unmet": s.wholeList,
		"GET /xlsx/{dataset}":         s.download("xlsx"), "GET /xlsx/whole/skills-unmet": s.download("xlsx"),
		"GET /snapshots/{id}/released.zip": s.releasedZip,
		"GET /skills/find":                 s.toFind, "GET /plan.csv": s.sheet(planCSV),
		"GET /changes.csv": s.sheet(changesOfYear), "GET /regions": s.toPlaces,
		"GET /snapshots/{id}/changes": s.toSnapshot, "GET /robots.txt": s.robots, "GET /sitemap.xml": s.sitemap,
		"GET /.well-known/security.txt": s.security, "GET /favicon.ico": http.RedirectHandler(s.asset("icon.svg"),
			http.StatusFound).ServeHTTP}
}

// sitemap sends sitemap.xml, which lists pages for search engines. It leaves out pages with
// filters.
func (s *Site) sitemap(w http.ResponseWriter, r *http.Request) {
	base := s.baseOf(r)
	var list []string
	for _, p := range s.pages() {
		if path := strings.TrimSuffix(strings.TrimPrefix(p.pattern, "GET "), "{$}"); !strings.Contains(path, "{") {
			list = append(list, base+path)
		}
	}
	if snapshot, release, err := s.Snapshots.Acquire(); err == nil {
		defer release()
		for _, n := range snapshot.NamedValues(api.Places) {
			list = append(list, base+"/places/"+url.PathEscape(n.Value))
		}
		for _, n := range snapshot.NamedValues(api.Skills) {
			list = append(list, base+"/skills/"+url.PathEscape(n.Value))
		}
	}
	s.writeText(w, "application/xml", "sitemap.xml", list)
}

// policy is the Content-Security-Policy of most pages. It permits styles, scripts and images from
// this host only. It forbids inline styles and scripts.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func (s *Site) withSecurityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		switch {
		case strings.HasPrefix(r.URL.Path, embedRoot):
			h.Set("Content-Security-Policy", framePolicy)
		case r.URL.Path == apidocs.Path:
			h.Set("Content-Security-Policy", apiPolicy)
		}
		if s.PublicURL == "" { // pages then use the scheme that the proxy names
			h.Add("Vary", "X-Forwarded-Proto")
		}
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !crossOrigin(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// readTemplates parses the templates of all pages. Each page has the same header and footer, and
// may use shared parts.
func (s *Site) readTemplates() error {
	s.templates = map[string]*template.Template{}
	frame, err := template.New("frame.html").Funcs(s.functions()).Funcs(dashboard.TemplateFunctions()).ParseFS(files,
		"templates/frame.html", "templates/parts/*.html")
	if err == nil {
		frame, err = frame.ParseFS(dashboard.Templates(), "templates/parts/*.html")
	}
	if err != nil {
		return err
	}
	return errors.Join(s.readPages(frame, files, ""), s.readPages(frame, dashboard.Templates(), partnerPages))
}

// readPages parses the page templates in from, and adds the frame (header and footer) to each. The
// name of a page's template is prefix, followed by the path of its file.
func (s *Site) readPages(frame *template.Template, from fs.FS, prefix string) error {
	return fs.WalkDir(from, "templates", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if isPart := path.Base(name) == "frame.html" || strings.Contains(name, "/parts/"); isPart {
			return nil
		}
		page := prefix + strings.TrimSuffix(strings.TrimPrefix(name, "templates/"), ".html")
		if s.templates[page], err = frame.Clone(); err == nil {
			_, err = s.templates[page].ParseFS(from, name)
		}
		return err
	})
}
