package newsfeeds

import (
	"regexp"
	"slices"
	"strings"

	"labour/sources"
)

// topic is one subject with the words by which a title names it.
type topic struct {
	name sources.Topic
	cues []string // in lower case; each matches at the beginning of a word
}

// topics is the closed list, in the order of their names. A cue is a whole word or
// several, or the beginning of one where it ends in *.
func topics() []topic {
	return []topic{
		{"apprenticeships", []string{"apprentice*", "apprenticeship*"}},
		{"economic_inactivity", []string{"economic inactivity", "economically inactive"}},
		{"employment", []string{"employment", "employment rate", "payrolled employees", "in work"}},
		{"hours_and_contracts", []string{"zero hours", "zero-hours", "hours worked", "flexible working", "part-time work"}},
		{"job_losses", []string{"redundanc*", "job losses", "job cuts", "jobs at risk"}},
		{"pay", []string{"pay", "wage*", "earnings", "salar*", "minimum wage", "living wage"}},
		{"productivity", []string{"productivity"}},
		{"recruitment", []string{"recruit*", "hiring", "job creation", "new jobs"}},
		{"skills", []string{"skills", "skills gap*", "skills shortage*", "training", "bootcamp*", "retraining"}},
		{"unemployment", []string{"unemploy*", "claimant count", "jobless*"}},
		{"vacancies", []string{"vacanc*", "job advert*", "job postings"}},
	}
}

// matcher finds the topics of a title.
type matcher struct {
	names    []sources.Topic
	patterns []*regexp.Regexp
}

// newMatcher compiles the list: words are bounded by anything that is no letter.
func newMatcher() matcher {
	var m matcher
	for _, t := range topics() {
		var words []string
		for _, cue := range t.cues {
			word, open := strings.CutSuffix(cue, "*")
			word = regexp.QuoteMeta(word)
			if open {
				word += `\pL*`
			}
			words = append(words, word)
		}
		m.names = append(m.names, t.name)
		m.patterns = append(m.patterns, regexp.MustCompile(`(^|[^\pL])(`+strings.Join(words, "|")+`)([^\pL]|$)`))
	}
	return m
}

// find are the topics that the texts name, sorted, each once. "Unemployment" does not
// name employment, since a cue begins a word.
func (m matcher) find(texts ...string) []sources.Topic {
	var found []sources.Topic
	for _, text := range texts {
		text = strings.ToLower(text)
		for i, p := range m.patterns {
			if !slices.Contains(found, m.names[i]) && p.MatchString(text) {
				found = append(found, m.names[i])
			}
		}
	}
	slices.Sort(found)
	return found
}
