package plaintext

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// RemovedMark replaces each email address and telephone number that MaskContacts removes from a
// text.
const RemovedMark = "[removed]"

// MaskContacts replaces email addresses and telephone numbers by RemovedMark, because contact
// details must not be stored. An email address may contain "(at)", "[at]" or "%40" instead of "@",
// and "(dot)" or "[dot]" instead of a dot of its domain. A space may follow the "@".
//
// The following count as telephone numbers, with or without spaces, dots, hyphens, brackets or line
// breaks between the digits:
//
//   - 9 to 15 digits that begin with 0, or 8 to 15 that begin with +;
//   - a North American number of 3, 3 and 4 digits;
//   - 6 to 15 digits after a word such as "tel" or "call".
//
// A number in a WhatsApp address such as wa.me/447700900123 counts too. So does a telephone number
// after another number, as in "Band 3 07700 900123" or "07700 900123/07700 900124", if its first group
// has at least 3 digits.
// Full-width signs count as the ASCII characters that they look like, and any white space counts as
// one space or line break. A text with contact details is returned with these characters instead.
//
// Digits directly after a currency sign, or a letter that does not end such a word, are not a telephone
// number. After another sign, such as a comma or a full stop, only digits that begin with + or 0 are
// one, and in a web address none are. Salaries, reference numbers and versions are therefore kept.
func MaskContacts(s string) string {
	folded := width.Fold.String(CollapseSpace(s))
	if masked := maskPhones(maskEmails(maskWhatsApp(folded))); masked != folded {
		return masked
	}
	return s
}

// URLHasContacts reports whether a URL contains an email address or a telephone number. A number
// counts after a word such as "tel", with a + before it, or in groups, such as 020-7946-0018. Other
// digits in a URL are no telephone number: they are often the number of an advert. It returns true
// for a URL with invalid percent-encoding.
func URLHasContacts(address string) bool {
	decoded, err := url.PathUnescape(address)
	if err != nil {
		return true
	}
	decoded = width.Fold.String(RemoveInvisible(decoded))
	if maskEmails(decoded) != decoded || maskWhatsApp(decoded) != decoded {
		return true
	}
	spaced := strings.ReplaceAll(decoded, "+", " ") // in a query, + stands for a space
	return phoneInURL.MatchString(decoded) || phoneInURL.MatchString(spaced)
}

// phoneInURL matches a telephone number in a decoded URL, such as "?phone=07700 900123".
var phoneInURL = func() *regexp.Regexp {
	const afterWord = `\b(?:tel|telephone|phone|mobile|mob|call|whatsapp)[=:/]\+?[0-9 ]{6,}`
	const withPlus = `(?:^|[^0-9a-z])\+[1-9](?:[ .()-]{0,2}[0-9]){7,14}(?:$|[^0-9a-z])`
	const inGroups = `(?:^|[^0-9a-z])0[1-9][0-9]{1,4}[ -][0-9]{2,4}[ -]?[0-9]{3,6}(?:$|[^0-9a-z])`
	return regexp.MustCompile(`(?i)` + afterWord + `|` + withPlus + `|` + inGroups)
}()

// email matches an email address. The last part of the domain must begin with a letter, because
// "node@18.2" is a version.
var email = func() *regexp.Regexp {
	const at = `(?:@ ?|%40|\(at\)|\[at\]| \(at\) | \[at\] )`
	const dot = `(?:\.| ?(?:\(dot\)|\[dot\]) ?)`
	const part = `[\pL\p{Nd}-]+`
	return regexp.MustCompile(`(?i)[\pL\p{Nd}._%+'-]+` + at + `(?:` + part + dot + `)+` +
		`\pL(?:[\pL\p{Nd}-]*[\pL\p{Nd}])?`)
}()

// atSigns has the signs and words that stand for "@" in an email address, in lower case.
var atSigns = []string{"@", "(at)", "[at]", "%40"}

// whatsApp matches a WhatsApp address with a telephone number.
var whatsApp = regexp.MustCompile(`(?i)(?:https?://)?wa\.me/\+?[0-9]{8,15}`)

// maskWhatsApp replaces each WhatsApp address with a telephone number in s by RemovedMark.
func maskWhatsApp(s string) string {
	if !strings.Contains(strings.ToLower(s), "wa.me/") {
		return s // most texts; many times faster than the pattern
	}
	return whatsApp.ReplaceAllLiteralString(s, RemovedMark)
}

// maskEmails replaces each email address in s by RemovedMark.
func maskEmails(s string) string {
	lower := strings.ToLower(s)
	if !slices.ContainsFunc(atSigns, func(sign string) bool { return strings.Contains(lower, sign) }) {
		return s // most texts; many times faster than the pattern
	}
	return email.ReplaceAllLiteralString(s, RemovedMark)
}

// number matches digits that may be separated, for example by spaces, dots, hyphens or brackets.
var number = func() *regexp.Regexp {
	const separator = `[ \n./·•\x{a0}\x{2010}-\x{2014}-]`
	const gap = `(?:(?:` + separator + `|[()])[()]*(?:` + separator + `[()]*)?)?`
	return regexp.MustCompile(`^(?:\(?\+)?(?:` + separator + `|[()]){0,3}[0-9](?:` + gap + `[0-9])*`)
}()

// longestNumber is the maximum length of a telephone number with its separators, in bytes.
const longestNumber = 200

// maskPhones replaces each telephone number in s by RemovedMark.
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
		phone := phoneAtStart(found, s[:i], done)
		switch {
		case phone != "":
			b.WriteString(s[done:i] + RemovedMark)
			i += len(phone)
			done = i
		case strings.HasPrefix(found, "("): // the number in the brackets may be a telephone number by itself
			i++
		default:
			i += max(startInside(found), 1)
		}
	}
}

// phoneAtStart returns the telephone number at the start of found, or "" if there is none. found
// consists of digits and separators; it may be several numbers. prefix is the text before it, and
// processedEnd is the end of the text processed so far.
func phoneAtStart(found, prefix string, processedEnd int) string {
	if found == "" {
		return ""
	}
	before, phone := prefix[processedEnd:], found
	if !isPhone(phone, before) {
		phone = strings.TrimRight(found[:startInside(found)], " \n\u00a0/(")
	}
	if !isPhone(phone, before) || !mayBegin(phone, prefix, processedEnd) {
		return ""
	}
	return phone
}

// groupStart matches the beginning of a telephone number after another number: "+", or a group of
// at least 3 digits that begins with 0. Shorter groups are often parts of a date, and 000 is part of
// a large number.
var groupStart = regexp.MustCompile(`[ \n\x{a0}(/](?:\(?\+|0[1-9][0-9]|00[1-9])`)

// startInside returns the position in number at which another telephone number may begin, or the
// length of number if there is none. number consists of digits and separators.
func startInside(number string) int {
	if at := groupStart.FindStringIndex(number); at != nil && at[0] > 0 {
		_, size := utf8.DecodeRuneInString(number[at[0]:])
		return at[0] + size
	}
	return len(number)
}

// wholeNumberStart matches the beginning of a telephone number with its dialling code.
var wholeNumberStart = regexp.MustCompile(`^\(?(?:\+|0[1-9])`)

// mayBegin reports whether number, which may be a telephone number, may begin after the text prefix.
// It may not begin after a digit or a currency sign, nor after a letter that does not end a word such
// as "tel". After a sign such as a dot, which may make it part of a longer number, it must have a
// dialling code and must not be in a web address. At processedEnd, the end of the text processed so
// far, it may always begin.
func mayBegin(number, prefix string, processedEnd int) bool {
	if len(prefix) == processedEnd {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(prefix)
	switch {
	case unicode.IsLetter(last):
		return number[0] != '(' && followsPhoneWord(prefix)
	case unicode.IsDigit(last), unicode.Is(unicode.Sc, last):
		return false
	case strings.ContainsRune(".,/=_#%&?-", last):
		return wholeNumberStart.MatchString(number) && !endsInWebAddress(prefix)
	}
	return true
}

// longestAddress is the number of bytes in which the start of a web address is looked for.
const longestAddress = 1_000

// endsInWebAddress reports whether the last word of a text is a web address, or the start of one.
func endsInWebAddress(text string) bool {
	text = text[max(0, len(text)-longestAddress):]
	word := strings.ToLower(text[strings.LastIndexFunc(text, unicode.IsSpace)+1:])
	return strings.Contains(word, "://") || strings.Contains(word, "www.")
}

// isPhone reports whether number is a telephone number. It checks the number of digits, their
// grouping and the text before the number.
func isPhone(number, prefix string) bool {
	groups, digits := "", 0 // number of digits in each group, in order
	shortest := len(number)
	for _, group := range strings.FieldsFunc(number, func(r rune) bool { return r < '0' || r > '9' }) {
		groups, digits = groups+" "+strconv.Itoa(len(group)), digits+len(group)
		shortest = min(shortest, len(group))
	}
	isList := strings.Contains(number, "\n") && shortest < 3 // such as one number on each line
	switch {
	case digits > 15, isList:
		return false
	case strings.Contains(number, "+"):
		return digits >= 8
	case digits >= 9 && number[strings.IndexAny(number, "0123456789")] == '0':
		return !strings.HasPrefix(groups, " 2 2 4") // two dates
	case groups == " 3 3 4", groups == " 1 3 3 4":
		return true
	}
	return digits >= 6 && followsPhoneWord(prefix)
}

// followsPhoneWord reports whether the text before a number ends in a word such as "tel" or "call".
func followsPhoneWord(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-24):], " .:-\u00a0(")
	i := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLetter(r) })
	switch strings.ToLower(before[i+1:]) {
	case "tel", "telephone", "phone", "mobile", "mob", "call", "ring", "whatsapp", "fax", "text":
		return true
	}
	return false
}
