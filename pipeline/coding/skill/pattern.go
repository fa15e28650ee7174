package skill

import (
	"errors"
	"fmt"
	"strings"
)

// maxPatternWords is the largest number of words in a pattern of a skill.
const maxPatternWords = 10

// pattern is one wording of a skill, or a stop phrase. A stop phrase hides a skill that is named in
// it.
type pattern struct {
	skill int32 // index in Register.skills of the skill; -1 for a stop phrase
	// index of the skill whose context words are searched for near a match; used only if weak is
	// true
	contextSkill int32
	text         string // words of the wording in lower case, as reported in FoundSkill.MatchedBy
	// spelling of each word with its capitals, which the advert must have; "" for a word in any
	// case, nil if all are in any case
	raw  []string
	size uint8 // number of words in the pattern
	take uint8 // number of words that belong to the skill; the other words only have to follow
	// true if the wording is ambiguous, such as "go": a weak pattern counts only near a context word
	// of the skill contextSkill, and a weak stop phrase only where there is none
	weak  bool
	label bool // the pattern is a label for FindIndexByLabel only, and not searched for in adverts
	// the job title at the end of the pattern is not matched separately: a dental nurse is not a
	// nurse
	whole   bool
	title   bool // the pattern counts in job titles only: in text, "carer" may be a relative
	isExtra bool // the wording belongs to another skill, and also requires this one
}

// signs are the control characters that may stand at the start of a skill's pattern, such as "~".
const signs = "=~@!&^"

// parsePattern parses one wording of a skill, without braces. The text may begin with these signs,
// in any order:
//
//   - "=": words with capitals must be written exactly like this;
//   - "~": the wording is weak and counts only near a context word;
//   - "@": the wording is a label for FindIndexByLabel, and is never searched for in text;
//   - "^": the wording counts only in the title;
//   - "!": the job title at the end does not also count by itself;
//   - "&": the wording belongs to another skill, and also requires this one. The other skill sets "="
//     and "!".
//
// Words after " > " must follow in the advert, but do not belong to the match. They may be part of the
// next match.
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

// countNormalised returns the number of words in a text. ok is false if the text is not normalised.
// Normalised text has only lower-case ASCII letters, digits and single spaces, and no filler words.
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

// withoutFillers removes filler words such as "our", except at the start and the end. The first
// checkedCount words were already checked and are kept.
func withoutFillers(words []string, checkedCount int) []string {
	out := words[:min(len(words), max(1, checkedCount))]
	for i := len(out); i < len(words); i++ {
		if i == len(words)-1 || !fillers[foldWord(words[i])] {
			out = append(out, words[i])
		}
	}
	return out
}

// maxWordings is the largest number of wordings that one pattern with braces may expand to.
const maxWordings = 5_000

// errWordings means that a pattern of a skill expands to too many wordings, because of its braces.
var errWordings = fmt.Errorf("braces stand for more than %d wordings", maxWordings)

// errBraces means that a pattern has an unmatched or nested brace.
var errBraces = errors.New("braces do not pair up")

// expandBraces expands the braces of a pattern: "{a,b} c" becomes "a c" and "b c". An alternative
// may be empty, as in "skill{,s}". Braces cannot be nested.
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
