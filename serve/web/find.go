package web

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/prefixsearch"
	"labour/serve/web/words"
)

type findView struct {
	Words   string
	Groups  []findGroup
	Nearest []link // where nothing has the words
	Letters []findGroup
}

// findGroup is what was found of one kind, or the skills of a letter.
type findGroup struct {
	Name  string
	Links []foundLink
	More  int // that are not listed
}

// foundLink is something found, and the wording that has the words where its name has not.
type foundLink struct{ Name, URL, As string }

const mostFound = 12

// searchPage searches skills, places, occupations, subjects and documents. Without words it
// lists the skills by letter.
func (s *Site) searchPage(v *request) view {
	asked, status := strings.TrimSpace(clip(v.URL.Query().Get("q"))), 0
	d := findView{Words: asked}
	if asked == "" {
		d.Letters = lettersOf(v)
	} else if d.Groups = s.found(v, asked); len(d.Groups) == 0 {
		status, d.Nearest = http.StatusNotFound, slices.Concat(nearestLinks(v.snapshot.Named(api.Skills), asked, skillPage), nearestLinks(v.snapshot.Named(api.Places), asked, placePage))
	}
	return view{template: "find", title: "Search", section: "/find", status: status, data: d}
}

func (s *Site) found(v *request, asked string) (groups []findGroup) {
	search := prefixsearch.SearchOf(asked)
	list := func(parameter string) func(api.Named) string {
		return func(n api.Named) string {
			return address("/skills", url.Values{parameter: {n.Value}, "place": {v.place}})
		}
	}
	for _, g := range []findGroup{
		{Name: "Skills", Links: skillsFound(v, search)},
		{Name: "Places", Links: namesFound(v.snapshot.Named(api.Places), search, placePage)},
		{Name: "Occupations", Links: s.occupationsFound(v, asked, search)},
		{Name: "Sectors", Links: namesFound(v.snapshot.Named(api.Sectors), search, list("sector"))},
		{Name: "Subjects that are taught", Links: subjectsFound(search, v.place)},
		{Name: "Documents", Links: documentsFound(search, s.documents)},
	} {
		if len(g.Links) > 0 {
			g.More = max(0, len(g.Links)-mostFound)
			g.Links = g.Links[:len(g.Links)-g.More]
			groups = append(groups, g)
		}
	}
	return groups
}

// skillLink leads to a skill in the place of the visit.
func (v *request) skillLink(n api.Named) foundLink {
	return foundLink{Name: n.Name, URL: address("/skills/"+url.PathEscape(n.Value), url.Values{"place": {v.place}})}
}

// skillsFound are the skills whose names have the words, and then those that adverts ask
// for with the words: whole ones stand before beginnings.
func skillsFound(v *request, search prefixsearch.Search) (list []foundLink) {
	var whole, worded []foundLink
	for _, n := range byName(v.snapshot.Named(api.Skills)) {
		l := v.skillLink(n)
		if search.Finds(prefixsearch.NameOf(n.Name)) || search.Finds(prefixsearch.NameOf(n.Value)) {
			list = append(list, l)
			continue
		}
		for wording := range strings.SplitSeq(n.Wordings, "|") {
			if search.Finds(prefixsearch.NameOf(wording)) {
				if l.As = readable(wording, search); strings.Contains(" "+l.As+" ", strings.Join(search, "")+" ") {
					whole = append(whole, l)
				} else {
					worded = append(worded, l)
				}
				break
			}
		}
	}
	return slices.Concat(list, whole, worded)
}

// occupationsFound are the occupation whose title was asked for, and then those whose official
// names have the words.
func (s *Site) occupationsFound(v *request, asked string, search prefixsearch.Search) (found []foundLink) {
	page := func(n api.Named) string { return v.occupationURL(n.Value) }
	found = namesFound(v.snapshot.Named(api.Occupations), search, page)
	if s.Titled == nil {
		return found
	}
	soc, ok := s.Titled(asked)
	if _, known := slices.BinarySearch(v.snapshot.Values(api.Occupations), soc); !ok || !known {
		return found
	}
	titled := foundLink{Name: nameOf(v.snapshot, api.Occupations, soc), URL: v.occupationURL(soc), As: asked}
	found = slices.DeleteFunc(found, func(l foundLink) bool { return l.URL == titled.URL })
	return append([]foundLink{titled}, found...)
}

// alternatives are those within a wording: "customer {service,care}".
var alternatives = regexp.MustCompile(`\{[^}]*\}`)

// readable is a wording with the choices that the search is about, or else the first ones:
// "manag{e,ing} projects" is "manage projects".
func readable(wording string, search prefixsearch.Search) string {
	return alternatives.ReplaceAllStringFunc(wording, func(list string) string {
		each := strings.Split(strings.Trim(list, "{}"), ",")
		for _, one := range each {
			if slices.ContainsFunc(search, func(word string) bool { return prefixsearch.Search{word}.Finds(prefixsearch.NameOf(one)) }) {
				return one
			}
		}
		return each[0]
	})
}

func namesFound(list []api.Named, search prefixsearch.Search, url func(api.Named) string) (found []foundLink) {
	for _, n := range byName(list) {
		if search.Finds(prefixsearch.NameOf(n.Name, n.Value, n.Code)) {
			found = append(found, foundLink{Name: n.Name, URL: url(n)})
		}
	}
	return found
}

func subjectsFound(search prefixsearch.Search, place string) (found []foundLink) {
	var names []string
	for _, n := range words.List("taught") {
		names = append(names, strings.Split(n.Name, "|")...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if search.Finds(prefixsearch.NameOf(name)) {
			found = append(found, foundLink{Name: name, URL: address("/courses", url.Values{"q": {name}, "region": {place}})})
		}
	}
	return found
}

// documentsFound are the documents whose title or text has the words.
func documentsFound(search prefixsearch.Search, texts map[string]prefixsearch.Name) (found []foundLink) {
	var within []foundLink
	for _, d := range words.List("document") {
		l := foundLink{Name: d.Name, URL: documentURL(d)}
		switch {
		case search.Finds(prefixsearch.NameOf(d.Name)):
			found = append(found, l)
		case search.Finds(texts[d.Value]):
			within = append(within, l)
		}
	}
	return append(found, within...)
}

// nearestLinks lead to the three values of a vocabulary that a text comes nearest to.
func nearestLinks(list []api.Named, text string, url func(api.Named) string) (near []link) {
	for _, value := range serve.Nearest(text, list, 3) {
		i := slices.IndexFunc(list, func(n api.Named) bool { return n.Value == value })
		near = append(near, link{list[i].Name, url(list[i])})
	}
	return near
}

func skillPage(n api.Named) string { return "/skills/" + n.Value }
func placePage(n api.Named) string { return "/places/" + n.Value }

func lettersOf(v *request) (groups []findGroup) {
	for _, n := range byName(v.snapshot.Named(api.Skills)) {
		letter := strings.ToUpper(string([]rune(n.Name)[:1]))
		if len(groups) == 0 || groups[len(groups)-1].Name != letter {
			groups = append(groups, findGroup{Name: letter})
		}
		g := &groups[len(groups)-1]
		g.Links = append(g.Links, v.skillLink(n))
	}
	return groups
}
