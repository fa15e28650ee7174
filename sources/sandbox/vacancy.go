package sandbox

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"labour/sources"
)

// requiredSkill is a skill that a made-up advert requires, with the required level.
type requiredSkill struct {
	skill    int  // index of the skill in lists.skills
	level    int  // level that the advert requires, 1 to 5
	isStated bool // whether the advert's text states the level
}

// vacancy is one made-up advert in one source. A vacancy that appears in two sources has two
// adverts.
type vacancy struct {
	number       int // number among all adverts of the world, from 0
	source       string
	id           string
	origin       sources.Origin
	unlisted     bool
	employer     int // index of the employer
	job          int // index of the job in lists.jobs
	title        string
	requisition  string
	applyURL     string
	postingDay   sources.Date // day of posting; the zero Date if not stated
	closes       sources.Date
	boroughs     []int  // boroughs of the place of work, by index, the main one first
	council      int    // for apprenticeships outside London, index in lists.councils; else -1
	place        string // free text on a board, or a place that is not a borough
	remote       bool
	nationwide   bool
	imported     bool // whether the apprenticeship service imported the advert from another board
	isDuplicated bool // whether the platform shows a copy of the advert
	planted      bool // whether the advert has a deliberate change, to test a counting rule
	unreadable   bool // whether the date of posting is made invalid
	course       int
	requirements []requiredSkill
}

// Sources of made-up adverts: the platform, employers' boards and the apprenticeship service.
const (
	fromPlatform = "platform"
	fromBoard    = "board"
	fromService  = "service"
)

// whereOnPlatform sometimes changes the place of work of a platform advert to two boroughs, the
// whole country or a place outside London.
func (w *World) whereOnPlatform(c rng, v *vacancy) {
	switch x := c.Float64(); {
	case x < 0.05:
		if second := w.near[v.boroughs[0]][c.between(1, 6)]; !slices.Contains(v.boroughs, second) {
			v.boroughs = append(v.boroughs, second)
		}
	case x < 0.06:
		v.nationwide, v.boroughs = true, nil
	case x < 0.07:
		v.place, v.boroughs = c.pick(texts.Outside), nil
	}
}

// opening generates an advert in one of the employer's boroughs. source is the source in which the
// advert appears. e is the index of the employer, and j is the index of the job in lists.jobs.
func (w *World) opening(c rng, source string, e, j int) vacancy {
	emp := w.employers[e]
	at := emp.homes[c.IntN(len(emp.homes))]
	v := vacancy{source: source, employer: e, job: j, council: -1, boroughs: []int{at}, requirements: w.requirements(c, j)}
	v.title = c.pick(w.lists.jobs[j].titles)
	if source != fromService && c.one(0.3) {
		v.title += c.pick(texts.TitleEnds)
	}
	if c.one(0.5) {
		v.requisition = fmt.Sprintf("%s-%d", string(emp.Name[0]), c.between(10000, 99999))
	}
	return v
}

// requirements returns the skills that an advert for job j requires, with their levels. They are a
// random selection of the job's own skills, and some skills that any job may require.
func (w *World) requirements(c rng, j int) []requiredSkill {
	var out []requiredSkill
	add := func(skill, level int) {
		if slices.ContainsFunc(out, func(a requiredSkill) bool { return a.skill == skill }) {
			return
		}
		switch x := c.Float64(); {
		case x < 0.16:
			level--
		case x > 0.86:
			level++
		}
		a := requiredSkill{skill: skill, level: min(max(level, 1), 5), isStated: c.one(0.85)}
		if w.lists.skills[skill].form == 'h' {
			a.level, a.isStated = w.lists.skills[skill].level, false
		}
		out = append(out, a)
	}
	for _, n := range w.lists.jobs[j].needs {
		if n.optional && c.one(0.55) || c.one(0.06) {
			continue
		}
		add(n.skill, n.level)
	}
	for range c.between(1, 4) {
		s := w.lists.common[w.distributions.common.draw(c)]
		add(s, w.lists.skills[s].level)
	}
	if c.one(0.02) && len(w.lists.rare) > 0 {
		s := w.lists.rare[c.IntN(len(w.lists.rare))]
		add(s, w.lists.skills[s].level)
	}
	if c.one(0.02) {
		s := c.IntN(len(w.lists.skills))
		add(s, w.lists.skills[s].level)
	}
	return out
}

// section is a section of an advert's text: a heading, paragraphs and list items.
type section struct {
	heading string
	paras   []string
	bullets []string
}

// text generates the text of an advert in sections. Two adverts for the same vacancy usually have
// different wording.
func (w *World) text(v *vacancy) []section {
	c := w.rng(streamText + uint64(v.number))
	e, j := w.employers[v.employer], w.lists.jobs[v.job]
	where := "London"
	if len(v.boroughs) > 0 {
		where = w.borough(v.boroughs[0]).name
	}
	intro := fmt.Sprintf(c.pick(texts.Openings), e.Name, article(j.titles[0]), where)
	wants := w.requirementLines(c, v)
	out := []section{{paras: []string{intro}},
		{heading: c.pick([]string{"About the role", "The role", "What you will do"}),
			paras: []string{c.pick(texts.Duties), c.pick(texts.Hours)}},
		{heading: c.pick([]string{"What you will need", "About you", "Requirements", "Skills and experience"}),
			bullets: wants},
		{heading: "What we offer", bullets: []string{pay(v, j), c.pick(texts.Offers), c.pick(texts.Offers)}}}
	if c.one(0.4) {
		out = append(out,
			section{heading: "How to apply",
				paras: []string{"Apply online before the closing date. Interviews take place soon after."}})
	}
	return out
}

// requirementLines returns a line of text for each skill that the advert requires.
func (w *World) requirementLines(c rng, v *vacancy) []string {
	lines := make([]string, 0, len(v.requirements))
	for _, a := range v.requirements {
		s := w.lists.skills[a.skill]
		level := a.level
		if !a.isStated {
			level = 0
		}
		ways := texts.Wording[string(s.form)] // by level; 0 is not stated, and a licence has no levels
		lines = append(lines, upperFirst(fmt.Sprintf(c.pick(ways[min(level, len(ways)-1)]), c.pick(s.words))))
	}
	c.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	return lines
}

// form is a text format, either plain text or HTML. It has patterns for headings, paragraphs and
// lists.
type form struct{ heading, para, list, item, end string }

var (
	plain  = form{"\n%s\n", "%s\n", "", "- %s\n", ""}
	markup = form{"<h3>%s</h3>", "<p>%s</p>", "<ul>", "<li>%s</li>", "</ul>"}
)

func (f form) write(text []section) string {
	var b strings.Builder
	line := func(form, text string) {
		if f == markup {
			text = html.EscapeString(text)
		}
		fmt.Fprintf(&b, form, text)
	}
	for _, s := range text {
		if s.heading != "" {
			line(f.heading, s.heading)
		}
		for _, p := range s.paras {
			line(f.para, p)
		}
		if len(s.bullets) > 0 {
			b.WriteString(f.list)
			for _, l := range s.bullets {
				line(f.item, l)
			}
			b.WriteString(f.end)
		}
	}
	return strings.TrimSpace(b.String())
}

func pay(v *vacancy, j job) string {
	low := j.low*1000 + v.number%5*250
	if v.course > 0 {
		low = low * 3 / 4
		return fmt.Sprintf("£%s a year", thousands(low))
	}
	return fmt.Sprintf("£%s to £%s a year", thousands(low), thousands(j.high*1000))
}

func thousands(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }

func article(title string) string {
	title = lowerFirst(title)
	if strings.ContainsRune("aeiou", rune(title[0])) {
		return "an " + title
	}
	return "a " + title
}

// lowerFirst changes the first letter of s to lower case. It does not change abbreviations such as
// "IT".
func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
