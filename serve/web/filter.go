package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/web/words"
)

// filter selects the adverts and people that the figures of a page are about. Its fields are
// parameters of the API.
type filter struct {
	Place, Sector, SOC, Level, Source string
	Window                            int // period in calendar months: 3, 6, 12 or 24
}

// filterOf reads the filter from the address of the page. It records an error if a value does not
// exist. The error page then links to similar values.
func filterOf(v *request) filter {
	q := v.URL.Query()
	f := filter{Place: placeOf(v.snapshot, cmp.Or(v.PathValue("place"), q.Get("place"))), Sector: q.Get("sector"),
		SOC: q.Get("soc"), Level: q.Get("level"), Source: q.Get("source"), Window: api.DefaultWindow}
	for _, one := range []struct {
		parameter, name, value string
		known                  []api.Named
	}{
		{"place", "place", f.Place, v.snapshot.NamedValues(api.Places)},
		{"sector", "sector", f.Sector, v.snapshot.NamedValues(api.Sectors)},
		{"soc", "occupation", f.SOC, v.snapshot.NamedValues(api.Occupations)},
		{"level", "level", f.Level, v.snapshot.NamedValues(api.Levels)},
		{"source", "source", f.Source, words.List("source")},
	} {
		v.among(one.parameter, one.name, one.value, one.known)
	}
	if w := q.Get("window"); w != "" {
		if f.Window, _ = strconv.Atoi(w); words.DisplayName("window", w) == "" {
			v.fail(&fault{status: http.StatusBadRequest, parameter: "window", title: "Unknown period",
				words:   "The period must be 3, 6, 12 or 24 months.",
				nearest: []link{{"12 months", v.with("window", "12")}}})
		}
	}
	return f
}

// among records an error if value is not in list, unless value is empty. The error page links to
// similar values. parameter is the parameter's name in the address, and noun is its name in the
// message.
func (v *request) among(parameter, noun, value string, list []api.Named) {
	if !slices.ContainsFunc(list, func(n api.Named) bool { return n.Value == value }) {
		v.checkExists(parameter, noun, value, false,
			nearestLinks(list, value, func(n api.Named) string { return v.withValue(parameter, n.Value) })...)
	}
}

// checkExists records an error if exists is false, unless value is empty. The error page shows the
// links in suggestions. parameter is the parameter's name in the address, and noun is its name in
// the message.
func (v *request) checkExists(parameter, noun, value string, exists bool, suggestions ...link) {
	if value == "" || exists {
		return
	}
	f := &fault{status: http.StatusBadRequest, parameter: parameter, title: "Unknown " + noun,
		words:   fmt.Sprintf("There is no %s called “%s” here.", noun, serve.TruncateText(value)),
		nearest: append(suggestions, link{"The same page without filters", v.URL.Path})}
	if v.PathValue(parameter) != "" {
		f.status, f.nearest = http.StatusNotFound, append(suggestions, link{"All places", "/places"})
	}
	v.fail(f)
}

func (f filter) values() url.Values { return parametersOf(f.query()) }

func (f filter) query() api.SkillsUnmetQuery {
	level, _ := strconv.Atoi(f.Level) // from 1 to 5, as filterOf has checked
	return api.SkillsUnmetQuery{Place: f.Place, Sector: f.Sector, SOC: f.SOC, Level: level, Source: f.Source,
		Window: f.Window}
}

func (f filter) everySkill() api.SkillsUnmetQuery {
	q := f.query()
	q.Limit = serve.MaxListRows
	return q
}

// missingPeopleNote returns a text that explains why the figures of a page say nothing about people.
// It is empty if they do. It is also empty if the figures were withdrawn, which the foot of the page
// explains, or if the place has none yet, which the head of the page explains.
func missingPeopleNote(p *api.People) string {
	if p == nil { // the query failed
		return ""
	}
	return p.MissingNote
}

// namedOf returns a value, such as the slug of a place, with its display name. v is the list to
// which the value belongs, such as the list of places. If the value is unknown, the name is the
// value.
func namedOf(s api.Snapshot, v api.Vocabulary, value string) api.Named {
	list := s.NamedValues(v)
	if i, ok := slices.BinarySearchFunc(list, value,
		func(n api.Named, value string) int { return cmp.Compare(n.Value, value) }); ok {
		return list[i]
	}
	return api.Named{Value: value, Name: value}
}

func nameOf(s api.Snapshot, v api.Vocabulary, value string) string { return namedOf(s, v, value).Name }

// where returns the filter as text, such as "Camden, digital, last 12 months".
func (f filter) where(s api.Snapshot) string {
	return f.whose(s) + fmt.Sprintf(", last %d months", f.Window)
}

// whose returns the filter as text without the period, such as "Camden, digital".
func (f filter) whose(s api.Snapshot) string {
	parts := []string{"all places"}
	if f.Place != "" {
		parts[0] = nameOf(s, api.Places, f.Place)
	}
	if f.Sector != "" {
		parts = append(parts, strings.ToLower(nameOf(s, api.Sectors, f.Sector)))
	}
	if f.SOC != "" {
		parts = append(parts, strings.ToLower(nameOf(s, api.Occupations, f.SOC)))
	}
	if f.Level != "" {
		parts = append(parts, "level "+f.Level)
	}
	if f.Source != "" {
		parts = append(parts, strings.ToLower(words.DisplayName("source", f.Source)))
	}
	return strings.Join(parts, ", ")
}

type option struct {
	Value, Name string
	Chosen      bool
}

// choices returns the options of a form menu for the values in list. The option with the value
// selection is selected. If allName is not empty, the first option has this name and sets no
// filter.
func choices(allName string, list []api.Named, selection string) (options []option) {
	if allName != "" {
		list = append([]api.Named{{Name: allName}}, list...)
	}
	for _, n := range list {
		options = append(options, option{n.Value, n.Name, n.Value == selection})
	}
	return options
}

// optionGroup is a group of options in a form menu. Name is the heading of the group; empty = no
// heading.
type optionGroup struct {
	Name    string
	Options []option
}

type form struct {
	Action  string // address of the page that the form opens
	Keep    []option
	Places  []optionGroup
	Sectors []option
	SOC     []optionGroup
	Levels  []option
	Sources []option
	Windows []option
	Kinds   []option // kinds of skills to choose from; empty on the page of one skill
	More    bool     // whether a filter is set that the form hides at first
	Clear   string   // address of the page without filters; empty if no filter is set
}

// formOf returns the form for the filters of a page. The values of f are selected. action is the
// address to which the browser sends the form. hiddenFields are further fields that it sends.
func formOf(v *request, f filter, action string, hiddenFields ...option) form {
	s := v.snapshot
	out := form{Action: action, Keep: hiddenFields, Places: placeGroups(s, f.Place),
		SOC:     occupationGroups(s.NamedValues(api.Occupations), f.SOC),
		Sectors: choices("", byName(s.NamedValues(api.Sectors)), f.Sector),
		Sources: choices("", words.List("source"), f.Source),
		Levels:  choices("", s.NamedValues(api.Levels), f.Level),
		Windows: choices("", words.List("window"), strconv.Itoa(f.Window))}
	out.More = f.Sector != "" || f.SOC != "" || f.Level != "" || f.Source != ""
	if len(f.values()) > 0 {
		out.Clear = action
	}
	return out
}

// byName returns the values of list, sorted by display name.
func byName(list []api.Named) []api.Named {
	return slices.SortedStableFunc(slices.Values(list),
		func(a, b api.Named) int { return strings.Compare(a.Name, b.Name) })
}

// placeGroups returns the options of the place menu in two groups: boroughs, and areas of several
// boroughs. chosen is the slug of the selected place, or empty.
func placeGroups(s api.Snapshot, chosen string) []optionGroup {
	boroughs, areas := optionGroup{Name: "Boroughs"}, optionGroup{Name: "Areas of several boroughs"}
	for _, n := range byName(s.NamedValues(api.Places)) {
		to := &boroughs
		if n.Kind == "area" {
			to = &areas
		}
		to.Options = append(to.Options, option{n.Value, n.Name, n.Value == chosen})
	}
	return nonEmpty(boroughs, areas)
}

// occupationGroups returns the options of the occupation menu. selection is the SOC 2020 code of
// the selected occupation. The menu has the groups that contain it, the groups directly below it,
// and the major groups. All groups of SOC 2020 would be too many.
func occupationGroups(occupations []api.Named, selection string) []optionGroup {
	major := optionGroup{Name: "Major groups"}
	way := optionGroup{Name: "Chosen"}
	below := optionGroup{Name: "Within it"}
	for _, n := range occupations {
		o := option{n.Value, n.Value + " " + n.Name, n.Value == selection}
		switch {
		case len(n.Value) == 1:
			major.Options = append(major.Options, o)
		case strings.HasPrefix(selection, n.Value):
			way.Options = append(way.Options, o)
		case selection != "" && strings.HasPrefix(n.Value, selection) && len(n.Value) == len(selection)+1:
			below.Options = append(below.Options, o)
		}
	}
	return nonEmpty(way, below, major)
}

// nonEmpty returns the option groups that have at least one option.
func nonEmpty(groups ...optionGroup) []optionGroup {
	return slices.DeleteFunc(groups, func(g optionGroup) bool { return len(g.Options) == 0 })
}

// nearestLinks returns links for the three values in list that are most similar to text. The
// function url returns the address of a value.
func nearestLinks(list []api.Named, text string, url func(api.Named) string) (near []link) {
	for _, value := range serve.MostSimilarValues(text, list, 3) {
		i := slices.IndexFunc(list, func(n api.Named) bool { return n.Value == value })
		near = append(near, link{list[i].Name, url(list[i])})
	}
	return near
}
