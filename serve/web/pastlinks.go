package web

import (
	"html"
	"net/url"
	"regexp"
	"strings"
)

var (
	// internalLink matches a link to an address of this site, as the templates write it. The first group
	// is the mark of the link to the current figures, and the last group is the address.
	internalLink = regexp.MustCompile(`( data-current)?( href| data-link)="(/(?:[^/"][^"]*)?)"`)
	// openingForm matches the opening tag of a form.
	openingForm = regexp.MustCompile(`<form [^>]*>`)
)

// keepSnapshot returns an HTML page that shows an earlier snapshot, with the parameter snapshot
// added to its internal links and forms. So the visitor stays in that snapshot. A link that is
// marked with data-current, and a link to something that is of no snapshot, is left unchanged. id is
// the id of the earlier snapshot.
//
// This is done once for the whole page, so that no template can forget it.
func (s *Site) keepSnapshot(page, id string) string {
	page = internalLink.ReplaceAllStringFunc(page, func(attribute string) string {
		part := internalLink.FindStringSubmatch(attribute)
		if part[1] != "" {
			return attribute
		}
		return part[2] + `="` + html.EscapeString(s.ofSnapshot(html.UnescapeString(part[3]), id)) + `"`
	})
	return openingForm.ReplaceAllString(page, `$0<input type="hidden" name="snapshot" value="`+id+`">`)
}

// ofSnapshot returns an address of this site with the parameter snapshot set to id. It returns the
// address unchanged if it already selects a snapshot, or if it cannot select one.
func (s *Site) ofSnapshot(address, id string) string {
	before, fragment, hasFragment := strings.Cut(address, "#")
	path, query, hasQuery := strings.Cut(before, "?")
	q, err := url.ParseQuery(query)
	if err != nil || q.Has("snapshot") || !s.snapshotSections[section(path)] {
		return address
	}
	separator := "?"
	if hasQuery {
		separator = "&"
	}
	// The address is not encoded again: {place} in it is replaced in the browser.
	before += separator + "snapshot=" + url.QueryEscape(id)
	if hasFragment {
		before += "#" + fragment
	}
	return before
}

// datedSections returns the sections of the site whose addresses select a snapshot with the
// parameter snapshot: the pages of figures, and the files made of figures.
func (s *Site) datedSections() map[string]bool {
	dated := map[string]bool{}
	for _, path := range []string{"/csv/", "/xlsx/", workbookRoot, "/plan.csv", "/changes.csv"} {
		dated[section(path)] = true
	}
	for _, p := range s.pages() {
		if p.asks {
			dated[section(strings.TrimSuffix(strings.TrimPrefix(p.pattern, "GET "), "{$}"))] = true
		}
	}
	return dated
}

// section returns the first part of a path of this site, such as "skills" of "/skills/sql". It is
// empty for the home page.
func section(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
