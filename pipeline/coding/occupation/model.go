package occupation

import (
	"cmp"
	"math"
	"slices"
)

// model tells how likely each unit group is for the words of a title: naive Bayes
// over the known titles. A group with few titles of its own leans on its minor
// group, that one on its sub-major group, and that one on all titles.
type model struct {
	units   []unit
	number  map[string]int16 // of a unit group, by its code
	minors  []string
	majors  []string
	spans   map[uint64]span // of a feature: the place of its weights
	weights []weight
}

type unit struct {
	code         string
	minor, major int16
	prior        float32
	absent       float32 // weight of a feature that no title of the sub-major group has
}

type span struct{ from, to int32 }

// weight is how much more a feature speaks for a unit group than its absence.
type weight struct {
	unit int16
	more float32
}

// example is a feature of a known title.
type example struct {
	feature uint64
	unit    int16
}

// How strongly a group leans on the next wider one, in titles; how much the number
// of titles of a group says about the number of its adverts; and how far the
// features of one title, which say the same thing several times, are believed.
const (
	lean        = 4
	priorWeight = 0.3
	belief      = 0.37
)

func newModel(groups []Group, titles []phrase) *model {
	m := &model{number: map[string]int16{}, spans: map[uint64]span{}}
	for _, g := range groups { // each after those that hold it
		switch g.Digits {
		case 2:
			m.majors = append(m.majors, g.Code)
		case 3:
			m.minors = append(m.minors, g.Code)
		case 4:
			m.number[g.Code] = int16(len(m.units))
			m.units = append(m.units, unit{code: g.Code, minor: int16(len(m.minors) - 1), major: int16(len(m.majors) - 1)})
		}
	}
	total := m.newCounts()
	examples := make([]example, 0, 8*len(titles))
	var room []uint64
	for i := range titles {
		t := &titles[i]
		number := m.number[t.soc]
		total.add(&m.units[number], number)
		room = features(room[:0], t.words)
		for _, f := range room {
			examples = append(examples, example{f, number})
		}
	}
	slices.SortFunc(examples, func(a, b example) int { return cmp.Compare(a.feature, b.feature) })
	m.learn(total, examples)
	return m
}

// counts are titles by group.
type counts struct {
	unit, minor, major []float64
	all                float64
}

func (m *model) newCounts() *counts {
	return &counts{unit: make([]float64, len(m.units)), minor: make([]float64, len(m.minors)), major: make([]float64, len(m.majors))}
}

func (c *counts) add(u *unit, number int16) {
	c.unit[number]++
	c.minor[u.minor]++
	c.major[u.major]++
	c.all++
}

// learn weighs every feature; the examples are in the order of their features.
func (m *model) learn(total *counts, examples []example) {
	for i := range m.units {
		u := &m.units[i]
		u.prior = float32(priorWeight * math.Log(total.unit[i]+1))
		u.absent = float32(math.Log(lean / (total.unit[i] + lean) * lean / (total.minor[u.minor] + lean) * lean / (total.major[u.major] + lean)))
	}
	here := m.newCounts()
	for from := 0; from < len(examples); {
		to := from
		clear(here.unit)
		clear(here.minor)
		clear(here.major)
		here.all = 0
		for ; to < len(examples) && examples[to].feature == examples[from].feature; to++ {
			here.add(&m.units[examples[to].unit], examples[to].unit)
		}
		start := int32(len(m.weights))
		m.weigh(here, total)
		m.spans[examples[from].feature] = span{start, int32(len(m.weights))}
		from = to
	}
}

// weigh appends the weights of one feature: how much likelier it is in a group than anywhere.
func (m *model) weigh(here, total *counts) {
	anywhere := here.all / total.all
	for i := range m.units {
		u := &m.units[i]
		if here.major[u.major] == 0 {
			continue
		}
		p := (here.major[u.major] + lean*anywhere) / (total.major[u.major] + lean)
		p = (here.minor[u.minor] + lean*p) / (total.minor[u.minor] + lean)
		p = (here.unit[i] + lean*p) / (total.unit[i] + lean)
		m.weights = append(m.weights, weight{int16(i), float32(math.Log(p/anywhere)) - u.absent})
	}
}

// Kinds of features.
const (
	aWord = uint64(iota + 1)
	aPair // neighbours, or a word and the head noun
	aHead
)

// features appends what a title is judged by: its words, its pairs of neighbours,
// its head noun and what goes with the head noun.
func features(dst []uint64, words []string) []uint64 {
	head := headOf(words)
	for i, w := range words {
		if repeated(words, i) || linking[w] {
			continue
		}
		if len(w) > 1 {
			dst = append(dst, feature(aWord, w))
		}
		if i > 0 {
			dst = append(dst, feature(aPair, words[i-1], w))
		}
		if head >= 0 && i < head-1 {
			dst = append(dst, feature(aPair, w, words[head]))
		}
	}
	if head >= 0 {
		dst = append(dst, feature(aHead, words[head]))
	}
	return dst
}

// feature is FNV-1a over the kind and the words.
func feature(kind uint64, words ...string) uint64 {
	const start, prime = 14695981039346656037, 1099511628211
	h := (start ^ kind) * prime
	for _, w := range words {
		for i := range len(w) {
			h = (h ^ uint64(w[i])) * prime
		}
		h = (h ^ ' ') * prime
	}
	return h
}

// add adds what the features say to the scores of the unit groups.
func (m *model) add(scores []float32, list []uint64, by float32) {
	known := float32(0)
	for _, f := range list {
		s, ok := m.spans[f]
		if !ok {
			continue
		}
		known += by
		for _, w := range m.weights[s.from:s.to] {
			scores[w.unit] += by * w.more
		}
	}
	if known > 0 {
		for i := range m.units {
			scores[i] += known * m.units[i].absent
		}
	}
}

// guess is a group and how likely it is, 0 to 1.
type guess struct {
	soc  string
	sure float64
}

// best returns the likeliest unit group, minor group and sub-major group.
func (m *model) best(scores []float32) (unit, minor, major guess) {
	const negligible = -30
	top := slices.Max(scores)
	var byMinor, byMajor [128]float64
	sum := 0.0
	for i, s := range scores {
		d := belief * float64(s-top)
		if d < negligible {
			continue
		}
		p := math.Exp(d)
		u := &m.units[i]
		sum += p
		byMinor[u.minor] += p
		byMajor[u.major] += p
		if p > unit.sure {
			unit = guess{u.code, p}
		}
	}
	for i, code := range m.minors {
		if byMinor[i] > minor.sure {
			minor = guess{code, byMinor[i]}
		}
	}
	for i, code := range m.majors {
		if byMajor[i] > major.sure {
			major = guess{code, byMajor[i]}
		}
	}
	unit.sure, minor.sure, major.sure = unit.sure/sum, minor.sure/sum, major.sure/sum
	return unit, minor, major
}

// scores returns the scores of a title without words.
func (m *model) scores() []float32 {
	scores := make([]float32, len(m.units))
	for i := range m.units {
		scores[i] = m.units[i].prior
	}
	return scores
}
