package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

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
