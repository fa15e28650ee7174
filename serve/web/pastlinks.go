package web

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// keepSnapshot returns an HTML page that shows an earlier snapshot, with the parameter snapshot
// added to its internal links and forms. So the visitor stays in that snapshot. A link that is
// marked with data-current, and a link to something that is of no snapshot, is left unchanged. id is
// the id of the earlier snapshot.
//
// This is done once for the whole page, so that no template can forget it.
func (s *Site) keepSnapshot(page, id string) string {
	var kept strings.Builder
	z := html.NewTokenizer(strings.NewReader(page))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		text := string(z.Raw())
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			kept.WriteString(text)
			continue
		}
		kept.WriteString(s.keepInTag(text, id))
		if name, _ := z.TagName(); string(name) == "form" {
			kept.WriteString(`<input type="hidden" name="snapshot" value="` + id + `">`)
		}
	}
	return kept.String()
}

// keepInTag returns a start tag with the parameter snapshot added to its internal link. All other
// bytes of the tag stay as the template wrote them.
func (s *Site) keepInTag(tag, id string) string {
	if strings.Contains(tag, " data-current ") {
		return tag
	}
	for _, attribute := range []string{` href="`, ` data-link="`} {
		before, rest, found := strings.Cut(tag, attribute)
		value, after, _ := strings.Cut(rest, `"`)
		isInternal := strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//")
		if found && isInternal {
			address := s.ofSnapshot(html.UnescapeString(value), id)
			tag = before + attribute + html.EscapeString(address) + `"` + after
		}
	}
	return tag
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
