package skill

import (
	"errors"
	"fmt"
	"strings"
)

// maxPatternWords is the largest number of words in a pattern.
const maxPatternWords = 10

// pattern is one wording of a skill. If skill is negative, it is a stop phrase (which hides
// skills).
type pattern struct {
	skill int32  // index in Register.skills; -1 for a stop phrase
	near  int32  // skill whose required words must be near a weak pattern or stop phrase
	text  string // folded words, as reported in FoundSkill.MatchedBy
	// raw words that must be in the text exactly; "" for a word in any case, nil if all are
	raw   []string
	size  uint8 // number of words
	take  uint8 // number of words that belong to the skill; the others only have to follow
	weak  bool  // needs one of the skill's required words near it
	label bool  // for FindFindFindNumber only; not searched for in text
	whole bool  // the job title at its end is another job: a dental nurse is not a nurse
	title bool  // counts in the title only, where "carer" is the job and not a relative
	too   bool  // requires the skill in addition to the skill with this wording
}

// signs are the characters that may be at the start of a pattern and control matching.
const signs = "=~@!&^"

// parsePattern reads one expanded pattern. It may begin with these signs, in any order:
//
//   - "=" words with a capital must be written exactly so;
//   - "~" counts only near a required word;
//   - "@" a label for FindNumber, never searched for in text;
//   - "^" counts in the title only;
//   - "!" the job title at its end does not count separately;
//   - "&" the wording belongs to another skill and also requires this one; with "~" only near a
//     required word of this one. "=" and "!" are then set by the other skill.
//
// " > " separates the skill's words from words that must follow and may also be part of the next
// match.
func parsePattern(text string) (pattern, error) {
	if size, ok := folded(text); ok {
		return pattern{skill: -1, text: text, size: uint8(size), take: uint8(size)}, nil
	}
	p := pattern{skill: -1, text: text}
	trimmed := strings.TrimSpace(text)
	body := strings.TrimLeft(trimmed, signs)
	has := func(sign string) bool { return strings.Contains(trimmed[:len(trimmed)-len(body)], sign) }
	p.weak, p.label, p.whole, p.too, p.title = has("~"), has("@"), has("!"), has("&"), has("^")
	exact := has("=")
	head, tail, _ := strings.Cut(body, ">")
	raw := withoutFillers(splitWords(head), 0)
	take := len(raw)
	raw = withoutFillers(append(raw, splitWords(tail)...), take)
	if take == 0 {
		return p, fmt.Errorf("pattern %q has no word", text)
	}
	if len(raw) > maxPatternWords {
		return p, fmt.Errorf("pattern %q has more than %d words", text, maxPatternWords)
	}
	p.size, p.take = uint8(len(raw)), uint8(take)
	var words []string
	cased := false
	for _, word := range raw {
		words = append(words, foldWord(word))
		if !exact || word == strings.ToLower(word) {
			word = ""
		}
		cased = cased || word != ""
		p.raw = append(p.raw, word)
	}
	if !cased {
		p.raw = nil
	}
	p.text = strings.Join(words, " ")
	return p, nil
}

// folded reports whether text is already normalised: lower-case ASCII letters and digits, single
// spaces, no fillers. words is the number of words.
func folded(text string) (words int, ok bool) {
	for begin := 0; begin <= len(text); words++ {
		end := begin
		for end < len(text) && text[end] != ' ' {
			if c := text[end]; asciiFold[c] != c {
				return 0, false
			}
			end++
		}
		if end == begin || begin > 0 && end < len(text) && fillers[text[begin:end]] {
			return 0, false
		}
		begin = end + 1
	}
	return words, words <= maxPatternWords
}

// withoutFillers removes the filler words between the first and the last word. The first done words
// are known to have none.
func withoutFillers(words []string, done int) []string {
	out := words[:min(len(words), max(1, done))]
	for i := len(out); i < len(words); i++ {
		if i == len(words)-1 || !fillers[foldWord(words[i])] {
			out = append(out, words[i])
		}
	}
	return out
}

// maxWordings is the largest number of wordings that one pattern with braces may stand for.
const maxWordings = 5_000

// errWordings means that the braces of a pattern expand to too many wordings.
var errWordings = fmt.Errorf("braces stand for more than %d wordings", maxWordings)

// errBraces means that a brace has no partner, or is inside another one.
var errBraces = errors.New("braces do not pair up")

// expandBraces returns all texts that a pattern with braces stands for: "a c" and "b c" for "{a,b}
// c". An alternative may be empty: "skill{,s}". Braces cannot be nested.
func expandBraces(text string) ([]string, error) {
	head, rest, open := strings.Cut(text, "{")
	choices, tail, closed := strings.Cut(rest, "}")
	if open != closed || strings.Contains(head, "}") || strings.Contains(choices, "{") {
		return nil, errBraces
	}
	if !open {
		return []string{text}, nil
	}
	tails, err := expandBraces(tail)
	if err != nil {
		return nil, err
	}
	var out []string
	for choice := range strings.SplitSeq(choices, ",") {
		for _, tail := range tails {
			out = append(out, head+choice+tail)
		}
		if len(out) > maxWordings {
			return nil, errWordings
		}
	}
	return out, nil
}
