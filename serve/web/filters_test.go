package web

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
)

// filtered is a snapshot with values for each filter.
func filtered() *fixed {
	return &fixed{named: map[api.Vocabulary][]api.Named{
		api.Places: {{Value: "barking", Name: "Dagenham", Kind: "borough"},
			{Value: "camden", Name: "Camden", Code: "E09000007", Kind: "borough"},
			{Value: "east", Name: "East", Kind: "area"}},
		api.Sectors: {{Value: "care", Name: "Social Care"}, {Value: "digital", Name: "Digital"}},
		api.Levels:  {{Value: "1", Name: "basic"}, {Value: "2", Name: "working"}},
		api.Occupations: {{Value: "6", Name: "Caring"}, {Value: "61", Name: "Care"}, {Value: "613", Name: "Carers"},
			{Value: "6135", Name: "Care Workers"}, {Value: "62", Name: "Leisure"}, {Value: "7", Name: "Sales"}},
	}}
}

// TestFiltersOfAnAddress: each parameter is one of the values that there are.
func TestFiltersOfAnAddress(t *testing.T) {
	for target, want := range map[string]filter{
		"/skills":                   {Window: 12},
		"/skills?place=&window=":    {Window: 12},
		"/skills?place=E09000007":   {Place: "camden", Window: 12},
		"/skills?sector=care&soc=6": {Sector: "care", SOC: "6", Window: 12},
		"/skills?level=2&source=employer_boards&window=24": {Level: "2", Source: "employer_boards", Window: 24},
	} {
		v := visit(filtered(), target)
		if got := filterOf(v); got != want || v.err != nil {
			t.Errorf("%s: %+v (%v), want %+v", target, got, v.err, want)
		}
	}
	v := visit(filtered(), "/places/camden?place=barking")
	v.SetPathValue("place", "camden")
	if got := filterOf(v); got.Place != "camden" {
		t.Errorf("the page of Camden is about %s", got.Place)
	}
}

// TestUnknownFiltersLeadToKnownOnes: the page of the fault leads to similar values and to the page without filters,
// or to all places if the place is in the path.
func TestUnknownFiltersLeadToKnownOnes(t *testing.T) {
	for _, c := range []struct {
		target, place, parameter, title, words string
		status                                 int
		urls                                   string
	}{
		{"/skills?place=camdan&soc=6", "", "place", "Unknown place", "There is no place called “camdan” here.", 400,
			"/skills?place=camden&soc=6 /skills"},
		{"/skills?sector=digitl", "", "sector", "Unknown sector", "There is no sector called “digitl” here.", 400,
			"/skills?sector=digital /skills"},
		{"/skills?soc=6136", "", "soc", "Unknown occupation", "There is no occupation called “6136” here.", 400, ""},
		{"/skills?level=9", "", "level", "Unknown level", "There is no level called “9” here.", 400, ""},
		{"/skills?source=x", "", "source", "Unknown source", "There is no source called “x” here.", 400, ""},
		{"/skills?window=7", "", "window", "Unknown period", "The period must be 3, 6, 12 or 24 months.", 400,
			"/skills?window=12"},
		{"/skills?window=012", "", "window", "Unknown period", "The period must be 3, 6, 12 or 24 months.", 400,
			"/skills?window=12"},
		{"/places/camdan", "camdan", "place", "Unknown place", "There is no place called “camdan” here.", 404,
			"/places/camden /places"},
	} {
		v := visit(filtered(), c.target)
		v.Pattern = "GET /places/{place}"
		v.SetPathValue("place", c.place)
		filterOf(v)
		var f *fault
		if !errors.As(v.err, &f) {
			t.Fatalf("%s: %v", c.target, v.err)
		}
		var urls []string
		for _, l := range f.nearest {
			urls = append(urls, l.URL)
		}
		if f.status != c.status || f.parameter != c.parameter || f.title != c.title || f.words != c.words ||
			c.urls != "" && strings.Join(urls, " ") != c.urls {
			t.Errorf("%s: %+v", c.target, f)
		}
	}
}

// TestThreeSimilarValuesAreOffered, with the names of the values.
func TestThreeSimilarValuesAreOffered(t *testing.T) {
	var list []api.Named
	for _, value := range []string{"camda", "camdb", "camdc", "camdd"} {
		list = append(list, api.Named{Value: value, Name: strings.ToUpper(value)})
	}
	near := nearestLinks(list, "camd", placePage)
	want := []link{{"CAMDA", "/places/camda"}, {"CAMDB", "/places/camdb"}, {"CAMDC", "/places/camdc"}}
	if !slices.Equal(near, want) {
		t.Errorf("%v, want %v", near, want)
	}
}

func TestFiltersInWords(t *testing.T) {
	for want, f := range map[string]filter{
		"all places, last 12 months": {Window: 12},
		"Camden, social care, care workers, level 2, employers’ own boards, last 3 months": {Place: "camden",
			Sector: "care", SOC: "6135", Level: "2", Source: "employer_boards", Window: 3},
		"elsewhere, last 24 months": {Place: "elsewhere", Window: 24},
	} {
		if got := f.where(filtered()); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}

// TestAFilterIsAQuery: with its level as a number. The whole list has every skill.
func TestAFilterIsAQuery(t *testing.T) {
	f := filter{Place: "camden", Sector: "care", SOC: "6", Level: "2", Source: "platform", Window: 24}
	want := api.SkillsUnmetQuery{Place: "camden", Sector: "care", SOC: "6", Level: 2, Source: "platform", Window: 24}
	if got := f.query(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	want.Limit = 5000
	if got := f.everySkill(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := f.values().Encode(); got != "level=2&place=camden&sector=care&soc=6&source=platform&window=24" {
		t.Errorf("the parameters are %s", got)
	}
}

// TestMenusOfAForm: each menu has its values by name, with that of the filter chosen. A form opens its further
// filters if one of them is set, and leads to the page without filters if any is.
func TestMenusOfAForm(t *testing.T) {
	for _, c := range []struct {
		f     filter
		more  bool
		clear string
	}{
		{filter{Window: 12}, false, ""}, {filter{Window: 24}, false, "/skills"},
		{filter{Place: "camden", Window: 12}, false, "/skills"}, {filter{Sector: "care", Window: 12}, true, "/skills"},
		{filter{SOC: "6", Window: 12}, true, "/skills"}, {filter{Level: "2", Window: 12}, true, "/skills"},
		{filter{Source: "platform", Window: 12}, true, "/skills"},
	} {
		if got := formOf(visit(filtered(), "/skills"), c.f, "/skills"); got.More != c.more || got.Clear != c.clear ||
			got.Action != "/skills" {
			t.Errorf("%+v: more is %v, and without filters it is %q", c.f, got.More, got.Clear)
		}
	}
	f := filter{Place: "camden", Sector: "care", SOC: "61", Level: "2", Source: "employer_boards", Window: 6}
	form := formOf(visit(filtered(), "/skills"), f, "/skills")
	only := func(options []option) []optionGroup { return []optionGroup{{Options: options}} }
	for _, c := range []struct {
		menu []optionGroup
		want string
	}{
		{form.Places, "[camden Camden*, barking Dagenham] [east East]"},
		{form.SOC, "[61 61 Care*] [613 613 Carers] [6 6 Caring, 7 7 Sales]"},
		{only(form.Sectors), "[digital Digital, care Social Care*]"},
		{only(form.Levels), "[1 basic, 2 working*]"},
		{only(form.Windows), "[3 3 months, 6 6 months*, 12 12 months, 24 24 months]"},
		{only(form.Sources), "[platform Posted on the platform, employer_boards Employers’ own boards*, " +
			"find_an_apprenticeship National apprenticeship service]"},
	} {
		if got := menusSaid(c.menu); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// menusSaid are the options of menus in words, each chosen one with a star.
func menusSaid(groups []optionGroup) string {
	var said []string
	for _, g := range groups {
		var options []string
		for _, o := range g.Options {
			text := o.Value + " " + o.Name
			if o.Chosen {
				text += "*"
			}
			options = append(options, text)
		}
		said = append(said, fmt.Sprint("[", strings.Join(options, ", "), "]"))
	}
	return strings.Join(said, " ")
}

// TestMenuOfOccupations: the groups around the chosen one, those directly below it, and the major groups.
func TestMenuOfOccupations(t *testing.T) {
	all := filtered().named[api.Occupations]
	const major = "[6 6 Caring, 7 7 Sales]"
	for chosen, want := range map[string]string{
		"":     major,
		"6":    "[61 61 Care, 62 62 Leisure] [6 6 Caring*, 7 7 Sales]",
		"61":   "[61 61 Care*] [613 613 Carers] " + major,
		"613":  "[61 61 Care, 613 613 Carers*] [6135 6135 Care Workers] " + major,
		"6135": "[61 61 Care, 613 613 Carers, 6135 6135 Care Workers*] " + major,
	} {
		groups := occupationGroups(all, chosen)
		if got := menusSaid(groups); got != want {
			t.Errorf("%q: %s, want %s", chosen, got, want)
		}
		if last := groups[len(groups)-1].Name; last != "Major groups" {
			t.Errorf("%q: the last group is called %q", chosen, last)
		}
	}
}

// TestAMenuMayBeginWithAll: that option sets no filter, and is chosen if none is set.
func TestAMenuMayBeginWithAll(t *testing.T) {
	list := []api.Named{{Value: "a", Name: "A"}}
	for _, c := range []struct{ all, chosen, want string }{
		{"", "a", "[a A*]"}, {"All", "a", "[ All, a A*]"}, {"All", "", "[ All*, a A]"},
	} {
		if got := menusSaid([]optionGroup{{Options: choices(c.all, list, c.chosen)}}); got != c.want {
			t.Errorf("%q with %q: %s, want %s", c.all, c.chosen, got, c.want)
		}
	}
}
