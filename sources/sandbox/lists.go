package sandbox

import (
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"labour/sources/fakepublishers"
)

//go:embed labour.yaml documents geography lists
var embedded embed.FS

// skillEntry is one skill of the platform's register with the words of adverts.
type skillEntry struct {
	slug   string
	form   byte // n: "good ...", x: "experience of ...", h: "you must have ..."
	spread int  // weight among the skills that every kind of job asks for; 0 = only where a job names it
	level  int  // level usually asked
	words  []string
}

// need is a skill that a kind of job asks for.
type need struct {
	skill    int // index in lists.skills
	level    int
	optional bool
}

type job struct {
	titles           []string
	soc, sector      string
	weight           int
	platform, boards bool
	course           int // level of the apprenticeship; 0 = none
	low, high        int // pay, thousands of pounds a year
	needs            []need
}

// council is a council; those with people are the boroughs that the platform serves.
type council struct {
	code, name, region, slug string
	lat, lon                 float64
	people                   int // thousands
}

// area is an area that is no council.
type area struct{ kind, code, name string }

// lists is everything that is written down and not made up by the seed.
type lists struct {
	skills   []skillEntry
	jobs     []job
	councils []council
	areas    []area
	portal   map[string]fakepublishers.ArcGISTable
	boroughs []int // councils that the platform serves
	common   []int // skills with a spread
	rare     []int // skills that no job names
	errs     []error
	bySlug   map[string]int
}

// load reads the lists. All faults are reported at once.
func load() (*lists, error) {
	l := &lists{bySlug: map[string]int{}}
	l.each("lists/skills.tsv", 5, l.addSkill)
	l.each("lists/jobs.tsv", 7, l.addJob)
	l.each("lists/councils.tsv", 7, l.addCouncil)
	l.each("lists/areas.tsv", 3, func(c []string) { l.areas = append(l.areas, area{kind: c[0], code: c[1], name: c[2]}) })
	l.portal = l.portalTables()
	named := make([]bool, len(l.skills))
	for _, j := range l.jobs {
		for _, n := range j.needs {
			named[n.skill] = true
		}
	}
	for i, s := range l.skills {
		if s.spread > 0 {
			l.common = append(l.common, i)
		} else if !named[i] {
			l.rare = append(l.rare, i)
		}
	}
	for i, c := range l.councils {
		if c.people > 0 {
			l.boroughs = append(l.boroughs, i)
		}
	}
	return l, errors.Join(l.errs...)
}

// each calls add for every line of a list that is no remark; all lines have as many
// columns, or as the first one where columns is 0.
func (l *lists) each(name string, columns int, add func([]string)) {
	f, err := embedded.Open(name)
	if err == nil {
		r := csv.NewReader(f)
		r.Comma, r.Comment, r.FieldsPerRecord = '\t', '#', columns
		for cells := []string(nil); err == nil; {
			if cells, err = r.Read(); err == nil {
				add(cells)
			}
		}
	}
	if err != io.EOF {
		l.errs = append(l.errs, fmt.Errorf("read %s: %w", name, err))
	}
}

func (l *lists) addSkill(c []string) {
	l.bySlug[c[0]] = len(l.skills)
	l.skills = append(l.skills, skillEntry{slug: c[0], form: c[1][0], spread: l.number(c[2]), level: l.number(c[3]),
		words: strings.Split(c[4], "|")})
}

func (l *lists) addJob(c []string) {
	low, high, _ := strings.Cut(c[5], "-")
	j := job{titles: strings.Split(c[0], "|"), soc: c[1], sector: c[2], weight: l.number(c[3]),
		platform: strings.Contains(c[4], "p"), boards: strings.Contains(c[4], "b"), low: l.number(low), high: l.number(high)}
	if _, level, ok := strings.Cut(c[4], "a"); ok {
		j.course = l.number(level)
	}
	for _, word := range strings.Fields(c[6]) {
		word, optional := strings.CutSuffix(word, "?")
		slug, level, stated := strings.Cut(word, ":")
		i, known := l.bySlug[slug]
		if !known {
			l.errs = append(l.errs, fmt.Errorf("jobs.tsv: %s: unknown skill %q", c[0], slug))
			continue
		}
		n := need{skill: i, level: l.skills[i].level, optional: optional}
		if stated {
			n.level = l.number(level)
		}
		j.needs = append(j.needs, n)
	}
	l.jobs = append(l.jobs, j)
}

func (l *lists) addCouncil(c []string) {
	l.councils = append(l.councils, council{code: c[0], name: c[1], region: c[2],
		slug: c[3], lat: l.degrees(c[4]), lon: l.degrees(c[5]), people: l.number(c[6])})
}

func (l *lists) number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		l.errs = append(l.errs, fmt.Errorf("%q is not a whole number", s))
	}
	return n
}

func (l *lists) degrees(s string) float64 {
	d, err := strconv.ParseFloat(s, 64)
	if err != nil {
		l.errs = append(l.errs, fmt.Errorf("%q is not a number of degrees", s))
	}
	return d
}
