package web

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"strings"
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

// favicon leads browsers that look for it to the icon.
func (s *Site) favicon(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, s.asset("icon.svg"), http.StatusFound)
}

// siteMap is the pages that do not depend on filters.
type siteMap struct {
	XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []siteURL `xml:"url"`
}

type siteURL struct {
	Loc string `xml:"loc"`
}

func (s *Site) sitemap(w http.ResponseWriter, r *http.Request) {
	base := baseOf(r)
	var m siteMap
	for _, p := range s.pages() {
		path := strings.TrimSuffix(strings.TrimPrefix(p.pattern, "GET "), "{$}")
		if !strings.Contains(path, "{") {
			m.URLs = append(m.URLs, siteURL{base + path})
		}
	}
	if snapshot, release, err := s.Live.Acquire(); err == nil {
		defer release()
		for _, n := range snapshot.Named(api.Places) {
			m.URLs = append(m.URLs, siteURL{base + "/places/" + url.PathEscape(n.Value)})
		}
		for _, n := range snapshot.Named(api.Skills) {
			m.URLs = append(m.URLs, siteURL{base + "/skills/" + url.PathEscape(n.Value)})
		}
	}
	plain(w, "application/xml; charset=utf-8")
	fmt.Fprint(w, xml.Header)
	if err := xml.NewEncoder(w).Encode(m); err != nil {
		s.Log.Info("site map", "error", err) // whoever asked may be gone
	}
}

// plain sets the headers of a small file.
func plain(w http.ResponseWriter, kind string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", serve.PublicCache)
}

// feedEntries is how many days of publication the feed has.
const feedEntries = 20

// atomFeed is the publications as a feed reader takes them.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Summary string   `xml:"summary"`
}

// feed answers the publications, one for each day, however many snapshots the day has: its
// identifier and time stay the same, so that a reader shows it once.
func (s *Site) feed(w http.ResponseWriter, r *http.Request) {
	base := baseOf(r)
	f := atomFeed{ID: base + "/snapshots", Title: "Labour market data: publications", Author: "Labour market data",
		Links: []atomLink{{"self", base + "/snapshots.atom"}, {"alternate", base + "/snapshots"}}, Updated: atomTime(s.Now())}
	days, err := s.publishedDays()
	if err != nil {
		s.Log.Error("feed of the publications", "error", err)
		http.Error(w, "The list of publications cannot be read.", http.StatusInternalServerError)
		return
	}
	for i, e := range days {
		asOf := e.Manifest.AsOf.Time
		if i == 0 {
			f.Author, f.Updated = e.Manifest.PlatformName, atomTime(asOf)
		}
		f.Entries = append(f.Entries, atomEntry{ID: base + "/snapshots#" + asOf.Format(time.DateOnly), Title: "Data as of " + asOf.Format("2 January 2006"),
			Updated: atomTime(asOf), Link: atomLink{"alternate", base + "/snapshots/" + string(e.ID)},
			Summary: "A new publication of " + e.Manifest.PlatformName + ". What changed: " + base + "/snapshots/" + string(e.ID) + "/changes"})
	}
	plain(w, "application/atom+xml; charset=utf-8")
	fmt.Fprint(w, xml.Header)
	if err := xml.NewEncoder(w).Encode(f); err != nil {
		s.Log.Info("feed of the publications", "error", err) // whoever asked may be gone
	}
}

func atomTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

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
