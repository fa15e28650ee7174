package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"labour/serve/labourdata"
	"labour/snapshots/figure"
)

// filter is which adverts and people a page of skills not met is about, as its
// address says: the parameters of the interface by their names.
type filter struct {
	Place, Sector, SOC, Level, Source string
	Window                            int // months
}

// defaultWindow is that of the interface.
const defaultWindow = 12

func windows() []int { return []int{3, 6, 12, 24} }

// advertSource is a value of the parameter source, in words.
type advertSource struct{ Value, Name string }

func advertSources() []advertSource {
	return []advertSource{{"platform", "Posted on the platform"}, {"employer_boards", "Employers’ own boards"}, {"find_an_apprenticeship", "National apprenticeship service"}}
}

// filterOf reads the filter of an address. The error is a fault that says which
// value does not exist and what is near it.
func filterOf(v *visit) (filter, error) {
	q := v.URL.Query()
	f := filter{Place: q.Get("place"), Sector: q.Get("sector"), SOC: q.Get("soc"), Level: q.Get("level"), Source: q.Get("source"), Window: defaultWindow}
	for _, one := range []struct {
		name, value string
		known       []string
	}{
		{"place", f.Place, v.snapshot.Values(labourdata.Places)},
		{"sector", f.Sector, v.snapshot.Values(labourdata.Sectors)},
		{"occupation", f.SOC, v.snapshot.Values(labourdata.Occupations)},
		{"level", f.Level, []string{"1", "2", "3", "4", "5"}},
		{"source", f.Source, []string{"employer_boards", "find_an_apprenticeship", "platform"}},
	} {
		if err := v.known(one.name, one.value, one.known); err != nil {
			return f, err
		}
	}
	if w := q.Get("window"); w != "" {
		n, err := strconv.Atoi(w)
		if err != nil || !slices.Contains(windows(), n) {
			return f, &fault{status: http.StatusBadRequest, title: "Unknown period", words: "The period must be 3, 6, 12 or 24 months.", nearest: []link{{"12 months", v.with("window", "12")}}}
		}
		f.Window = n
	}
	return f, nil
}

// known is a fault when a value is not one of those known, which are sorted.
func (v *visit) known(what, value string, known []string) error {
	if value == "" {
		return nil
	}
	if _, ok := slices.BinarySearch(known, value); ok {
		return nil
	}
	return &fault{status: http.StatusBadRequest, title: "Unknown " + what, words: fmt.Sprintf("There is no %s called “%s” here.", what, clip(value)),
		nearest: []link{{"The same page without filters", v.URL.Path}}}
}

// clip bounds a text that is repeated to whoever sent it.
func clip(text string) string {
	runes := []rune(strings.ToValidUTF8(text, "?"))
	return string(runes[:min(len(runes), 60)])
}

// values are the parameters of the interface, without those left out.
func (f filter) values() url.Values {
	q := url.Values{}
	for name, value := range map[string]string{"place": f.Place, "sector": f.Sector, "soc": f.SOC, "level": f.Level, "source": f.Source} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Window != defaultWindow {
		q.Set("window", strconv.Itoa(f.Window))
	}
	return q
}

// query is the question of the filter.
func (f filter) query() labourdata.SkillsUnmetQuery {
	level, _ := strconv.Atoi(f.Level) // one of 1 to 5, checked
	return labourdata.SkillsUnmetQuery{Place: f.Place, Sector: f.Sector, SOC: f.SOC, Level: level, Source: f.Source, Window: f.Window}
}

// used is how many filters are set beside the period.
func (f filter) used() int {
	n := 0
	for _, value := range []string{f.Place, f.Sector, f.SOC, f.Level, f.Source} {
		if value != "" {
			n++
		}
	}
	return n
}

// withheld says that nothing about people is published in any of the rows.
func withheld(rows []labourdata.SkillsUnmetRow) bool {
	for _, r := range rows {
		if r.TurnedDown.Status() != figure.NotPublished || r.HiredWith != nil || r.TurnedDownWith != nil {
			return false
		}
	}
	return len(rows) > 0
}

// nameOf is the name of a value of a vocabulary; the value itself when it has none.
func nameOf(s labourdata.Snapshot, v labourdata.Vocabulary, value string) string {
	list := s.Named(v)
	if i, ok := slices.BinarySearchFunc(list, value, func(n labourdata.Named, value string) int { return cmp.Compare(n.Value, value) }); ok {
		return list[i].Name
	}
	return value
}

// where says in words what the filter selects: "Camden, Digital, last 12 months".
func (f filter) where(s labourdata.Snapshot) string {
	parts := []string{"all places"}
	if f.Place != "" {
		parts[0] = nameOf(s, labourdata.Places, f.Place)
	}
	if f.Sector != "" {
		parts = append(parts, strings.ToLower(nameOf(s, labourdata.Sectors, f.Sector)))
	}
	if f.SOC != "" {
		parts = append(parts, strings.ToLower(nameOf(s, labourdata.Occupations, f.SOC)))
	}
	if f.Level != "" {
		parts = append(parts, "level "+f.Level)
	}
	for _, a := range advertSources() {
		if a.Value == f.Source {
			parts = append(parts, strings.ToLower(a.Name))
		}
	}
	return strings.Join(append(parts, fmt.Sprintf("last %d months", f.Window)), ", ")
}
