package skill

import (
	"cmp"
	"math"
	"slices"
)

// ByWords is MatchedBy of a skill that no wording asks for.
const ByWords = "words of the advert"

// An advert of fewer words says too little to be judged, and no skill of a lower score is added.
const likelyWords, likelyScore = 80, 60

// likelyFind is what is known of a find besides the words of the advert.
type likelyFind struct {
	skill   int
	wording int16 // weight of its wording
	beside  int32 // weights of the words of its first sentence
	hits    int
	titled  bool
	finds   int // in the advert
}

// judge drops of dst[from:] the skills that the advert is unlikely to ask for, by its words and by how
// far finds of the skill, by the wording and in such sentences were right, and adds those that
// adverts of such words ask for. s.found has the hits in the order of their skills.
func (r *Register) judge(dst []Found, s *Scratch, from int) []Found {
	l := r.likely
	if !l.score(s) {
		return dst
	}
	kept, hits, finds := dst[:from], s.found, len(dst)-from
	for _, f := range dst[from:] {
		find := likelyFind{skill: f.Number, wording: l.wording[hits[0].pattern], beside: hits[0].beside, finds: finds}
		for ; find.hits < len(hits) && int(r.patterns[hits[find.hits].pattern].skill) == f.Number; find.hits++ {
			find.titled = find.titled || hits[find.hits].titled
		}
		hits = hits[find.hits:]
		if l.keeps(s, find) {
			kept = append(kept, f)
		} else {
			s.Unlikely = append(s.Unlikely, f)
		}
		l.settle(s, int32(f.Number))
	}
	for _, skill := range s.denied {
		l.settle(s, skill)
	}
	for i, skill := range l.scored {
		if l.adds(s.scores[i], finds) {
			kept = append(kept, Found{Skill: r.Slug(skill.number), Number: skill.number, MatchedBy: ByWords})
		}
	}
	slices.SortFunc(kept[from:], func(a, b Found) int { return a.Number - b.Number })
	return kept
}

// settle keeps a skill from being added.
func (l *likely) settle(s *Scratch, skill int32) {
	if i := l.scoreOf[skill]; i >= 0 {
		s.scores[i] = 0
	}
}

// begin makes s ready for an advert.
func (l *likely) begin(s *Scratch) {
	s.count, s.columns, s.denied, s.Unlikely = 0, s.columns[:0], s.denied[:0], s.Unlikely[:0]
	s.noted = append(s.noted, make([]bool, max(0, len(l.shares)-len(s.noted)))...)
	s.noted[0] = true // a word that says nothing is never noted
}

// note notes a word of the advert, once.
func (l *likely) note(s *Scratch, word uint32, titled bool) {
	s.count++
	c := l.byWord[word].text
	if titled {
		c = l.byWord[word].title
	}
	if !s.noted[c] {
		s.noted[c], s.columns = true, append(s.columns, c)
	}
}

// sentence sums what the words of a sentence say of a find in it.
func (l *likely) sentence(tokens []token) (sum int32) {
	for _, t := range tokens {
		sum += int32(l.byWord[t.word].beside)
	}
	return sum
}

// score fills s.scores: by skill, about the share of adverts of such words that ask for it. It reports
// whether there are words enough to judge by.
func (l *likely) score(s *Scratch) bool {
	s.scores = append(s.scores[:0], make([]int, len(l.scored))...)
	for _, c := range s.columns {
		s.noted[c] = false
		for _, share := range l.shares[c] {
			s.scores[share.scored] += int(share.weight)
		}
	}
	length := int(1000 * math.Sqrt(float64(s.count))) // the root is exact to the last bit on every processor
	for i, skill := range l.scored {
		s.scores[i] = skill.base + s.scores[i]*1000/max(1, length)
	}
	return len(l.scored) > 0 && s.count >= likelyWords
}

// keeps reports whether a find is likely enough.
func (l *likely) keeps(s *Scratch, f likelyFind) bool {
	odds := l.found[0] + l.found[1]*min(f.hits, 3) + l.found[4]*f.finds + int(l.trust[f.skill]) + int(f.wording) + int(f.beside)
	if f.titled {
		odds += l.found[2]
	}
	if i := l.scoreOf[f.skill]; i >= 0 {
		odds += l.found[3] * logOdds(s.scores[i]) / 1000
	} else {
		odds += l.found[5]
	}
	return odds > 0
}

// adds reports whether a skill that was not found is likely enough by its score.
func (l *likely) adds(score, finds int) bool {
	return score > likelyScore && l.added[0]+l.added[1]*logOdds(score)/1000+l.added[2]*finds > 0
}

// logOdds are those of a score, which counts as 0.01 at least and 0.99 at most. Logarithms differ in
// their last bits from one processor to another; TestLogOdds holds that none is rounded so narrowly
// that this matters.
func logOdds(score int) int {
	p := float64(min(max(score, 10), 990))
	return int(math.Round(1000 * math.Log(p/(1000-p))))
}

// WordsFor returns the three words of the advert last read with s that say most for a skill.
func (r *Register) WordsFor(s *Scratch, number int) (words []string) {
	said := map[uint16]int16{}
	for _, c := range s.columns {
		for _, share := range r.likely.shares[c] {
			if share.weight > 0 && int32(share.scored) == r.likely.scoreOf[number] {
				said[c] = share.weight
			}
		}
	}
	columns := slices.Clone(s.columns)
	slices.SortFunc(columns, func(a, b uint16) int { return cmp.Or(int(said[b])-int(said[a]), int(a)-int(b)) })
	for _, c := range columns[:min(3, len(said))] {
		words = append(words, r.likely.words[c])
	}
	return words
}
