package occupation

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longestTitle is the number of bytes that are read of a job title or other text. The rest is
// ignored.
const longestTitle = 300

// segment holds the words between two separators of a title. Separators are signs such as a comma,
// bracket, colon or slash, a dash next to a space, and several spaces.
type segment []string

// foldWords returns the normalised words of a text, for comparing job titles. Words are in lower
// case, without accents and in the singular. Some abbreviations are written out. Signs that belong
// to a name, as in c++ and .net, are kept.
func foldWords(text string) []string {
	var words []string
	for _, s := range split(text) {
		words = append(words, s...)
	}
	return words
}

// split splits a title at separators and returns the normalised words of each segment. Separators
// are signs such as a comma, bracket, colon or slash, a dash next to a space, and several spaces.
func split(title string) []segment {
	title = strings.TrimSpace(toASCII(html.UnescapeString(title)))
	var segments []segment
	words := make([]string, 0, 8)
	flush := func() {
		if words = rewrite(words); len(words) > 0 {
			segments = append(segments, words)
			words = make([]string, 0, 8)
		}
	}
	for i := 0; i < len(title); {
		if end := wordEnd(title, i); end > i {
			if w := strings.ReplaceAll(title[i:end], "'", ""); w != "" {
				words = append(words, singular(w))
			}
			i = end
			continue
		}
		switch c := title[i]; {
		case c == '&':
			words = append(words, "and")
		case strings.IndexByte(",()[]{}|:;@/*", c) >= 0, c == ' ' && spaceAt(title, i-1):
			flush()
		case c == '-' && (spaceAt(title, i-1) || spaceAt(title, i+1)):
			flush()
		}
		i++
	}
	flush()
	return segments
}

func spaceAt(s string, i int) bool { return i >= 0 && i < len(s) && s[i] == ' ' }

// toASCII returns a title in lower case and without accents. It replaces letters that have no ASCII
// form with spaces. Unlike the functions that normalise other texts, it keeps separators, which
// divide a title into parts, and the signs of names such as c++ and .net.
func toASCII(title string) string {
	if len(title) > longestTitle {
		title = title[:longestTitle]
	}
	buf := make([]byte, 0, len(title)+8)
	for _, r := range norm.NFKD.String(title) {
		switch {
		case r < utf8.RuneSelf:
			if r < ' ' {
				r = ' '
			}
			buf = append(buf, byte(unicode.ToLower(r)))
		case unicode.Is(unicode.Mn, r):
		case r == '‘' || r == '’':
			buf = append(buf, '\'')
		case r == '–', r == '—', r == '•', r == '·':
			buf = append(buf, " - "...)
		case r == '‐' || r == '‑':
			buf = append(buf, '-')
		default:
			buf = append(buf, ' ')
		}
	}
	return string(buf)
}

// wordEnd returns the index after the word that begins at byte i, or i if no word begins there. A
// word may contain signs that belong to it, as in c++, c#, .net, 7.5t and children's.
func wordEnd(s string, i int) int {
	j := i
	if strings.HasPrefix(s[i:], ".net") {
		j = i + 1
	}
	for j < len(s) {
		c := s[j]
		switch {
		case letter(c):
		case j == i:
			return j
		case c == '\'':
		case c == '.' && isBetweenDigits(s, j):
		case (c == '+' || c == '#') && takesSign(s[i:j]):
		default:
			return j
		}
		j++
	}
	return j
}

// isBetweenDigits reports whether the bytes before and after index j are digits. j must not be 0.
func isBetweenDigits(s string, j int) bool {
	return number(s[j-1]) && j+1 < len(s) && number(s[j+1])
}

// takesSign reports whether a following plus or hash sign belongs to the word, as in c# and c++.
// beginning is the word so far.
func takesSign(beginning string) bool {
	return beginning == "c" || strings.HasSuffix(beginning, "+")
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || number(c) }
func number(c byte) bool { return '0' <= c && c <= '9' }

// singular returns the singular form of a word, such as "nurse" for "nurses".
func singular(w string) string {
	if s, ok := spellings[w]; ok {
		return s
	}
	n := len(w)
	switch {
	case n < 4 || w[n-1] != 's':
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
	case n > 4 && strings.HasSuffix(w, "ies"):
		w = w[:n-3] + "y"
	default:
		w = w[:n-1]
	}
	if s, ok := spellings[w]; ok {
		return s
	}
	return w
}

// rewrite replaces pairs of words that have a one-word spelling, and writes out the first
// abbreviation. It may overwrite words.
func rewrite(words []string) []string {
	out := words[:0]
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) {
			if joined, ok := pairs[words[i]+" "+words[i+1]]; ok {
				out = append(out, joined)
				i++
				continue
			}
		}
		out = append(out, words[i])
	}
	for i, w := range out {
		if long, ok := expansions[w]; ok {
			return slices.Concat(out[:i], strings.Fields(long), out[i+1:])
		}
	}
	return out
}
