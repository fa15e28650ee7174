package web

import (
	"cmp"
	"net/http"
	"net/url"
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
	Absent  []elsewhere // subjects of the words that the service does not cover
	Nearest []link      // where nothing has the words
	Letters []findGroup // of the skills: every letter, and the skills of those that are listed
}

// findGroup holds the results of one kind, or the skills of a letter.
type findGroup struct {
	Name  string
	Links []foundLink
	More  int    // that are not listed
	All   string // address of the same search with all of the group
	Here  bool   // whether it is the one letter that is listed
}

// foundLink is a result, with the wording that matches if its name does not.
type foundLink struct {
	Name, URL, As string
	match         match
}

const mostFound = 12

// searchPage searches skills, places, occupations, subjects and documents. Without words it
// lists the skills by letter, and if they are many those of one letter.
func (s *Site) searchPage(v *request) view {
	asked, status := strings.TrimSpace(serve.Clip(v.URL.Query().Get("q"))), 0
	d := findView{Words: asked, Absent: absentOf(asked)}
	if asked == "" {
		d.Letters = lettersOf(v, v.URL.Query().Get("letter"))
	} else if d.Groups = s.found(v, asked); len(d.Groups) == 0 && len(d.Absent) == 0 {
		status, d.Nearest = http.StatusNotFound,
			slices.Concat(nearestLinks(v.snapshot.Named(api.Skills), asked, skillPage),
				nearestLinks(v.snapshot.Named(api.Places), asked, placePage))
	}
	return view{template: "find", title: "Search", section: "/find", status: status, data: d}
}

// found returns the groups with results, the one with the best match first, and in each the
// best matches first.
func (s *Site) found(v *request, asked string) (groups []findGroup) {
	search := searchOf(asked)
	sectors := func(n api.Named) string {
		return address("/skills", url.Values{"sector": {n.Value}, "place": {v.place}})
	}
	whole := v.URL.Query().Get("all")
	for _, g := range []findGroup{
		{Name: "Skills", Links: skillsFound(v, search)},
		{Name: "Occupations", Links: s.occupationsFound(v, asked, search)},
		{Name: "Places", Links: namesFound(v.snapshot.Named(api.Places), search, placePage)},
		{Name: "Sectors", Links: namesFound(v.snapshot.Named(api.Sectors), search, sectors)},
		{Name: "Subjects that are taught", Links: subjectsFound(search, v.place)},
		{Name: "Documents", Links: documentsFound(search, s.documents)},
	} {
		slices.SortStableFunc(g.Links, func(a, b foundLink) int { return cmp.Compare(a.match, b.match) })
		if len(g.Links) > mostFound && g.Name != whole {
			g.More, g.All = len(g.Links)-mostFound, v.with("all", g.Name)
			g.Links = g.Links[:mostFound]
		}
		if len(g.Links) > 0 {
			groups = append(groups, g)
		}
	}
	slices.SortStableFunc(groups, func(a, b findGroup) int { return cmp.Compare(a.Links[0].match, b.Links[0].match) })
	return groups
}

// skillLink returns a link to a skill in the selected place.
func (v *request) skillLink(n api.Named) foundLink {
	return foundLink{Name: n.Name, URL: address("/skills/"+url.PathEscape(n.Value), url.Values{"place": {v.place}})}
}

// skillsFound returns the skills whose names, or whose wordings in adverts, match the words.
func skillsFound(v *request, search search) (list []foundLink) {
	for _, n := range byName(v.snapshot.Named(api.Skills)) {
		l := v.skillLink(n)
		if l.match = min(search.in(n.Name), search.in(n.Value)); l.match == none {
			l.As, l.match = search.inWordings(n.Wordings)
		}
		if l.match != none {
			list = append(list, l)
		}
	}
	return list
}

// occupationsFound returns the occupation with that job title, and then those whose official names
// match the words.
func (s *Site) occupationsFound(v *request, asked string, search search) (found []foundLink) {
	page := func(n api.Named) string { return v.occupationURL(n.Value) }
	found = namesFound(v.snapshot.Named(api.Occupations), search, page)
	if s.Titled == nil {
		return found
	}
	soc, ok := s.Titled(asked)
	if _, known := slices.BinarySearch(v.snapshot.Values(api.Occupations), soc); !ok || !known {
		return found
	}
	titled := foundLink{Name: nameOf(v.snapshot, api.Occupations, soc), URL: v.occupationURL(soc), As: asked,
		match: exact}
	found = slices.DeleteFunc(found, func(l foundLink) bool { return l.URL == titled.URL })
	return append([]foundLink{titled}, found...)
}

func namesFound(list []api.Named, search search, url func(api.Named) string) (found []foundLink) {
	for _, n := range byName(list) {
		if m := min(search.in(n.Name), search.in(n.Value), search.in(n.Code)); m != none {
			found = append(found, foundLink{Name: n.Name, URL: url(n), match: m})
		}
	}
	return found
}

func subjectsFound(search search, place string) (found []foundLink) {
	var names []string
	for _, n := range words.List("taught") {
		names = append(names, strings.Split(n.Name, "|")...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if m := search.in(name); m != none {
			found = append(found,
				foundLink{Name: name, URL: address("/courses", url.Values{"q": {name}, "region": {place}}), match: m})
		}
	}
	return found
}

// documentsFound returns the documents whose title or text match the words.
func documentsFound(search search, texts map[string]prefixsearch.Name) (found []foundLink) {
	for _, d := range words.List("document") {
		l := foundLink{Name: d.Name, URL: documentURL(d), match: search.in(d.Name)}
		if l.match == none && search.Finds(texts[d.Value]) {
			l.match = within
		}
		if l.match != none {
			found = append(found, l)
		}
	}
	return found
}

// nearestLinks returns links to the three values of a vocabulary that are most similar to a text.
func nearestLinks(list []api.Named, text string, url func(api.Named) string) (near []link) {
	for _, value := range serve.Nearest(text, list, 3) {
		i := slices.IndexFunc(list, func(n api.Named) bool { return n.Value == value })
		near = append(near, link{list[i].Name, url(list[i])})
	}
	return near
}

func skillPage(n api.Named) string { return "/skills/" + n.Value }
func placePage(n api.Named) string { return "/places/" + n.Value }

// lettersOf returns the letters that skills begin with. If there are more skills than a page lists, only
// the chosen letter has its skills: the first one, if none of that name begins a skill.
func lettersOf(v *request, chosen string) (groups []findGroup) {
	skills := byName(v.snapshot.Named(api.Skills))
	for _, n := range skills {
		letter := strings.ToUpper(string([]rune(n.Name)[:1]))
		if len(groups) == 0 || groups[len(groups)-1].Name != letter {
			groups = append(groups, findGroup{Name: letter, All: "#" + letter})
		}
		g := &groups[len(groups)-1]
		g.Links = append(g.Links, v.skillLink(n))
	}
	if len(skills) <= mostShown {
		return groups
	}
	at := max(0, slices.IndexFunc(groups, func(g findGroup) bool { return g.Name == chosen }))
	for i := range groups {
		groups[i].All, groups[i].Here = v.with("letter", groups[i].Name), i == at
		if i != at {
			groups[i].Links = nil
		}
	}
	return groups
}
