package web

import (
	"embed"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"text/template"
	"time"

	"labour/serve"
	"labour/serve/api"
	"labour/snapshots"
)

// toFind leads from the former address of the search to its present one.
func (s *Site) toFind(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, address("/find", url.Values{"q": {r.URL.Query().Get("q")}}), http.StatusMovedPermanently)
}

// robots lets search engines take the pages; each combination of filters is one, so they
// take those that the site map lists.
func (s *Site) robots(w http.ResponseWriter, r *http.Request) {
	plain(w, "text/plain; charset=utf-8")
	fmt.Fprintf(w, "User-agent: *\nDisallow: /csv/\nDisallow: /xlsx/\nDisallow: /partner\nDisallow: /v1/\nDisallow: /*?\nSitemap: %s/sitemap.xml\n", baseOf(r))
}

// security says whom to tell of a weakness, in the form of RFC 9116. Without a contact
// there is none.
func (s *Site) security(w http.ResponseWriter, r *http.Request) {
	if s.Contact == "" {
		http.NotFound(w, r)
		return
	}
	contact := s.Contact
	if !strings.Contains(contact, "/") {
		contact = "mailto:" + contact
	}
	plain(w, "text/plain; charset=utf-8")
	fmt.Fprintf(w, "Contact: %s\nExpires: %s\nPreferred-Languages: en\n", contact, s.Now().UTC().AddDate(0, 6, 0).Truncate(24*time.Hour).Format(time.RFC3339))
}

// sitemap lists the pages that do not depend on filters.
func (s *Site) sitemap(w http.ResponseWriter, r *http.Request) {
	base := baseOf(r)
	var list []string
	for _, p := range s.pages() {
		if path := strings.TrimSuffix(strings.TrimPrefix(p.pattern, "GET "), "{$}"); !strings.Contains(path, "{") {
			list = append(list, base+path)
		}
	}
	if snapshot, release, err := s.Live.Acquire(); err == nil {
		defer release()
		for _, n := range snapshot.Named(api.Places) {
			list = append(list, base+"/places/"+url.PathEscape(n.Value))
		}
		for _, n := range snapshot.Named(api.Skills) {
			list = append(list, base+"/skills/"+url.PathEscape(n.Value))
		}
	}
	s.writeXML(w, "application/xml", "sitemap.xml", list)
}

//go:embed xml
var xmlFiles embed.FS

func (s *Site) writeXML(w http.ResponseWriter, kind, name string, data any) {
	plain(w, kind+"; charset=utf-8")
	t, err := template.ParseFS(xmlFiles, "xml/"+name)
	if err == nil {
		err = t.Execute(w, data)
	}
	if err != nil {
		s.Log.Info(name, "error", err) // whoever asked may be gone
	}
}

// plain sets the headers of a small file.
func plain(w http.ResponseWriter, kind string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", serve.PublicCache)
}

// feedEntries is how many days of publication the feed has.
const feedEntries = 20

// feed answers the publications, one for each day, however many snapshots the day has: its
// identifier and time stay the same, so that a reader shows it once.
func (s *Site) feed(w http.ResponseWriter, r *http.Request) {
	days, err := s.publishedDays()
	if err != nil {
		s.Log.Error("feed of the publications", "error", err)
		http.Error(w, "The list of publications cannot be read.", http.StatusInternalServerError)
		return
	}
	s.writeXML(w, "application/atom+xml", "feed.xml", map[string]any{"Base": baseOf(r), "Days": days, "Now": s.Now()})
}

// publishedDays returns the newest snapshot of each of the last days that have one which
// was not withdrawn.
func (s *Site) publishedDays() (days []snapshotEntry, err error) {
	ids, err := s.published()
	var last snapshots.ID
	for _, id := range ids {
		if err != nil || len(days) == feedEntries {
			break
		}
		if last != "" && id.Date().Equal(last.Date()) {
			continue
		}
		e, ok, entryErr := s.entry(id)
		if err = entryErr; ok && e.Withdrawn == nil {
			days, last = append(days, e), id
		}
	}
	return days, err
}
