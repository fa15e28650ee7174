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
	// MatchWithoutModifiers means that the title is known once words for seniority, contract and
	// place are removed.
	MatchWithoutModifiers = "base"
	// MatchInverted means that the title is known with its parts in another order: "Engineer,
	// Software" is "software engineer".
	MatchInverted = "inverted"
	// MatchManager means that the title names the manager of a known department, such as "Head of
	// Finance".
	MatchManager = "grade"
	// MatchPhrase means that a part of the title, with its head noun, is a known job title.
	MatchPhrase = "phrase"
	// MatchWordScores means that no rule decided. The words of the title and of the advert made one
	// occupation likely.
	MatchWordScores = "words"
)

// The smallest confidence, from 0 to 1, with which a job title is coded to a group of SOC 2020.
const (
	// MinConfidenceUnitGroup is the smallest confidence, 0 to 1, for coding a title to a unit group (4
	// digits) of SOC 2020.
	MinConfidenceUnitGroup = 0.4
	// MinConfidenceMinorGroup is the smallest confidence, 0 to 1, for coding a title to a minor group
	// (3 digits) of SOC 2020.
	MinConfidenceMinorGroup = 0.5
	// MinConfidenceSubMajorGroup is the smallest confidence, 0 to 1, for coding a title to a sub-major
	// group (2 digits) of SOC 2020. Below it, the title gets no code.
	MinConfidenceSubMajorGroup = 0.2
	// MinConfidenceOneWordTitle is the smallest confidence, 0 to 1, for coding a title of one word,
	// such as "Manager", to a sub-major group. It replaces MinConfidenceSubMajorGroup.
	MinConfidenceOneWordTitle = 0.3
)

// Coding is the occupation code found for a job title.
type Coding struct {
	// SOC 2020 group: 4 digits, or 3 or 2 if the narrower group is uncertain; "" = unknown
	SOC        string
	Confidence float64 // how likely the code is right, 0 to 1; 0 if unknown
	MatchedBy  string  // rule that found the code, one of the Match constants; "" if unknown
}

// AdvertContext holds an advert's texts besides its title. They help if the title alone is ambiguous.
type AdvertContext struct {
	Text, Department, Employer string
}

// CodeTitle returns the occupation of a job title, using only the title.
func (r *Register) CodeTitle(title string) Coding {
	return r.CodeTitleInContext(title, AdvertContext{})
}

// CodeTitleInContext returns the occupation of a job title, using the advert's other texts if the
// title is ambiguous. If no occupation is likely, the result is the zero Coding.
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

// weigh returns the most likely occupation, or the zero Coding if none is likely. It combines the
// scores of the title's words with the result of the rule that matched. If no rule matched, it
// combines them with the advert's other texts.
func (r *Register) weigh(t *reading, rule Coding, in AdvertContext) Coding {
	var room [64]uint64
	m := r.model()
	scores := m.scores()
	m.add(scores, features(room[:0], t.core), 1)
	for _, words := range slices.Concat(t.suffixes, t.linkedWords) {
		m.add(scores, features(room[:0], words), besideTitle)
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

// besideTitle is the weight of words outside the main part of a title. Words of the main part have
// the weight 1.
const besideTitle = 0.5

// trust maps a rule (Coding.MatchedBy) to the amount that the rule adds to the score of the
// occupation that it found. The amount is multiplied by the confidence of the rule's result.
var trust = map[string]float32{MatchManager: 12, MatchPhrase: 12}

// reading is a job title split into its parts.
type reading struct {
	all []string // all words of the title, in order
	// main part of the title: the first segment that names a role, else the first with a
	// distinctive word
	main []string
	base []string // words of the main part without those of seniority, such as "senior"
	// words of the main part without seniority, terms of contract, place, and what follows a link
	// word such as "in"
	core []string
	// words of the other segments, each without seniority, terms of contract and place
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

// bare returns the words of a title that name the occupation, without seniority, terms of contract,
// places and numbers. "Lead" is kept only at the end ("Marketing Lead").
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

// linkAt returns the index of the first link word ("in", "based") after a word for a role, such as
// "driver". It returns 0 if there is none.
func linkAt(words []string) int {
	for i, w := range words {
		if i > 0 && links[w] && headOf(words[:i]) >= 0 {
			return i
		}
	}
	return 0
}

// dropGrades returns the words of a title without words of seniority, such as "senior".
func dropGrades(words []string) []string {
	return onlyLastLead(slices.DeleteFunc(slices.Clone(words),
		func(w string) bool { return w != "lead" && seniority[w] }))
}

// onlyLastLead removes each word "lead" from a title, unless it is the last of several words. The
// result reuses the memory of words.
func onlyLastLead(words []string) []string {
	kept := words[:0]
	for i, w := range words {
		if w != "lead" || i > 0 && i == len(words)-1 {
			kept = append(kept, w)
		}
	}
	return kept
}

// requisition reports whether a word of a title is a reference number or an amount of money. Such
// a word has three digits or more, or only digits. Exceptions are numbers that name a service or
// machine, such as 999 and 360.
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

// firstOfTwo shortens a title that joins two roles with "and" or "or" to the first role. The second
// role is added to t.suffixes.
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

// codeTitle returns the occupation of the known job title that consists of exactly these words, or
// the zero Coding. The words of the title may be passed in several slices, in order.
func (ix *index) codeTitle(confidence float64, matchedBy string, words ...[]string) (c Coding) {
	if soc, ok := ix.find(words...); ok {
		c = Coding{SOC: soc, Confidence: confidence, MatchedBy: matchedBy}
	}
	return c
}

func byTitle(ix *index, t reading) Coding { return ix.codeTitle(1, MatchWholeTitle, t.all) }

// byInverted returns the occupation of a title whose parts are in another order: "Driver, Bus" is
// read as "bus driver".
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

// ExplainMatch returns an explanation in words for a value of Coding.MatchedBy.
func ExplainMatch(matchedBy string) string {
	return cmp.Or(reasons[matchedBy], "nothing indicates an occupation")
}
