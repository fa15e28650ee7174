package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Removed stands in a text where an e-mail address or a telephone number was.
const Removed = "[removed]"

// Mask replaces e-mail addresses and telephone numbers by Removed. Adverts name
// them for applicants; nothing that this program keeps may hold them.
//
// An address is letters and digits around an @ (or "(at)", "[at]") with a dotted domain after it. A
// telephone number is 9 to 15 digits that begin with 0, or 8 to 15 that begin with +, with spaces,
// dots, hyphens and brackets between them; a North American number of 3, 3 and 4 digits; or 6 to 15
// digits after a word such as "tel" or "call". Salaries, dates, years and numbers of posts are
// left: a number after a currency sign, a letter or another digit is no telephone number.
// Mask(Mask(s)) is Mask(s).
func Mask(s string) string { return maskPhones(maskEmails(s)) }

// HoldsEmail says that s holds an e-mail address, for addresses of web pages
// ("mailto:", "?contact="), in which digits are no telephone numbers.
func HoldsEmail(s string) bool { return maskEmails(s) != s }

// maskEmails replaces what stands around every @, (at) and [at].
func maskEmails(s string) string {
	if !holdsAtSign(s) { // as nearly every text
		return s
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); {
		n := atSign(s[i:])
		if n == 0 {
			i++
			continue
		}
		from := localPart(s[done:i]) + done
		to := i + n + domain(s[i+n:])
		if from == i || to == i+n {
			i += n
			continue
		}
		b.WriteString(s[done:from])
		b.WriteString(Removed)
		done, i = to, to
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// holdsAtSign is false when atSign is 0 everywhere in s.
func holdsAtSign(s string) bool {
	return strings.IndexByte(s, '@') >= 0 || bracketedA(s, '(') || bracketedA(s, '[')
}

// bracketedA says that an a comes after such a bracket.
func bracketedA(s string, bracket byte) bool {
	for {
		i := strings.IndexByte(s, bracket)
		if i < 0 || i+1 == len(s) {
			return false
		}
		if s = s[i+1:]; s[0]|0x20 == 'a' {
			return true
		}
	}
}

// atSign is the length of the @ that s begins with, in any of its spellings; 0 for none.
func atSign(s string) int {
	switch s[0] {
	case '@':
		return 1
	case ' ':
		if len(s) < 2 || s[1] != '(' && s[1] != '[' {
			return 0
		}
		fallthrough
	case '(', '[':
		for _, form := range [...]string{"(at)", "[at]", " (at) ", " [at] "} {
			if len(s) >= len(form) && strings.EqualFold(s[:len(form)], form) {
				return len(form)
			}
		}
	}
	return 0
}

// localPart is where the name before an @ begins in s; len(s) when there is none.
func localPart(s string) int {
	i := len(s)
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._%+'-", r) {
			break
		}
		i -= n
	}
	return i
}

// domain is the length of the dotted domain at the beginning of s; 0 when there
// is none. Its last label begins with a letter ("node@18.2" is a version), and a
// full stop at the end of a sentence does not belong to it.
func domain(s string) int {
	end := 0
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !letter && r != '.' && r != '-' {
			break
		}
		if letter {
			end = i + utf8.RuneLen(r)
		}
	}
	dot := strings.LastIndexByte(s[:end], '.')
	if dot <= 0 {
		return 0
	}
	if r, _ := utf8.DecodeRuneInString(s[dot+1:]); !unicode.IsLetter(r) {
		return 0
	}
	return end
}
