package skill

import (
	"errors"
	"fmt"
	"strings"
)

// maxPatternWords bounds the words of a pattern, and with it the work done at one place of a text.
const maxPatternWords = 10

// pattern is one wording of a skill, or a stop phrase (skill < 0).
type pattern struct {
	skill int32  // index in Register.skills; -1 for a stop phrase
	near  int32  // skill whose required words a weak pattern or stop phrase looks for
	text  string // the folded words, as reported in Found.MatchedBy
	// raw words that must be in the text letter for letter, "" where case is free; nil where it is everywhere
	raw   []string
	size  uint8 // words
	take  uint8 // words that belong to the skill; the rest only has to follow
	weak  bool  // needs one of the skill's required words near it
	label bool  // for Number only, never looked for in text
	whole bool  // the post that ends it is another one: a dental nurse is no nurse
	title bool  // counts in the title only, where "carer" is the post and no relative
	too   bool  // asks for the skill in addition to the one that has the wording
}

// signs are those at the front of a pattern.
const signs = "=~@!&^"

// parsePattern reads one expanded pattern. It may begin with these signs, in any order:
//
//   - "=" words with a capital must be written exactly so;
//   - "~" counts only near a required word;
//   - "@" a label for Number, never searched for in text;
//   - "^" counts in the title only;
//   - "!" the job title that ends it does not count by itself;
//   - "&" the wording belongs to another skill and also asks for this one; with "~" only near a
//     required word of this one. "=" and "!" are then set by the other skill.
//
// " > " separates the skill's words from words that must follow but stay free for the next match.
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

// folded reports whether a text is already in the form that parsePattern makes, as most are:
// lower-case letters and digits of ASCII between single spaces, and no fillers. It returns the
// number of its words. This halves the time it takes to read the register.
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

// withoutFillers removes the fillers between the first word and the last. The first done words are
// known to have none.
func withoutFillers(words []string, done int) []string {
	out := words[:min(len(words), max(1, done))]
	for i := len(out); i < len(words); i++ {
		if i == len(words)-1 || !fillers[foldWord(words[i])] {
			out = append(out, words[i])
		}
	}
	return out
}

// maxWordings bounds how many wordings one written pattern may expand to.
const maxWordings = 5_000

// errWordings means that the braces of a pattern expand to too many wordings.
var errWordings = fmt.Errorf("braces stand for more than %d wordings", maxWordings)

// errBraces is a brace without its partner, or one inside another.
var errBraces = errors.New("braces do not pair up")

// expandBraces expands "{a,b} c" to "a c" and "b c". An alternative may be empty: "skill{,s}" is
// "skill" and "skills". Braces do not nest.
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
