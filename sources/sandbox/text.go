package sandbox

import (
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// section is a part of an advert's text under a heading; the first has none.
type section struct {
	heading string
	paras   []string
	bullets []string
}

// text makes up the text of a vacancy, in sections. Two adverts of one vacancy
// have the same wording only by chance, as in life.
func (w *World) text(v *vacancy) []section {
	c := w.chance(streamText + uint64(v.number))
	e, j := w.employers[v.employer], w.lists.jobs[v.job]
	where := "London"
	if len(v.boroughs) > 0 {
		where = w.borough(v.boroughs[0]).name
	}
	intro := fmt.Sprintf(c.pick(openings), e.name, article(j.titles[0]), where)
	wants := w.wants(c, v)
	out := []section{{paras: []string{intro}},
		{heading: c.pick([]string{"About the role", "The role", "What you will do"}), paras: []string{c.pick(duties), c.pick(hours)}},
		{heading: c.pick([]string{"What you will need", "About you", "Requirements", "Skills and experience"}), bullets: wants},
		{heading: "What we offer", bullets: []string{pay(v, j), c.pick(offers), c.pick(offers)}}}
	if c.one(0.4) {
		out = append(out, section{heading: "How to apply", paras: []string{"Apply online before the closing date. Interviews take place soon after."}})
	}
	return out
}

var (
	openings = []string{"%s has an opening for %s in %s.", "%s is looking for %s in %s.", "%s is hiring %s, based in %s.", "At %s there is a place for %s in %s."}
	duties   = []string{"No two days are the same, and you will see the effect of what you do.", "You start with two weeks beside a colleague who knows the place.",
		"You will be one of a dozen colleagues, in a place that has grown for some years.", "The post is new, so there is room to shape it."}
	hours = []string{"The week has 37 hours, from Monday to Friday.", "Shifts are early, late and on some weekends.", "The hours are flexible; tell us what suits you.",
		"You work four days of the week, with Fridays free."}
	offers = []string{"28 days of holiday and the public holidays", "A pension, and a season ticket loan", "A quiet room, a bicycle shed and good tea",
		"Paid time for further courses", "Sick pay from the first day", "A discount at local shops"}
)

// wants is a line for every skill that is asked, in the words of adverts.
func (w *World) wants(c chance, v *vacancy) []string {
	lines := make([]string, 0, len(v.asked))
	for _, a := range v.asked {
		s := w.lists.skills[a.skill]
		level := a.level
		if !a.stated {
			level = 0
		}
		lines = append(lines, fmt.Sprintf(c.pick(wording(s.form, level)), c.pick(s.words)))
	}
	c.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	for i := range lines {
		lines[i] = upperFirst(lines[i])
	}
	return lines
}

// wording are the ways in which a skill is asked for at a level; 0 is unstated.
func wording(form byte, level int) []string {
	switch form {
	case 'h':
		return []string{"You must have %s", "%s, which is essential", "You need %s for this post"}
	case 'n':
		return [...][]string{{"You show %s", "%s"}, {"Basic %s"}, {"Basic %s"}, {"Good %s", "Solid %s"},
			{"Excellent %s", "Strong %s"}, {"Expert %s"}}[level]
	}
	return [...][]string{{"Experience of %s", "Experience with %s"}, {"Some awareness of %s"}, {"Basic knowledge of %s", "Some knowledge of %s"},
		{"A working knowledge of %s", "Good knowledge of %s", "Two years of experience with %s"},
		{"Strong experience of %s", "Advanced knowledge of %s", "Five years of experience with %s"}, {"Expert knowledge of %s"}}[level]
}

// plain is the text without mark-up.
func plain(text []section) string {
	var b strings.Builder
	for _, s := range text {
		if s.heading != "" {
			b.WriteString("\n" + s.heading + "\n")
		}
		for _, p := range s.paras {
			b.WriteString(p + "\n")
		}
		for _, l := range s.bullets {
			b.WriteString("- " + l + "\n")
		}
	}
	return strings.TrimSpace(b.String())
}

func markup(text []section) string {
	var b strings.Builder
	for _, s := range text {
		if s.heading != "" {
			b.WriteString("<h3>" + html.EscapeString(s.heading) + "</h3>")
		}
		for _, p := range s.paras {
			b.WriteString("<p>" + html.EscapeString(p) + "</p>")
		}
		if len(s.bullets) > 0 {
			b.WriteString("<ul>")
			for _, l := range s.bullets {
				b.WriteString("<li>" + html.EscapeString(l) + "</li>")
			}
			b.WriteString("</ul>")
		}
	}
	return b.String()
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

// lowerFirst lowers the first letter, but not that of an abbreviation.
func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
