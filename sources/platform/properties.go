package platform

import (
	"fmt"
	"math/big"
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
	return property[T]{name: name, read: func(p *parser, v *T) error {
		s, ok, err := p.str()
		if !ok {
			return err
		}
		// A character has 1 to 4 bytes, so that most texts need no counting.
		if n := len(s); n > max || n < 4*min {
			if n := utf8.RuneCountInString(s); n < min || n > max {
				p.problem("must have %d to %d characters", min, max)
				return nil
			}
		}
		*to(v) = p.keep(s)
		return nil
	}}
}

// matching is a string that is passes; says tells what it must be.
func matching[T any](name, says string, is func(string) bool, to func(*T) *string) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		s, ok, err := p.str()
		switch {
		case !ok:
			return err
		case !is(s):
			p.problem("must be %s", says)
		default:
			*to(v) = p.keep(s)
		}
		return nil
	}}
}

func (p *parser) str() (string, bool, error) {
	if ok, err := p.is(isString, "a string"); !ok {
		return "", false, err
	}
	s, err := p.quoted()
	return s, err == nil, err
}

// shape is what a short name must look like.
type shape struct {
	says string
	// end is where what begins at a place of a text so ends.
	end func(text string, from int) int
	// keep is the string for a record.
	keep func(*parser, string) string
}

// short is a string of 1 to maxID characters of a shape.
func short[T any](name string, x shape, to func(*T) *string) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		s, ok := p.shaped(x.end)
		if !ok {
			var err error
			if s, ok, err = p.str(); !ok {
				return err
			}
			ok = x.end(s, 0) == len(s)
		}
		if !ok || len(s) == 0 || len(s) > maxID {
			p.problem("must %s", x.says)
			return nil
		}
		*to(v) = x.keep(p, s)
		return nil
	}}
}

// id is an identifier. It has no room for an e-mail address or a name with spaces.
func id[T any](name string, to func(*T) *string) property[T] {
	says := fmt.Sprintf("have 1 to %d of the characters A-Z a-z 0-9 _ . : -", maxID)
	return short(name, shape{says, idEnd, (*parser).keep}, to)
}

// slug is a short name for addresses.
func slug[T any](name string, to func(*T) *string) property[T] {
	return short(name, shape{"be a slug: words of a-z and 0-9 joined with -", slugEnd, (*parser).word}, to)
}

// oneOf is one of a few words.
func oneOf[T any, S ~string](name string, to func(*T) *S, words ...S) property[T] {
	shape := make([]string, len(words))
	for i, w := range words {
		shape[i] = string(w)
	}
	problem := "must be one of " + strings.Join(shape, ", ")
	return property[T]{name: name, read: func(p *parser, v *T) error {
		s, ok, err := p.str()
		if !ok {
			return err
		}
		for _, w := range words {
			if s == string(w) {
				*to(v) = w
				return nil
			}
		}
		p.problem("%s", problem)
		return nil
	}}
}

// integer is a whole number from min to max. 3.0 is one, as in JSON Schema.
func integer[T any, N int | int64](name string, min, max int64, to func(*T) *N) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		n, ok := p.digits()
		if !ok {
			if is, err := p.is(isNumber, "a number"); !is {
				return err
			}
			raw, err := p.skip()
			if err != nil {
				return err
			}
			n, ok = whole(string(raw))
		}
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
		ok, err := p.is(isBool, "true or false")
		switch {
		case !ok:
			return err
		case p.takes("true"):
			*to(v) = true
		case p.takes("false"):
			*to(v) = false
		default:
			return errSyntax
		}
		return nil
	}}
}

// day is a date, "2026-10-31".
func day[T any](name string, to func(*T) *sources.Date) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		s, ok, err := p.str()
		if !ok {
			return err
		}
		d, ok := parseDay(s)
		if !ok {
			p.problem("must be a date like 2026-10-31")
			return nil
		}
		*to(v) = d
		return nil
	}}
}

// instant is a time with a zone, "2026-10-31T09:30:00Z".
func instant[T any](name string, to func(*T) *time.Time) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		s, ok, err := p.str()
		if !ok {
			return err
		}
		t, ok := parseInstant(s)
		if !ok {
			p.problem("must be a time with a zone like 2026-10-31T09:30:00Z")
			return nil
		}
		*to(v) = t
		return nil
	}}
}

// list is a list of at most maxList objects.
func list[T, E any](name string, o *object[E], to func(*T) *[]E) property[T] {
	return listIn(name, o, func(*parser) *block[E] { return &block[E]{all: make([]E, 0, 16)} }, to)
}

// listIn is list with the block that its elements stand in.
func listIn[T, E any](name string, o *object[E], in func(*parser) *block[E], to func(*T) *[]E) property[T] {
	return property[T]{name: name, read: func(p *parser, v *T) error {
		b := in(p)
		first := b.begin()
		err := p.each(func() error {
			return o.read(p, b.next())
		})
		*to(v) = nil
		if n := len(b.all); n > first {
			*to(v) = b.all[first:n:n]
		}
		return err
	}}
}

// strings is a list of at most maxList strings that each read as one.
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
	if ok, err := p.is(isList, "a list"); !ok {
		return err
	}
	n := 0
	for lead := byte('['); ; lead = ',' {
		more, err := p.more(lead, ']')
		if err != nil {
			return err
		}
		if !more {
			break
		}
		before := len(p.problems)
		if err := one(); err != nil {
			return err
		}
		if len(p.problems) > before {
			p.within(fmt.Sprintf("[%d]", n), before)
		}
		n++
	}
	if n > maxList {
		p.problem("must have at most %d elements", maxList)
	}
	return nil
}
