package occupation

import (
	"math"
	"slices"
)

// model estimates the likelihood of each unit group (4-digit occupation) from the words of a title.
// It is a naive Bayes model, trained on the known titles. If a group has few titles, the model also
// uses the titles of wider groups.
type model struct {
	groups []Group
	units  []unit
	number map[string]int16 // index in units of a unit group, by its 4-digit code
	// what each feature adds to the scores of unit groups, by the hash of the feature; a feature
	// is, for example, a word of a title
	weights map[uint64][]weight
}

type unit struct {
	// indices in model.groups of the sub-major group, the minor group and the unit group itself
	groups [3]int16
	prior  float32
	absent float32 // evidence of a feature that no title of the sub-major group has, as a logarithm
}

// weight is what one feature of a job title adds to the score of a SOC unit group. unit is the
// index of the unit group in model.units. more is the logarithm of a likelihood ratio.
type weight struct {
	unit int16
	more float32
}

const (
	// smoothing sets how strongly a group's estimates are smoothed. The estimate of the next wider group
	// counts as much as this number of titles.
	smoothing = 4
	// priorWeight is the weight of an occupation's number of known titles in its initial score.
	priorWeight = 0.3
	// damping reduces the effect of all features of a title, because they are not independent. It is
	// between 0 and 1.
	damping = 0.37
)

func newModel(groups []Group, titles []phrase) *model {
	m := &model{groups: groups, number: map[string]int16{}, weights: map[uint64][]weight{}}
	var at [5]int16            // by number of digits
	for i, g := range groups { // each after the groups that contain it
		if at[g.Digits] = int16(i); g.Digits == 4 {
			m.number[g.Code] = int16(len(m.units))
			m.units = append(m.units, unit{groups: [3]int16(at[2:])})
		}
	}
	// for each feature, the unit groups of the titles that have it
	total, having := m.newCounts(), map[uint64][]int16{}
	var room []uint64
	for _, t := range titles {
		number := m.number[t.soc]
		total.add(&m.units[number])
		room = features(room[:0], t.words)
		for _, f := range room {
			having[f] = append(having[f], number)
		}
	}
	m.learn(total, having)
	return m
}

// counts holds the number of known job titles in each group, by the index of the group in
// model.groups. Its last element is the total.
type counts []float64

func (m *model) newCounts() counts { return make(counts, len(m.groups)+1) }

func (c counts) add(u *unit) {
	for _, g := range u.groups {
		c[g]++
	}
	c[len(c)-1]++
}

func (c counts) all() float64 { return c[len(c)-1] }

// learn trains the model: it computes the evidence of each feature for each unit group. total
// counts the known titles. having has, for the hash of each feature, the unit group of every known
// title with this feature.
func (m *model) learn(total counts, having map[uint64][]int16) {
	for i := range m.units {
		u, absent := &m.units[i], 1.0
		for _, g := range slices.Backward(u.groups[:]) {
			absent = absent * smoothing / (total[g] + smoothing)
		}
		u.prior = float32(priorWeight * math.Log(total[u.groups[2]]+1))
		u.absent = float32(math.Log(absent))
	}
	here := m.newCounts()
	for f, units := range having {
		clear(here)
		for _, number := range units {
			here.add(&m.units[number])
		}
		m.weights[f] = slices.Clone(m.weigh(here, total))
	}
}

// weigh returns what one feature adds to the scores of unit groups. here counts the known titles
// that have the feature, and total counts all known titles. The evidence for a unit group is the
// logarithm of how much more common the feature is in the group than in all titles. weigh subtracts
// unit.absent from it, and skips a unit group if no title of its sub-major group has the feature.
func (m *model) weigh(here, total counts) (weights []weight) {
	anywhere := here.all() / total.all()
	for i := range m.units {
		u, p := &m.units[i], anywhere
		if here[u.groups[0]] == 0 {
			continue
		}
		for _, g := range u.groups {
			p = (here[g] + smoothing*p) / (total[g] + smoothing)
		}
		weights = append(weights, weight{int16(i), float32(math.Log(p/anywhere)) - u.absent})
	}
	return weights
}

// The kinds of features by which the occupation of a job title is estimated.
const (
	// wordFeature is a feature of a job title: a single word.
	wordFeature = uint64(iota + 1)
	// aPair is a feature of a job title: two adjacent words, or a word and the head noun.
	aPair
	// aHead is a feature of a job title: its head noun, such as "engineer".
	aHead
)

// features appends the hashes of a title's features to dst. Features are its words, its head noun,
// pairs of adjacent words, and pairs of a word and the head noun. It skips repeated words and words
// such as "of".
func features(dst []uint64, words []string) []uint64 {
	head := headOf(words)
	for i, w := range words {
		if isRepeated(words, i) || linking[w] {
			continue
		}
		if len(w) > 1 {
			dst = append(dst, feature(wordFeature, w))
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

// headOf returns the index of a title's head noun, or -1 if there is none. The head noun is the
// last word that names a role, such as "manager".
func headOf(words []string) int {
	for i := len(words) - 1; i >= 0; i-- {
		if roles[words[i]] {
			return i
		}
	}
	return -1
}

// isRepeated reports whether the word at index j also occurs earlier in words.
func isRepeated(words []string, j int) bool {
	return slices.Contains(words[:j], words[j])
}

// feature returns the FNV-1a hash of a feature: its type, for example wordFeature, and its words.
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

// add adds the evidence of the features in list, multiplied by factor, to the scores of the unit
// groups. list has the hashes of features. The weights of a feature are differences from
// unit.absent, so add also adds unit.absent for each known feature.
func (m *model) add(scores []float32, list []uint64, factor float32) {
	known := float32(0)
	for _, f := range list {
		weights := m.weights[f]
		for _, w := range weights {
			scores[w.unit] += factor * w.more
		}
		if len(weights) > 0 {
			known += factor
		}
	}
	if known > 0 {
		for i := range m.units {
			scores[i] += known * m.units[i].absent
		}
	}
}

// guess is an occupation group with its estimated probability, 0 to 1.
type guess struct {
	soc  string
	sure float64
}

// best returns the most likely unit group (4 digits), minor group (3 digits) and sub-major group (2
// digits), each with its probability.
func (m *model) best(scores []float32) (unit, minor, major guess) {
	const negligible = -30
	top, sum := slices.Max(scores), 0.0
	likely := make([]float64, len(m.groups))
	for i, s := range scores {
		d := damping * float64(s-top)
		if d < negligible {
			continue
		}
		p := math.Exp(d)
		sum += p
		for _, g := range m.units[i].groups {
			likely[g] += p
		}
	}
	var best [5]guess // by number of digits
	for i, g := range m.groups {
		if b := &best[g.Digits]; likely[i] > b.sure {
			*b = guess{g.Code, likely[i]}
		}
	}
	for i := range best {
		best[i].sure /= sum
	}
	return best[4], best[3], best[2]
}

// scores returns the initial scores of all unit groups, before the words of a title are added.
func (m *model) scores() []float32 {
	scores := make([]float32, len(m.units))
	for i := range m.units {
		scores[i] = m.units[i].prior
	}
	return scores
}
