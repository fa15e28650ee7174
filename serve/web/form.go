package web

import (
	"slices"
	"strconv"
	"strings"

	"labour/serve/api"
)

// option is an entry of a list to choose from.
type option struct {
	Value, Name string
	Chosen      bool
}

// choices are options with the chosen one marked, after one for all where that has a name.
func choices(all string, list []option, chosen string) []option {
	if all != "" {
		list = append([]option{{Name: all}}, list...)
	}
	for i := range list {
		list[i].Chosen = list[i].Value == chosen
	}
	return list
}

// valuesOf are the values of options.
func valuesOf(list []option) (values []string) {
	for _, o := range list {
		values = append(values, o.Value)
	}
	return values
}

// optionGroup is a part of a list with a heading; without one its options stand
// alone.
type optionGroup struct {
	Name    string
	Options []option
}

// form is the filter as a form of the page.
type form struct {
	Action  string // the page that it leads to
	Keep    []option
	Places  []optionGroup
	Sectors []option
	SOC     []optionGroup
	Levels  []option
	Sources []option
	Windows []option
	Kinds   []option // of skills; none on a page of one skill
	More    bool     // whether a filter is set that is folded away
	Clear   string   // the page without filters; empty when none is set
}

// formOf fills the form. keep are further parameters that sending it keeps.
func formOf(v *request, f filter, action string, keep ...option) form {
	s := v.snapshot
	if v.past != nil {
		keep = append(keep, option{Value: v.past.ID, Name: "snapshot"})
	}
	out := form{Action: action, Keep: keep, Places: placeGroups(s, f.Place), SOC: occupationGroups(s.Named(api.Occupations), f.SOC)}
	for _, n := range byName(s.Named(api.Sectors)) {
		out.Sectors = append(out.Sectors, option{n.Value, n.Name, n.Value == f.Sector})
	}
	for _, n := range s.Named(api.Levels) {
		out.Levels = append(out.Levels, option{n.Value, n.Value + " · " + n.Name, n.Value == f.Level})
	}
	for _, a := range advertSources() {
		out.Sources = append(out.Sources, option{a.Value, a.Name, a.Value == f.Source})
	}
	for _, n := range windows() {
		value := strconv.Itoa(n)
		out.Windows = append(out.Windows, option{value, value + " months", n == f.Window})
	}
	out.More = f.Sector != "" || f.SOC != "" || f.Level != "" || f.Source != ""
	if f.used() > 0 || f.Window != defaultWindow {
		out.Clear = action
	}
	return out
}

// byName is a vocabulary in the order of its names.
func byName(list []api.Named) []api.Named {
	return slices.SortedStableFunc(slices.Values(list), func(a, b api.Named) int { return strings.Compare(a.Name, b.Name) })
}

// placeGroups are the boroughs and the served areas.
func placeGroups(s api.Snapshot, chosen string) []optionGroup {
	boroughs, areas := optionGroup{Name: "Boroughs"}, optionGroup{Name: "Areas of several boroughs"}
	for _, n := range byName(s.Named(api.Places)) {
		to := &boroughs
		if n.Kind == "area" {
			to = &areas
		}
		to.Options = append(to.Options, option{n.Value, n.Name, n.Value == chosen})
	}
	return slices.DeleteFunc([]optionGroup{boroughs, areas}, func(g optionGroup) bool { return len(g.Options) == 0 })
}

// occupationGroups leads down the classification step by step: the major groups,
// the groups above the chosen one, itself, and those directly below it. The whole
// list would be hundreds of entries.
func occupationGroups(all []api.Named, chosen string) []optionGroup {
	major, way, below := optionGroup{Name: "Major groups"}, optionGroup{Name: "Chosen"}, optionGroup{Name: "Within it"}
	for _, n := range all {
		o := option{n.Value, n.Value + " " + n.Name, n.Value == chosen}
		switch {
		case len(n.Value) == 1:
			major.Options = append(major.Options, o)
		case strings.HasPrefix(chosen, n.Value):
			way.Options = append(way.Options, o)
		case chosen != "" && strings.HasPrefix(n.Value, chosen) && len(n.Value) == len(chosen)+1:
			below.Options = append(below.Options, o)
		}
	}
	return slices.DeleteFunc([]optionGroup{way, below, major}, func(g optionGroup) bool { return len(g.Options) == 0 })
}
