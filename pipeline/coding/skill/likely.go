package skill

import (
	_ "embed" // the weights are part of the program
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// likely has the weights by which judge tells how likely an advert asks for a skill, as TestLearnLikely
// learns them from labelled adverts. An operator's own register has none.
//
// Weights, scores and log-odds are whole thousandths: sums of floats may differ in the last bit from
// one processor to another, and two machines that build one snapshot have to code it alike.
type likely struct {
	found   [6]int        // log-odds of a find: itself, each hit, title, log-odds of its score, each find of the advert, a skill without scores
	added   [3]int        // log-odds of a skill that is not found: itself, log-odds of its score, each find of the advert
	trust   []int16       // by skill: how far finds of it were right
	wording []int16       // by pattern: how far finds by it were right, against others of the skill
	byWord  []likelyWord  // by word number
	shares  [][]wordShare // what a word says for and against skills
	words   []string      // by index in shares
	scored  []scoredSkill // skills that words are known for
	scoreOf []int32       // by skill: index in scored, or -1
}

// likelyWord is what is known of a word.
type likelyWord struct {
	text, title uint16 // its index in shares in the text and in the title, 0 if it says nothing there
	beside      int16  // how far finds in a sentence with it were right
}

// wordShare is what a word adds to the score of a skill.
type wordShare struct{ scored, weight int16 }
type scoredSkill struct{ number, base int } // base is the score of an advert without words

//go:embed likely.tsv
var likelyTSV string

// newLikely reads rows as TestLearnLikely writes them.
func newLikely(r *Register, tsv string) (*likely, error) {
	rd := likelyReader{r: r, wordings: map[[2]string]int16{}, likely: &likely{
		trust: make([]int16, len(r.skills)), wording: make([]int16, len(r.patterns)), byWord: make([]likelyWord, len(r.words.words)+1),
		shares: make([][]wordShare, 1), words: make([]string, 1), scoreOf: slices.Repeat([]int32{-1}, len(r.skills)),
	}}
	for line := range strings.Lines(tsv) {
		if rd.row(strings.Split(strings.TrimSuffix(line, "\n"), "\t")); rd.fault != nil {
			return nil, fmt.Errorf("%.60q: %w", line, rd.fault)
		}
	}
	for i, p := range r.patterns {
		if p.skill >= 0 {
			rd.wording[i] = rd.wordings[[2]string{r.Slug(int(p.skill)), p.text}]
		}
	}
	return rd.likely, nil
}

// likelyReader reads likely.tsv.
type likelyReader struct {
	*likely
	r        *Register
	wordings map[[2]string]int16 // by skill and wording
	fault    error               // the first
}

// row reads a row, whose first field tells its kind.
func (rd *likelyReader) row(f []string) {
	switch {
	case strings.HasPrefix(f[0], "#"):
	case f[0] == "found" && len(f) == 1+len(rd.found):
		for i := range rd.found {
			rd.found[i] = rd.weight(f[1+i])
		}
	case f[0] == "added" && len(f) == 1+len(rd.added):
		for i := range rd.added {
			rd.added[i] = rd.weight(f[1+i])
		}
	case f[0] == "trust" && len(f) == 3:
		rd.trust[rd.skill(f[1])] = int16(rd.weight(f[2]))
	case f[0] == "wording" && len(f) == 4:
		rd.wordings[[2]string{f[1], f[2]}] = int16(rd.weight(f[3]))
	case f[0] == "beside" && len(f) == 3:
		rd.word(f[1]).beside = int16(rd.weight(f[2]))
	case f[0] == "skill" && len(f) == 3:
		rd.scoreOf[rd.skill(f[1])] = int32(len(rd.scored))
		rd.scored = append(rd.scored, scoredSkill{rd.skill(f[1]), rd.weight(f[2])})
	case f[0] == "text" && len(f) > 2:
		rd.word(f[1]).text = rd.addWord(f[1], f[2:])
	case f[0] == "title" && len(f) > 2:
		rd.word(f[1]).title = rd.addWord(f[1], f[2:])
	default:
		rd.must(false, "no row has %d fields and begins with %q", len(f), f[0])
	}
}

// addWord adds what a word says: skills that have a score, with weights, as "nursing:120".
func (rd *likelyReader) addWord(word string, fields []string) uint16 {
	var shares []wordShare
	for _, field := range fields {
		slug, weight, _ := strings.Cut(field, ":")
		scored := rd.scoreOf[rd.skill(slug)]
		rd.must(scored >= 0, "no row before gives %q a score", slug)
		shares = append(shares, wordShare{int16(scored), int16(rd.weight(weight))})
	}
	rd.shares, rd.words = append(rd.shares, shares), append(rd.words, word)
	return uint16(len(rd.words) - 1)
}

func (rd *likelyReader) weight(text string) int {
	n, err := strconv.ParseInt(text, 10, 16)
	rd.must(err == nil, "%q is no weight", text)
	return int(n)
}

func (rd *likelyReader) skill(slug string) int {
	n, known := rd.r.bySlug[slug]
	rd.must(known, "no skill of the register is %q", slug)
	return int(n)
}

// word is the place of a word. One that no wording of the register has may be a name, and is refused.
func (rd *likelyReader) word(word string) *likelyWord {
	n := rd.r.words.numbers(word)[0]
	rd.must(n != 0, "no wording of the register has the word %q", word)
	return &rd.byWord[n]
}

// must notes a fault unless a condition holds.
func (rd *likelyReader) must(holds bool, format string, args ...any) {
	if !holds && rd.fault == nil {
		rd.fault = fmt.Errorf(format, args...)
	}
}
