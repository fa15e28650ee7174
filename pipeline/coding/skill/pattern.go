package skill

import (
	"errors"
	"fmt"
	"strings"
)

// maxPatternWords is the largest number of words in a pattern of a skill.
const maxPatternWords = 10

// pattern is one wording of a skill, or a stop phrase (a phrase that hides a skill).
type pattern struct {
	skill int32 // index in Register.skills of the skill; -1 for a stop phrase
	// index of the skill whose context words decide on a weak pattern or weak stop phrase
	near int32
	text string // words of the wording in lower case, as reported in FoundSkill.MatchedBy
	// words that the advert must write exactly so, with capitals; "" for a word in any case, nil
	// if all are in any case
	raw  []string
	size uint8 // number of words in the pattern
	take uint8 // number of words that belong to the skill; the other words only have to follow
	// the pattern counts only near a context word of the skill (a weak stop phrase only where
	// there is none)
	weak  bool
	label bool // the pattern is a label for FindIndexByLabel only, and not searched for in adverts
	// the job title at the end of the pattern is not matched separately: a dental nurse is not a
	// nurse
	whole   bool
	title   bool // the pattern counts in job titles only: in text, "carer" may be a relative
	isExtra bool // the wording belongs to another skill, and also requires this one
}

// signs are the characters that control matching, at the start of a skill's pattern.
const signs = "=~@!&^"

// parsePattern reads one pattern of a skill, with its braces expanded. It may begin with these signs,
// in any order:
//
//   - "=" words with a capital must be written exactly so;
//   - "~" counts only near a required word;
//   - "@" a label for FindIndexByLabel, never searched for in text;
//   - "^" counts in the title only;
//   - "!" the job title at its end does not count separately;
//   - "&" the wording belongs to another skill and also requires this one; with "~" only near a
//     required word of this one. "=" and "!" are then set by the other skill.
//
// " > " separates the skill's words from words that must follow and may also be part of the next
// match.
func parsePattern(text string) (pattern, error) {
	if size, ok := countNormalised(text); ok {
		return pattern{skill: -1, text: text, size: uint8(size), take: uint8(size)}, nil
	}
	p := pattern{skill: -1, text: text}
	trimmed := strings.TrimSpace(text)
	body := strings.TrimLeft(trimmed, signs)
	has := func(sign string) bool { return strings.Contains(trimmed[:len(trimmed)-len(body)], sign) }
	p.weak = has("~")
	p.label = has("@")
	p.whole = has("!")
	p.isExtra = has("&")
	p.title = has("^")
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

// countNormalised returns the number of words in a normalised text: lower-case ASCII letters and
// digits, single spaces, no filler words. ok is false if the text is not normalised.
func countNormalised(text string) (words int, ok bool) {
	for begin := 0; begin <= len(text); words++ {
		end := begin
		for end < len(text) && text[end] != ' ' {
			if c := text[end]; asciiFold[c] != c {
				return 0, false
			}
			end++
		}
		isFiller := begin > 0 && end < len(text) && fillers[text[begin:end]]
		if end == begin || isFiller {
			return 0, false
		}
		begin = end + 1
	}
	return words, words <= maxPatternWords
}

// withoutFillers removes the filler words between the first and the last word. checkedCount is the
// number of words at the start that were already checked.
func withoutFillers(words []string, checkedCount int) []string {
	out := words[:min(len(words), max(1, checkedCount))]
	for i := len(out); i < len(words); i++ {
		if i == len(words)-1 || !fillers[foldWord(words[i])] {
			out = append(out, words[i])
		}
	}
	return out
}

// maxWordings is the largest number of texts that one pattern with braces, such as "{a,b} c", may
// stand for.
const maxWordings = 5_000

// errWordings means that the braces of a skill's pattern stand for too many wordings.
var errWordings = fmt.Errorf("braces stand for more than %d wordings", maxWordings)

// errBraces means that a brace in a pattern has no partner, or is inside another pair.
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
