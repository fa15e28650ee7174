package platform

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"labour/sources"
)

// Each function here makes one property out of its rule and of where its value
// goes. The rules are those of the schemas, and a test holds both together.

// Bounds of texts, in characters, and of lists, as in the schemas.
const (
	maxID    = 100
	maxLabel = 200
	maxLink  = 2000
	maxLine  = 1 << 20 // bytes of one line
	maxText  = 200_000
	maxList  = 500
)

// text is a string of min to max characters.
func text[T any](name string, min, max int, to func(*T) *string) property[T] {
	fits := func(s []byte) bool {
		// A character has 1 to 4 bytes, so that most texts need no counting.
		if n := len(s); n <= max && n >= 4*min {
			return true
		}
		n := utf8.RuneCount(s)
		return n >= min && n <= max
	}
	return str(name, fmt.Sprintf("have %d to %d characters", min, max), fits, func(_ *parser, v *T, s []byte) { *to(v) = string(s) })
}

// matching is a string that is accepts; says tells what it must be.
func matching[T any](name, says string, is func(string) bool, to func(*T) *string) property[T] {
	return str(name, "be "+says, func(s []byte) bool { return is(string(s)) }, func(_ *parser, v *T, s []byte) { *to(v) = string(s) })
}

// str is a string that is accepts; must says what it must be or have.
func str[T any](name, must string, is func([]byte) bool, put func(*parser, *T, []byte)) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		if ok, err := p.is('"', "a string"); !ok {
			return err
		}
		s, err := p.text()
		switch {
		case err != nil:
			return err
		case !is(s):
			p.problem("must %s", must)
		default:
			put(p, v, s)
		}
		return nil
	}}
}

// The characters of numbers, slugs and ids.
var (
	digits      = setOf("0123456789")
	inSlugs     = setOf("abcdefghijklmnopqrstuvwxyz0123456789-")
	identifying = setOf("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_.:-")
)

func setOf(chars string) *[256]bool {
	var in [256]bool
	for _, c := range []byte(chars) {
		in[c] = true
	}
	return &in
}

// isOf reports whether s has 1 to maxID characters, all of the set.
func isOf(s []byte, set *[256]bool) bool {
	for _, c := range s {
		if !set[c] {
			return false
		}
	}
	return len(s) > 0 && len(s) <= maxID
}

// id is an identifier. It has no room for an e-mail address or a name with spaces.
func id[T any](name string, to func(*T) *string) property[T] {
	return str(name, fmt.Sprintf("have 1 to %d of the characters A-Z a-z 0-9 _ . : -", maxID), func(s []byte) bool { return isOf(s, identifying) },
		func(_ *parser, v *T, s []byte) { *to(v) = string(s) })
}

// slug is a short name for addresses.
func slug[T any](name string, to func(*T) *string) property[T] {
	is := func(s []byte) bool {
		return isOf(s, inSlugs) && s[0] != '-' && s[len(s)-1] != '-' && !bytes.Contains(s, []byte("--"))
	}
	return str(name, "be a slug: words of a-z and 0-9 joined with -", is, func(p *parser, v *T, s []byte) { *to(v) = p.word(s) })
}

// oneOf is one of a few words.
func oneOf[T any, S ~string](name string, to func(*T) *S, words ...S) property[T] {
	var all []string
	for _, w := range words {
		all = append(all, string(w))
	}
	index := func(s []byte) int { return slices.IndexFunc(all, func(w string) bool { return w == string(s) }) }
	return str(name, "be one of "+strings.Join(all, ", "), func(s []byte) bool { return index(s) >= 0 },
		func(_ *parser, v *T, s []byte) { *to(v) = words[index(s)] })
}

// integer is a whole number from min to max. 3.0 is one, as in JSON Schema.
func integer[T any, N int | int64](name string, min, max int64, to func(*T) *N) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		if is, err := p.is('0', "a number"); !is {
			return err
		}
		raw, err := p.json.ReadValue()
		if err != nil {
			return err
		}
		n, ok := whole(string(raw))
		if !ok || n < min || n > max {
			p.problem("must be a whole number from %d to %d", min, max)
			return nil
		}
		*to(v) = N(n)
		return nil
	}}
}

// whole is the value of a JSON number that is whole and fits; 3.0 and 30e-1 are whole.
func whole(raw string) (int64, bool) {
	if n, err := strconv.ParseInt(raw, 10, 64); err == nil {
		return n, true
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(raw), "e")
	if strings.Trim(mantissa, "-0.") == "" {
		return 0, true
	}
	if e, err := strconv.Atoi(exponent); exponent != "" && (err != nil || e > 1000 || e < -1000) || len(raw) > 1000 {
		return 0, false // too large, or not whole
	}
	r, ok := new(big.Rat).SetString(raw)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// boolean is true or false.
func boolean[T any](name string, to func(*T) *bool) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		kind := p.json.PeekKind()
		if kind != 't' && kind != 'f' {
			_, err := p.is('t', "true or false")
			return err
		}
		*to(v) = kind == 't'
		return p.json.SkipValue()
	}}
}

// day is a date from 1900 to 2199, "2026-10-31".
func day[T any](name string, to func(*T) *sources.Date) property[T] {
	return moment(name, "be a date like 2026-10-31", time.DateOnly, func(v *T, t time.Time) { *to(v) = sources.DateOf(t) })
}

// instant is a time with a zone, "2026-10-31T09:30:00Z", of at most 9 decimals of the second.
func instant[T any](name string, to func(*T) *time.Time) property[T] {
	return moment(name, "be a time with a zone like 2026-10-31T09:30:00Z", time.RFC3339, func(v *T, t time.Time) { *to(v) = t.UTC() })
}

func moment[T any](name, must, layout string, put func(*T, time.Time)) property[T] {
	read := func(s []byte) (t time.Time, ok bool) {
		if layout == time.RFC3339 {
			ok = len(s) <= len("2026-10-31T09:30:00.123456789+01:00") && t.UnmarshalText(s) == nil // Parse is lenient
			ok = ok && (s[len(s)-1] != 'Z' || len(s) <= len("2026-10-31T09:30:00.123456789Z"))
			_, offset := t.Zone()
			ok = ok && offset > -24*60*60 && offset < 24*60*60
		} else {
			var err error
			t, err = time.Parse(layout, string(s))
			ok = err == nil
		}
		return t, ok && t.Year() >= 1900 && t.Year() < 2200
	}
	is := func(s []byte) bool { _, ok := read(s); return ok }
	return str(name, must, is, func(_ *parser, v *T, s []byte) { t, _ := read(s); put(v, t) })
}

// list is a list of at most maxList objects.
func list[T, E any](name string, o *object[E], to func(*T) *[]E) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		var all []E
		err := p.each(func() error {
			all = append(all, *new(E))
			return o.read(p, &all[len(all)-1])
		})
		*to(v) = all
		return err
	}}
}

// stringsOf is a list of at most maxList strings that each read as one.
func stringsOf[T, E any](name string, one property[E], add func(*T, E)) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		return p.each(func() error {
			var e E
			before := len(p.problems) + p.dropped
			err := one.read(p, &e)
			if len(p.problems)+p.dropped == before {
				add(v, e)
			}
			return err
		})
	}}
}

// each reads a list, element by element.
func (p *parser) each(one func() error) error {
	if ok, err := p.begins('[', "a list"); !ok {
		return err
	}
	n := 0
	for ; p.json.PeekKind() != ']'; n++ {
		before := len(p.problems)
		if err := one(); err != nil {
			return err
		}
		if len(p.problems) > before {
			p.within(fmt.Sprintf("[%d]", n), before)
		}
	}
	if n > maxList {
		p.problem("must have at most %d elements", maxList)
	}
	return p.ends()
}
