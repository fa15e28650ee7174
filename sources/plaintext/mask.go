package plaintext

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Removed replaces an e-mail address or a telephone number in a text.
const Removed = "[removed]"

// Mask replaces email addresses and telephone numbers by Removed. Adverts contain them for
// applicants; this program must not store them.
//
// An email address is letters and digits around an @ (or "(at)", "[at]") with a dotted domain after
// it. A telephone number is 9 to 15 digits that begin with 0, or 8 to 15 that begin with +, with
// spaces, dots, hyphens and brackets between them; a North American number of 3, 3 and 4 digits; or
// 6 to 15 digits after a word such as "tel" or "call". Salaries, dates, years and numbers of posts
// are not changed: a number after a currency sign, a letter or another digit is not a telephone
// number. Mask(Mask(s)) is Mask(s).
func Mask(s string) string { return maskPhones(maskEmails(s)) }

// HoldsEmail reports whether s contains an email address. It is for web addresses ("mailto:",
// "?contact="), in which digits are not telephone numbers.
func HoldsEmail(s string) bool { return maskEmails(s) != s }

// email is an address in any of the spellings of its @. The last label of the domain begins with a
// letter ("node@18.2" is a version), and a full stop at the end of a sentence does not belong to it.
var email = regexp.MustCompile(`(?i)[\pL\p{Nd}._%+'-]+(?:@|\(at\)|\[at\]| \(at\) | \[at\] )` +
	`[\pL\p{Nd}.-]+\.\pL(?:[\pL\p{Nd}-]*[\pL\p{Nd}])?`)

// maskEmails replaces email addresses.
func maskEmails(s string) string {
	lower := strings.ToLower(s)
	if !strings.Contains(lower, "@") && !strings.Contains(lower, "(at)") && !strings.Contains(lower, "[at]") {
		return s // most texts; many times faster than the pattern
	}
	return email.ReplaceAllLiteralString(s, Removed)
}

// number matches a run of digits and the signs that may be between two of them: up to two
// separators, or brackets with one.
var number = func() *regexp.Regexp {
	const separator = `[ ./\x{a0}\x{2010}-\x{2013}-]`
	const gap = `(?:(?:` + separator + `|[()])[()]*(?:` + separator + `[()]*)?)?`
	return regexp.MustCompile(`^(?:\(?\+)?(?:` + separator + `|[()]){0,3}[0-9](?:` + gap + `[0-9])*`)
}()

// longestNumber limits the bytes of a number that are searched. A longer one has too many digits
// for a telephone number.
const longestNumber = 200

// maskPhones replaces telephone numbers.
func maskPhones(s string) string {
	var b strings.Builder
	done := 0
	for i := 0; ; {
		next := strings.IndexAny(s[i:], "+(0123456789")
		if next < 0 {
			b.WriteString(s[done:])
			return b.String()
		}
		i += next
		found := number.FindString(s[i:min(len(s), i+longestNumber)])
		switch {
		case found != "" && isSeparate(s[:i], done) && isPhone(found, s[done:i]):
			b.WriteString(s[done:i] + Removed)
			i += len(found)
			done = i
		case strings.HasPrefix(found, "("): // the number in the brackets may be a telephone number by itself
			i++
		default:
			i += max(len(found), 1)
		}
	}
}

// isSeparate reports whether the number after the text is separate: not preceded by a letter, digit,
// currency sign, or a sign that would make it part of a longer number.
func isSeparate(before string, done int) bool {
	if len(before) == done {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Sc, r) &&
		!strings.ContainsRune(".,/=_#%&?-", r)
}

// isPhone reports whether digits are a telephone number, by their count and grouping.
func isPhone(number, before string) bool {
	groups, digits := "", 0 // number of digits in each group, in order
	for _, group := range strings.FieldsFunc(number, func(r rune) bool { return r < '0' || r > '9' }) {
		groups, digits = groups+" "+strconv.Itoa(len(group)), digits+len(group)
	}
	switch {
	case digits > 15:
		return false
	case strings.Contains(number, "+"):
		return digits >= 8
	case digits >= 9 && number[strings.IndexAny(number, "0123456789")] == '0':
		return !strings.HasPrefix(groups, " 2 2 4") // two dates
	case groups == " 3 3 4", groups == " 1 3 3 4":
		return true
	}
	return digits >= 6 && followsPhoneWord(before)
}

// followsPhoneWord reports whether the text ends in a word that announces a telephone number.
func followsPhoneWord(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-24):], " .:-\u00a0(")
	i := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })
	switch strings.ToLower(before[i+1:]) {
	case "tel", "telephone", "phone", "mobile", "mob", "call", "ring", "whatsapp", "fax", "text":
		return true
	}
	return false
}
