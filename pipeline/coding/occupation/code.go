package occupation

// Ways a title was coded, in Coding.MatchedBy, the surest first.
const (
	ByTitle    = "title"    // the whole title is known
	ByBase     = "base"     // known once seniority, terms and place are taken off
	ByInverted = "inverted" // known with its parts turned round ("Engineer, Software")
	ByGrade    = "grade"    // head or director of a known function
	ByPhrase   = "phrase"   // the longest known title inside it, holding its head noun
	ByOverlap  = "overlap"  // the known title with the same head noun that shares most words
)

// Floor is the confidence below which a title stays uncoded.
const Floor = 0.5

// Coding is the occupation found for a title.
type Coding struct {
	SOC        string  // unit group of SOC 2020, 4 digits; "" = unknown
	Confidence float64 // 0..1; 0 when unknown. An order, not a probability.
	MatchedBy  string  // one of the By constants; "" when unknown
}

// Code finds the unit group of a job title. A title that is not sure enough
// stays unknown: a wrong occupation would be published, an unknown one is
// counted as unknown.
func (r *Register) Code(title string) Coding {
	segments := split(title)
	if len(segments) == 0 {
		return Coding{}
	}
	t := newReading(segments)
	for _, rule := range rules {
		if c := rule(r.index, t); c.SOC != "" && c.Confidence >= Floor {
			return c
		}
	}
	return Coding{}
}

// reading is a title taken apart once for all rules.
type reading struct {
	all      []string   // every word in order
	main     []string   // the first segment that names a role, else the first with words of its own; as written
	base     []string   // main without seniority
	core     []string   // main without seniority, terms, place and what follows a link word
	suffixes [][]string // cores of the other segments
}

func newReading(segments []segment) reading {
	t := reading{}
	for _, s := range segments {
		t.all = append(t.all, s...)
		core := bare(s)
		switch {
		case len(core) == 0:
		case t.main == nil:
			t.main, t.base, t.core = s, ungraded(s), core
		case headOf(t.core) < 0 && headOf(core) >= 0:
			t.suffixes = append(t.suffixes, t.core)
			t.main, t.base, t.core = s, ungraded(s), core
		default:
			t.suffixes = append(t.suffixes, core)
		}
	}
	if t.main == nil {
		t.main = segments[0]
	}
	return t
}

// bare takes off everything that does not say the occupation. "Lead" is
// seniority before a title and a role at its end ("Marketing Lead").
func bare(words []string) []string {
	out := make([]string, 0, len(words))
	for i, w := range words {
		if links[w] && i > 0 && headOf(out) >= 0 {
			break
		}
		if (w == "lead" || !seniority[w]) && !terms[w] && !places[w] && !requisition(w) {
			out = append(out, w)
		}
	}
	for len(out) > 0 && (out[len(out)-1] == "and" || out[len(out)-1] == "or") {
		out = out[:len(out)-1]
	}
	return onlyLastLead(out)
}

// ungraded takes off seniority alone.
func ungraded(words []string) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		if w == "lead" || !seniority[w] {
			out = append(out, w)
		}
	}
	return onlyLastLead(out)
}

// onlyLastLead takes off every "lead" but one that ends a title. It changes
// the slice in place.
func onlyLastLead(words []string) []string {
	kept := words[:0]
	for i, w := range words {
		if w != "lead" || i > 0 && i == len(words)-1 {
			kept = append(kept, w)
		}
	}
	return kept
}

// requisition says whether a word is a number of the employer's or an amount
// of money: three digits or more, unless it is a telephone number people work
// at (999, 111) or the plant they drive (360).
func requisition(w string) bool {
	if w == "999" || w == "111" || w == "360" || w == "365" {
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

var rules = []func(*index, reading) Coding{byTitle, byInverted, byBase, byGrade, byPhrase, byOverlap}

func byTitle(ix *index, t reading) Coding {
	if soc, ok := ix.find(t.all); ok {
		return Coding{SOC: soc, Confidence: 1, MatchedBy: ByTitle}
	}
	return Coding{}
}

// byInverted tries the parts after a comma, dash or bracket before and after
// the main part, so that "Driver, Bus" is a bus driver and not a driver.
func byInverted(ix *index, t reading) Coding {
	for _, s := range t.suffixes {
		for _, main := range [][]string{t.main, t.base, t.core} {
			if soc, ok := ix.find(s, main); ok {
				return Coding{SOC: soc, Confidence: 0.9, MatchedBy: ByInverted}
			}
			if soc, ok := ix.find(main, s); ok {
				return Coding{SOC: soc, Confidence: 0.9, MatchedBy: ByInverted}
			}
		}
	}
	return Coding{}
}

func byBase(ix *index, t reading) Coding {
	if soc, ok := ix.find(t.main); ok {
		return Coding{SOC: soc, Confidence: 0.95, MatchedBy: ByBase}
	}
	if soc, ok := ix.find(t.base); ok && len(t.base) > 0 {
		return Coding{SOC: soc, Confidence: 0.95, MatchedBy: ByBase}
	}
	if soc, ok := ix.find(t.core); ok && len(t.core) > 0 {
		return Coding{SOC: soc, Confidence: 0.9, MatchedBy: ByBase}
	}
	return Coding{}
}
