package web

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// keepSnapshot returns an HTML page in which internal links and forms have the parameter snapshot.
// Thus a visitor who views an earlier snapshot stays in it. id is the ID of that snapshot. A link
// with the attribute data-current is not changed, nor is a link that cannot select a snapshot.
//
// The whole page is changed at once, so that no template can forget the parameter.
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

// keepInTag adds the parameter snapshot to the internal link in a start tag. It does not change
// anything else in the tag.
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

// ofSnapshot returns an address of this site with the parameter snapshot set to id. It does not
// change an address that already selects a snapshot or cannot select one.
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

// datedSections returns the sections of the site whose pages exist for each snapshot. The parameter
// `snapshot` of their addresses selects one.
func (s *Site) datedSections() map[string]bool {
	dated := map[string]bool{}
	for _, path := range []string{"/csv/", "/xlsx/", workbookRoot, "/plan.csv", "/changes.csv"} {
		dated[section(path)] = true
	}
	for _, p := range s.pages() {
		if p.queries {
			dated[section(strings.TrimSuffix(strings.TrimPrefix(p.pattern, "GET "), "{$}"))] = true
		}
	}
	return dated
}

// section returns the first element of a path of this site, such as "skills" for "/skills/sql". It
// returns "" for the home page.
func section(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
