package occupation

// byGrade returns the occupation of a manager's title, such as "Head of X" or "X Director". It
// looks for a known title for the manager of X, such as "X manager". If there is none, it tries
// again with fewer words of X.
func byGrade(ix *index, t reading) Coding {
	function, forms := gradeFunction(t)
	for i := range function {
		for _, part := range [][]string{function[i:], function[:len(function)-i]} {
			sure := 0.85 - 0.2*float64(i)
			for _, form := range forms {
				soc, ok := ix.find(form.before, part, form.after)
				if ok && !(form.school && soc[:2] == "23") {
					return Coding{SOC: soc, Confidence: sure - form.doubt, MatchedBy: MatchManager}
				}
			}
		}
	}
	return Coding{}
}

// gradeForm is a pattern for a manager's title, such as "head of X". It has the words before and
// after X. doubt is subtracted from the confidence of a match. If school is true, the title may
// also be a teacher's. In that case teaching occupations that match are ignored, because a director
// of science does not teach.
type gradeForm struct {
	before, after []string
	doubt         float64
	school        bool
}

var (
	directorForms = []gradeForm{
		{after: []string{"director"}},
		{before: []string{"director", "of"}},
		{before: []string{"head", "of"}, school: true},
		{after: []string{"lead"}, doubt: 0.1},
		{after: []string{"manager"}, doubt: 0.15},
	}
	headForms = append([]gradeForm{{before: []string{"head", "of"}}}, directorForms...)
	leadForms = []gradeForm{{after: []string{"manager"}, doubt: 0.15}}
)

// gradeFunction splits a manager's title, such as "Head of Finance". It returns the words for what
// the person manages, such as "finance", and the patterns of official titles that may mean the
// same. It returns nil for other titles.
func gradeFunction(t reading) ([]string, []gradeForm) {
	words, forms := t.core, directorForms
	switch n := len(words); {
	case n > 2 && grades[words[0]] && words[1] == "of":
		if words[0] == "head" {
			forms = headForms
		}
		words = words[2:]
	case n > 1 && (words[0] == "vp" || words[0] == "director"):
		words = words[1:]
	case n > 1 && (words[n-1] == "vp" || words[n-1] == "director"):
		words = words[:n-1]
	case n == 1 && grades[words[0]] && len(t.suffixes) > 0:
		words = t.suffixes[0]
	case n > 1 && words[n-1] == "lead" && headOf(words[:n-1]) < 0:
		words, forms = words[:n-1], leadForms
	default:
		return nil, nil
	}
	for _, w := range words {
		if grades[w] {
			return nil, nil
		}
	}
	return words, forms
}

// byPhrase returns the occupation of the longest known job title inside a title. The known title
// must contain the head noun, such as "engineer". If there is no head noun, the known title must
// have at least two words. byPhrase returns the zero Coding if the known title is too vague, or if
// there is none.
func byPhrase(ix *index, t reading) Coding {
	words, head := t.core, headOf(t.core)
	from, to, soc := ix.longest(words, head)
	if to == from && endsInLead(words) {
		words = words[:len(words)-1]
		head = headOf(words)
		from, to, soc = ix.longest(words, head)
	}
	n := to - from
	isVagueWord := n == 1 && head < 0
	isVaguePart := n < len(words) && tooWide(words[from:to])
	if n == 0 || isVagueWord || isVaguePart {
		return Coding{}
	}
	share := float64(n) / float64(len(words))
	c := Coding{SOC: soc, Confidence: 0.5 + 0.35*share, MatchedBy: MatchPhrase}
	if n == 1 {
		c.Confidence -= 0.1
	}
	if head < 0 {
		c.Confidence -= 0.05
	}
	return c
}

// endsInLead reports whether a title ends in "lead" after another role, as in "Data Scientist
// Lead". In such a title, the other role is the occupation.
func endsInLead(words []string) bool {
	n := len(words)
	return n > 1 && words[n-1] == "lead" && headOf(words[:n-1]) >= 0
}

// tooWide reports whether a known job title is too vague to determine the occupation of a longer
// title that contains it.
func tooWide(words []string) bool {
	switch len(words) {
	case 1:
		return weak[words[0]]
	case 2:
		return wide[words[0]] && weakAfterWide[words[1]]
	}
	return false
}
