package sandbox

import (
	"embed"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"

	"labour/sources/fakepublishers"
)

// embedded holds the data from which a made-up world is generated: templates of the configuration
// and of publications, tables of the geography portal, and lists.
//
//go:embed labour.yaml documents geography lists
var embedded embed.FS

// skillEntry is one skill in the platform's list of skills, with the words for it in adverts.
type skillEntry struct {
	slug string
	// sentence form: n for "good ...", x for "experience of ...", h for "you must have ..."
	form   byte
	spread int // weight among the skills that any job may require; 0 = only jobs that list it
	level  int // usual level of the skill, 1 to 5
	words  []string
}

// need is a skill that a job requires, with the required level.
type need struct {
	skill    int // index of the skill in lists.skills
	level    int
	optional bool
}

type job struct {
	titles           []string
	soc, sector      string
	weight           int
	platform, boards bool
	course           int // level of the job's apprenticeship; 0 = not an apprenticeship
	low, high        int // lowest and highest pay in thousands of pounds a year
	needs            []need
}

// council is a real council area. If it has a population, it is one of the boroughs that the
// platform serves.
type council struct {
	code, name, region, slug string
	lat, lon                 float64
	people                   int // population in thousands; 0 = not served by the platform
}

// area is an official area that is not a council, such as a region.
type area struct{ kind, code, name string }

// lists holds embedded data for generating adverts and residents, such as skills, jobs and
// councils.
type lists struct {
	skills   []skillEntry
	jobs     []job
	councils []council
	areas    []area
	portal   map[string]fakepublishers.ArcGISTable
	boroughs []int // indices of the councils that the platform serves
	common   []int // indices of the skills that any job may require
	rare     []int // indices of the skills that no kind of job lists
	bySlug   map[string]int
}

// texts holds words and phrases for made-up texts, and some official names.
var texts = func() (t struct {
	NameHeads  []string              `json:"name_heads"` // first parts of employers' names
	NameTails  []string              `json:"name_tails"`
	Styles     map[string][]string   `json:"styles"` // last words of employers' names, by sector
	Routes     map[string]string     `json:"routes"` // official sector names, by sector
	Openings   []string              `json:"openings"`
	Duties     []string              `json:"duties"`
	Hours      []string              `json:"hours"`
	Offers     []string              `json:"offers"`
	TitleEnds  []string              `json:"title_ends"`
	Outside    []string              `json:"outside"` // places near London
	Abroad     []string              `json:"abroad"`
	Nowhere    []string              `json:"nowhere"`
	SoftSkills map[string]string     `json:"soft_skills"` // labels in the apprenticeship service's closed list
	JobsAdded  map[string]float64    `json:"jobs_added"`  // jobs to add to the population, in thousands, by borough
	Wording    map[string][][]string `json:"wording"`     // wordings of skills, by form and level
	Subjects   []struct {
		Name  string  `json:"name"`
		Share float64 `json:"share"` // share of the apprenticeship starts
	} `json:"subjects"` // sector subject areas
}) {
	b, _ := embedded.ReadFile("lists/texts.json")
	_ = json.Unmarshal(b, &t) // a test checks that this and all lists can be read
	return t
}()

// load parses the embedded lists of skills, jobs, councils and more.
func load() *lists {
	l := &lists{bySlug: map[string]int{}}
	for _, c := range rows("lists/skills.tsv") {
		l.addSkill(c)
	}
	for _, c := range rows("lists/jobs.tsv") {
		l.addJob(c)
	}
	for _, c := range rows("lists/councils.tsv") {
		l.councils = append(l.councils, council{code: c[0], name: c[1], region: c[2],
			slug: c[3], lat: degrees(c[4]), lon: degrees(c[5]), people: number(c[6])})
	}
	for _, c := range rows("lists/areas.tsv") {
		l.areas = append(l.areas, area{kind: c[0], code: c[1], name: c[2]})
	}
	l.portal = portalTables()
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
	return l
}

// rows returns the rows of the embedded list in the named file, split into columns. It leaves out
// comments.
func rows(name string) [][]string {
	f, _ := embedded.Open(name)
	r := csv.NewReader(f)
	r.Comma, r.Comment = '\t', '#'
	all, _ := r.ReadAll()
	return all
}

func (l *lists) addSkill(c []string) {
	l.bySlug[c[0]] = len(l.skills)
	l.skills = append(l.skills, skillEntry{slug: c[0], form: c[1][0], spread: number(c[2]), level: number(c[3]),
		words: strings.Split(c[4], "|")})
}

func (l *lists) addJob(c []string) {
	low, high, _ := strings.Cut(c[5], "-")
	j := job{titles: strings.Split(c[0], "|"), soc: c[1], sector: c[2], weight: number(c[3]),
		platform: strings.Contains(c[4], "p"), boards: strings.Contains(c[4], "b"), low: number(low),
		high: number(high)}
	if _, level, ok := strings.Cut(c[4], "a"); ok {
		j.course = number(level)
	}
	for _, word := range strings.Fields(c[6]) {
		word, optional := strings.CutSuffix(word, "?")
		slug, level, stated := strings.Cut(word, ":")
		i := l.bySlug[slug]
		n := need{skill: i, level: l.skills[i].level, optional: optional}
		if stated {
			n.level = number(level)
		}
		j.needs = append(j.needs, n)
	}
	l.jobs = append(l.jobs, j)
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func degrees(s string) float64 {
	d, _ := strconv.ParseFloat(s, 64)
	return d
}
