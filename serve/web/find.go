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
	Words string
	// the search with corrected spelling; empty if a name matches the search as typed
	Meant  string
	Groups []findGroup
	// subjects that the visitor searched for and that this service does not cover
	Absent  []uncoveredSubject
	Letters []findGroup // first letters of all skills; only selected letters list their skills
}

// findGroup is a group of links on the search page. It has the results of one kind, such as places,
// or the skills with one first letter.
type findGroup struct {
	Name  string
	Links []foundLink
	More  int    // number of results that the page leaves out
	All   string // address of the same search with all results of this group
	Here  bool   // whether this is the letter whose skills the page lists
}

// foundLink is a search result. Kind is empty if the heading of the group states it. If the search
// matched a phrase in adverts and not the name, Note quotes that phrase.
type foundLink struct {
	Name, URL, Kind, Note string
	match                 match
}

const mostFound = 12 // largest number of results of one kind, unless the visitor asks for all

// oneOf maps the plural name of a kind of search result to the singular, such as "Skills" to
// "skill".
var oneOf = map[string]string{"Skills": "skill", "Occupations": "occupation", "Places": "place", "Sectors": "sector",
	"Subjects that are taught": "subject that is taught", "Documents": "document"}

// searchPage shows the skills, occupations, places, sectors, subjects and documents that match the
// visitor's search. Without a search it lists all skills by first letter. If they are too many for
// one page, it lists the skills with one first letter.
func (s *Site) searchPage(v *request) view {
	asked, status := strings.TrimSpace(serve.TruncateText(v.URL.Query().Get("q"))), 0
	d := findView{Words: asked, Absent: absentOf(asked)}
	if asked == "" {
		d.Letters = lettersOf(v, v.URL.Query().Get("letter"))
		return view{template: "find", title: "Search", section: "/find", data: d}
	}
	found := s.results(v, searchOf(asked))
	if !slices.ContainsFunc(found, foundLink.isOfName) {
		if broader := s.results(v, searchOf(asked).essential()); len(broader) > 0 {
			found = broader
		}
	}
	d.Groups = groupsOf(v, found)
	if !slices.ContainsFunc(found, foundLink.isOfName) {
		d.Meant = spellingsOf(v.snapshot).correct(asked)
	}
	if len(found) == 0 && len(d.Absent) == 0 {
		status = http.StatusNotFound
	}
	return view{template: "find", title: "Search", section: "/find", status: status, data: d}
}

// isOfName reports whether the search matches the name of the result or a whole wording (a phrase
// in adverts). It returns false if the search matches only part of a wording, or the text of a
// document.
func (l foundLink) isOfName() bool { return l.match < partMatch }

// results returns everything that matches all words of a search: first skills, then occupations,
// places, sectors, subjects and documents. It returns nil if the search has no words.
func (s *Site) results(v *request, search search) []foundLink {
	if len(search.words) == 0 {
		return nil
	}
	sectors := func(n api.Named) string {
		return address("/skills", url.Values{"sector": {n.Value}, "place": {v.place}})
	}
	return slices.Concat(
		findSkills(v, search),
		s.findOccupations(v, search),
		findNames("Places", v.snapshot.NamedValues(api.Places), search, placePage),
		findNames("Sectors", v.snapshot.NamedValues(api.Sectors), search, sectors),
		findSubjects(search, v.place),
		findDocuments(search, s.documents))
}

// groupsOf groups search results by kind, such as skills. The first group has the exact matches of
// all kinds. The other groups are sorted by their best match. Each has at most mostFound results,
// except the group that the page's parameter "all" names.
func groupsOf(v *request, found []foundLink) (groups []findGroup) {
	best := findGroup{Name: "Best matches"}
	for _, l := range found {
		if l.match == exact {
			l.Kind = oneOf[l.Kind]
			best.Links = append(best.Links, l)
			continue
		}
		at := slices.IndexFunc(groups, func(g findGroup) bool { return g.Name == l.Kind })
		if at < 0 {
			at = len(groups)
			groups = append(groups, findGroup{Name: l.Kind})
		}
		l.Kind = ""
		groups[at].Links = append(groups[at].Links, l)
	}
	whole := v.URL.Query().Get("all")
	for i := range groups {
		g := &groups[i]
		slices.SortStableFunc(g.Links, func(a, b foundLink) int { return cmp.Compare(a.match, b.match) })
		if len(g.Links) > mostFound && g.Name != whole {
			g.More, g.All = len(g.Links)-mostFound, v.with("all", g.Name)
			g.Links = g.Links[:mostFound]
		}
	}
	slices.SortStableFunc(groups, func(a, b findGroup) int { return cmp.Compare(a.Links[0].match, b.Links[0].match) })
	if len(best.Links) == 0 {
		return groups
	}
	return slices.Insert(groups, 0, best)
}

// findSkills returns the skills that match a search, sorted by name. The search can match the name,
// the slug or a wording (a phrase in adverts).
func findSkills(v *request, search search) (list []foundLink) {
	for _, n := range byName(v.snapshot.NamedValues(api.Skills)) {
		l := v.skillLink(n)
		if l.match = min(search.in(n.Name), search.in(n.Value)); l.match == none {
			var readable string
			readable, l.match = search.inWordings(n.Wordings)
			l.Note = "adverts say “" + readable + "”"
		}
		if l.match != none {
			list = append(list, l)
		}
	}
	return list
}

// findOccupations returns the occupations whose official names match a search. If the search is a
// known job title, such as carer, the occupation with that title comes first.
func (s *Site) findOccupations(v *request, search search) (found []foundLink) {
	page := func(n api.Named) string { return v.occupationURL(n.Value) }
	found = findNames("Occupations", v.snapshot.NamedValues(api.Occupations), search, page)
	if s.OccupationOfTitle == nil {
		return found
	}
	soc, ok := s.OccupationOfTitle(search.text)
	if _, known := slices.BinarySearch(v.snapshot.Values(api.Occupations), soc); !ok || !known {
		return found
	}
	titled := foundLink{Kind: "Occupations", Name: nameOf(v.snapshot, api.Occupations, soc), URL: v.occupationURL(soc),
		match: exact}
	if search.in(titled.Name) != exact {
		titled.Note = "a job title of it is “" + search.text + "”"
	}
	found = slices.DeleteFunc(found, func(l foundLink) bool { return l.URL == titled.URL })
	return append([]foundLink{titled}, found...)
}

func findNames(kind string, list []api.Named, search search, url func(api.Named) string) (found []foundLink) {
	for _, n := range byName(list) {
		if m := min(search.in(n.Name), search.in(n.Value), search.in(n.Code)); m != none {
			found = append(found, foundLink{Kind: kind, Name: n.Name, URL: url(n), match: m})
		}
	}
	return found
}

func findSubjects(search search, place string) (found []foundLink) {
	for _, name := range subjects() {
		if m := search.in(name); m != none {
			found = append(found, foundLink{Kind: "Subjects that are taught", Name: name, match: m,
				URL: address("/courses", url.Values{"q": {name}, "region": {place}})})
		}
	}
	return found
}

// findDocuments returns the documentation pages whose title or text matches a search. texts maps
// the code of each page to the words of the page.
func findDocuments(search search, texts map[string]prefixsearch.Name) (found []foundLink) {
	for _, d := range words.List("document") {
		l := foundLink{Kind: "Documents", Name: d.Name, URL: documentURL(d), match: search.in(d.Name)}
		if l.match == none && search.Matches(texts[d.Value]) {
			l.match = partMatch
		}
		if l.match != none {
			found = append(found, l)
		}
	}
	return found
}

// lettersOf groups all skills by first letter. If they are too many for one page, only the group of
// the letter openLetter lists its skills. If no skill begins with openLetter, the first group does.
func lettersOf(v *request, openLetter string) (groups []findGroup) {
	skills := byName(v.snapshot.NamedValues(api.Skills))
	for _, n := range skills {
		letter := strings.ToUpper(string([]rune(n.Name)[:1]))
		if len(groups) == 0 || groups[len(groups)-1].Name != letter {
			groups = append(groups, findGroup{Name: letter, All: "#" + letter})
		}
		g := &groups[len(groups)-1]
		g.Links = append(g.Links, v.skillLink(n))
	}
	if len(skills) <= maxShown {
		return groups
	}
	at := max(0, slices.IndexFunc(groups, func(g findGroup) bool { return g.Name == openLetter }))
	for i := range groups {
		groups[i].All, groups[i].Here = v.with("letter", groups[i].Name), i == at
		if i != at {
			groups[i].Links = nil
		}
	}
	return groups
}
