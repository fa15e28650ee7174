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

// number is a run of digits and the separators between them.
type number struct {
	to     int    // byte after the last digit
	digits int    // how many digits
	groups []byte // how many digits stand in each group, in order
	plus   bool   // begins with +
	zero   bool   // the first digit is 0
}

// maskPhones replaces telephone numbers.
func maskPhones(s string) string {
	var b strings.Builder
	var groups [24]byte
	done := 0
	for i := 0; i < len(s); {
		if !mayBegin(s[i]) {
			i++
			continue
		}
		n := scanNumber(s[i:], groups[:0])
		if n.to == 0 {
			i++
			continue
		}
		if free(s[:i], done) && n.isPhone(s[done:i]) {
			b.WriteString(s[done:i])
			b.WriteString(Removed)
			done = i + n.to
		}
		i += n.to
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

func mayBegin(c byte) bool { return c == '+' || c == '(' || c >= '0' && c <= '9' }

// scanNumber reads the number at the beginning of s. Two separators in a row end
// it, unless one is a bracket; so does a line break.
func scanNumber(s string, groups []byte) number {
	n := number{groups: groups}
	separators, i := 0, 0
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r >= '0' && r <= '9':
			n.digit(r, separators > 0 || n.digits == 0)
			separators = 0
			n.to = i + size
		case r == '+' && i == 0, r == '+' && i == 1 && s[0] == '(':
			n.plus = true
		case r == '(' || r == ')':
			separators = max(separators, 1)
		case isSeparator(r):
			separators++
		default:
			return n
		}
		if i += size; separators > 2 || n.digits == 0 && i > 3 {
			return n
		}
	}
	return n
}

func (n *number) digit(r rune, first bool) {
	if n.digits == 0 {
		n.zero = r == '0'
	}
	n.digits++
	if first && len(n.groups) < cap(n.groups) {
		n.groups = append(n.groups, 0)
	}
	n.groups[len(n.groups)-1]++
}

// isSeparator says that r may stand between the digits of a telephone number.
func isSeparator(r rune) bool {
	switch r {
	case ' ', '.', '-', '\u00a0', '\u2010', '\u2011', '\u2012', '\u2013', '/':
		return true
	}
	return false
}

// free says that the number after the text stands by itself: no letter, digit,
// currency sign, or sign that would make it part of a longer thing, is before it.
func free(before string, done int) bool {
	if len(before) == done {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Sc, r) &&
		!strings.ContainsRune(".,/=_#%&?-", r)
}

// isPhone decides by the number of digits and how they are grouped.
func (n number) isPhone(before string) bool {
	switch {
	case n.digits > 15:
		return false
	case n.plus:
		return n.digits >= 8
	case n.zero && n.digits >= 9:
		return !strings.HasPrefix(string(n.groups), "\x02\x02\x04") // two dates
	case string(n.groups) == "\x03\x03\x04", string(n.groups) == "\x01\x03\x03\x04":
		return true
	}
	return n.digits >= 6 && cued(before)
}

// cued says that the text ends in a word that announces a telephone number.
func cued(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-24):], " .:-\u00a0(")
	i := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })
	switch strings.ToLower(before[i+1:]) {
	case "tel", "telephone", "phone", "mobile", "mob", "call", "ring", "whatsapp", "fax", "text":
		return true
	}
	return false
}
