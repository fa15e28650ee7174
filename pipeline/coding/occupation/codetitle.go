package occupation

import (
	"cmp"
	"slices"
)

// The values of Coding.MatchedBy. They name the rule that found the occupation of a title, the
// most reliable first.
const (
	// MatchWholeTitle means that the whole title is a known job title.
	MatchWholeTitle = "title"
	// MatchWithoutModifiers means that the words for seniority, contract and place were left out,
	// and the rest of the title is a known job title.
	MatchWithoutModifiers = "base"
	// MatchInverted means that the title is known in another word order: "Engineer, Software" is
	// "software engineer".
	MatchInverted = "inverted"
	// MatchManager means that the title is for the manager of a known department, such as "Head of
	// Finance".
	MatchManager = "grade"
	// MatchPhrase means that a known job title was found inside a longer title.
	MatchPhrase = "phrase"
	// MatchWordScores means that the occupation is not the result of a rule, but the most likely
	// one by the words of the title and of the advert's other texts.
	MatchWordScores = "words"
)

// The smallest confidence, from 0 to 1, with which a job title is coded to a group of SOC 2020.
const (
	// MinConfidenceUnitGroup is the smallest confidence, 0 to 1, at which a title is coded to a SOC
	// 2020 unit group (4 digits).
	MinConfidenceUnitGroup = 0.4
	// MinConfidenceMinorGroup is the smallest confidence, 0 to 1, at which a title is coded to a
	// SOC 2020 minor group (3 digits).
	MinConfidenceMinorGroup = 0.5
	// MinConfidenceSubMajorGroup is the smallest confidence, 0 to 1, at which a title is coded to a
	// SOC 2020 sub-major group (2 digits). Below it, the title has no code.
	MinConfidenceSubMajorGroup = 0.2
	// MinConfidenceOneWordTitle replaces MinConfidenceSubMajorGroup for titles of one word, such as
	// "Manager". It is a confidence from 0 to 1.
	MinConfidenceOneWordTitle = 0.3
)

// Coding is the occupation code of a job title, with its confidence.
type Coding struct {
	// SOC 2020 group: 4 digits, or 3 or 2 if the narrower group is uncertain; "" = unknown
	SOC        string
	Confidence float64 // how likely the code is right, 0 to 1; 0 if unknown
	MatchedBy  string  // rule that found the code, one of the Match constants; "" if unknown
}

// AdvertContext holds texts of an advert other than its title. They help to code an ambiguous
// title.
type AdvertContext struct {
	Text, Department, Employer string
}

// CodeTitle returns the occupation of a job title. It uses only the title.
func (r *Register) CodeTitle(title string) Coding {
	return r.CodeTitleInContext(title, AdvertContext{})
}

// CodeTitleInContext returns the occupation of a job title. If the title is ambiguous, it also uses
// the advert's other texts. It returns the zero Coding if no occupation is likely.
func (r *Register) CodeTitleInContext(title string, in AdvertContext) Coding {
	segments := split(title)
	if len(segments) == 0 {
		return Coding{}
	}
	for _, s := range segments {
		r.index.spelling.correct(s)
	}
	t := newReading(segments)
	rule := cmp.Or(byTitle(r.index, t), byInverted(r.index, t), byBase(r.index, t))
	if rule.SOC == "" {
		t.firstOfTwo()
		rule = cmp.Or(byBase(r.index, t), byGrade(r.index, t), byPhrase(r.index, t))
	}
	switch rule.MatchedBy {
	case MatchWholeTitle, MatchWithoutModifiers, MatchInverted:
		return rule
	}
	return r.weigh(&t, rule, in)
}

// weigh returns the occupation with the highest score, or the zero Coding if none is likely. The
// words of the title t add to the scores of occupations. rule is the result of a rule for the whole
// title, and adds to the score of its occupation. If no rule matched (rule is zero), the advert's
// other texts are scored instead.
func (r *Register) weigh(t *reading, rule Coding, in AdvertContext) Coding {
	var room [64]uint64
	m := r.model()
	scores := m.scores()
	m.add(scores, features(room[:0], t.core), 1)
	for _, words := range slices.Concat(t.suffixes, t.linkedWords) {
		m.add(scores, features(room[:0], words), sideWordWeight)
	}
	if rule.SOC != "" {
		scores[m.number[rule.SOC]] += float32(rule.Confidence) * trust[rule.MatchedBy]
	} else {
		r.addContext(scores, in)
	}
	unit, minor, major := m.best(scores)
	c := Coding{MatchedBy: MatchWordScores}
	switch {
	case unit.sure >= MinConfidenceUnitGroup:
		c.SOC, c.Confidence = unit.soc, unit.sure
		if unit.soc == rule.SOC {
			c.MatchedBy = rule.MatchedBy
		}
	case minor.sure >= MinConfidenceMinorGroup:
		c.SOC, c.Confidence = minor.soc, minor.sure
	case major.sure >= MinConfidenceOneWordTitle, major.sure >= MinConfidenceSubMajorGroup && len(t.core) > 1:
		c.SOC, c.Confidence = major.soc, major.sure
	default:
		return Coding{}
	}
	return c
}

// sideWordWeight is the weight of the less important words of a title, such as those after a comma.
// The words in reading.core have the weight 1.
const sideWordWeight = 0.5

// trust maps a rule (Coding.MatchedBy) to the amount that its result adds to the score of an
// occupation. The amount is multiplied by the confidence of the result.
var trust = map[string]float32{MatchManager: 12, MatchPhrase: 12}

// reading is a job title, split into its most important words and other words.
type reading struct {
	all []string // all words of the title, in order
	// main part of the title: the first segment that names a role, or else the first one with a
	// word that may name an occupation
	main []string
	base []string // words of main without words for seniority, such as "senior"
	// words of main that name the occupation; words for seniority, contract and place are left out,
	// and so are a link word such as "in" and all words after it
	core []string
	// words of the other segments, without words for seniority, contract and place
	suffixes [][]string
	// words after a link word such as "in": psychiatry in "Consultant in Psychiatry"
	linkedWords [][]string
}

func newReading(segments []segment) reading {
	t := reading{}
	for _, s := range segments {
		t.all = append(t.all, s...)
		core := bare(s)
		if n := linkAt(s); n > 0 {
			t.linkedWords = append(t.linkedWords, bare(s[n+1:]))
		}
		switch {
		case len(core) == 0:
		case t.main == nil:
			t.main = s
			t.base = dropGrades(s)
			t.core = core
		case headOf(t.core) < 0 && headOf(core) >= 0:
			t.suffixes = append(t.suffixes, t.core)
			t.main = s
			t.base = dropGrades(s)
			t.core = core
		default:
			t.suffixes = append(t.suffixes, core)
		}
	}
	if t.main == nil {
		t.main = segments[0]
	}
	return t
}

// bare returns the words of a title that name the occupation. It removes words for seniority,
// contract and place, and numbers. It keeps "lead" only at the end, as in "Marketing Lead".
func bare(words []string) []string {
	if n := linkAt(words); n > 0 {
		words = words[:n]
	}
	out := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		isSeniority := w != "lead" && seniority[w]
		if isSeniority || terms[w] {
			return true
		}
		return places[w] || requisition(w)
	})
	for len(out) > 0 && (out[len(out)-1] == "and" || out[len(out)-1] == "or") {
		out = out[:len(out)-1]
	}
	return onlyLastLead(out)
}

// linkAt returns the index of the first link word, such as "in", that comes after a role, such as
// "driver". It returns 0 if there is none.
func linkAt(words []string) int {
	for i, w := range words {
		if i > 0 && links[w] && headOf(words[:i]) >= 0 {
			return i
		}
	}
	return 0
}

// dropGrades returns the words of a title without words for seniority, such as "senior".
func dropGrades(words []string) []string {
	return onlyLastLead(slices.DeleteFunc(slices.Clone(words),
		func(w string) bool { return w != "lead" && seniority[w] }))
}

// onlyLastLead removes the word "lead" from a title, except at the end of a title of several words.
// It overwrites words.
func onlyLastLead(words []string) []string {
	kept := words[:0]
	for i, w := range words {
		if w != "lead" || i > 0 && i == len(words)-1 {
			kept = append(kept, w)
		}
	}
	return kept
}

// requisition reports whether a word of a title is a reference number or an amount of money. Such a
// word has at least three digits, or only digits. It returns false for names of services and
// machines, such as 999 and 360.
func requisition(w string) bool {
	switch w {
	case "999", "111", "360", "365":
		return false
	}
	n := 0
	for i := 0; i < len(w); i++ {
		if number(w[i]) {
			n++
		}
	}
	return n >= 3 || n > 0 && n == len(w)
}

// firstOfTwo changes a title that joins two roles with "and" or "or", so that only the first role
// is its main part. The words of the second role are moved to t.suffixes, which have a lower
// weight.
func (t *reading) firstOfTwo() {
	for i := 2; i < len(t.core)-1; i++ {
		joinsTwo := t.core[i] == "and" || t.core[i] == "or"
		if joinsTwo && roles[t.core[i-1]] && headOf(t.core[i+1:]) >= 0 {
			t.suffixes = append(t.suffixes, t.core[i+1:])
			t.main = t.core[:i]
			t.base = t.core[:i]
			t.core = t.core[:i]
			return
		}
	}
}

// codeTitle returns the occupation of the known job title that has exactly these words, as a Coding
// with the given confidence and rule (matchedBy). It returns the zero Coding if there is no such
// title. The slices in words are joined.
func (ix *index) codeTitle(confidence float64, matchedBy string, words ...[]string) (c Coding) {
	if soc, ok := ix.find(words...); ok {
		c = Coding{SOC: soc, Confidence: confidence, MatchedBy: matchedBy}
	}
	return c
}

func byTitle(ix *index, t reading) Coding { return ix.codeTitle(1, MatchWholeTitle, t.all) }

// byInverted returns the occupation of a title in another word order: it reads "Driver, Bus" as
// "bus driver". It returns the zero Coding if this is not a known job title.
func byInverted(ix *index, t reading) (c Coding) {
	for _, s := range t.suffixes {
		for _, main := range [][]string{t.main, t.base, t.core} {
			c = cmp.Or(c, ix.codeTitle(0.9, MatchInverted, s, main), ix.codeTitle(0.9, MatchInverted, main, s))
		}
	}
	return c
}

func byBase(ix *index, t reading) Coding {
	return cmp.Or(ix.codeTitle(0.95, MatchWithoutModifiers, t.main), ix.codeTitle(0.95, MatchWithoutModifiers, t.base),
		ix.codeTitle(0.9, MatchWithoutModifiers, t.core))
}

var reasons = map[string]string{
	MatchWholeTitle:       "the whole title is known",
	MatchWithoutModifiers: "the title is known without seniority, terms and place",
	MatchInverted:         "the title is known with its parts in another order",
	MatchManager:          "it is the head of a known function",
	MatchPhrase:           "it contains a known title",
	MatchWordScores:       "its words and the text of the advert make it likely",
}

// ExplainMatch describes a value of Coding.MatchedBy, such as "the whole title is known".
func ExplainMatch(matchedBy string) string {
	return cmp.Or(reasons[matchedBy], "nothing indicates an occupation")
}
