package sandbox

import (
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

//go:embed lists/*.tsv
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
	code, name, welsh, region, lsip, itl3, ttwa, slug string
	lat, lon                                          float64
	people                                            int // thousands
}

// occupation is one of the made-up publications' occupations.
type occupation struct {
	soc, name, sector string // sector of the list of priorities; "" = not on it
	thousands         int    // people
	change            int    // in ten years, per cent
	demand            string // category of demand; "" for groups of two digits
}

// area is an area that is no council.
type area struct{ kind, code, name, welsh, small string }

// lists is everything that is written down and not made up by the seed.
type lists struct {
	skills   []skillEntry
	jobs     []job
	councils []council
	areas    []area
	// occupations are those of the publications on skills.
	occupations []occupation
	outlines    map[string]string // by code of a borough: "longitude,latitude" of each point
	boroughs    []int             // councils that the platform serves
	common      []int             // skills with a spread
	rare        []int             // skills that no job names
	errs        []error
	bySlug      map[string]int
}

// load reads the lists. All faults are reported at once.
func load() (*lists, error) {
	l := &lists{bySlug: map[string]int{}, outlines: map[string]string{}}
	l.each("skills.tsv", 5, l.addSkill)
	l.each("jobs.tsv", 7, l.addJob)
	l.each("councils.tsv", 11, l.addCouncil)
	l.each("areas.tsv", 5, func(c []string) {
		l.areas = append(l.areas, area{kind: c[0], code: c[1], name: c[2], welsh: c[3], small: c[4]})
	})
	l.each("occupations.tsv", 6, func(c []string) {
		l.occupations = append(l.occupations, occupation{soc: c[0], name: c[1], sector: c[2], thousands: l.number(c[3]), change: l.number(c[4]), demand: c[5]})
	})
	l.each("outlines.tsv", 2, func(c []string) { l.outlines[c[0]] = c[1] })
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

// each calls add for every line of a list that is no remark.
func (l *lists) each(name string, columns int, add func([]string)) {
	raw, err := embedded.ReadFile("lists/" + name)
	if err != nil {
		l.errs = append(l.errs, fmt.Errorf("read %s: %w", name, err))
		return
	}
	for i, line := range strings.Split(strings.TrimRight(string(raw), "\n"), "\n") {
		c := strings.Split(line, "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case len(c) != columns:
			l.errs = append(l.errs, fmt.Errorf("%s line %d: %d columns, want %d", name, i+1, len(c), columns))
		default:
			add(c)
		}
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
	l.councils = append(l.councils, council{code: c[0], name: c[1], welsh: c[2], region: c[3], lsip: c[4], itl3: c[5], ttwa: c[6],
		slug: c[7], lat: l.degrees(c[8]), lon: l.degrees(c[9]), people: l.number(c[10])})
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
