package serve

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/danielgtaylor/huma/v2"

	"labour/serve/api"
)

// parameters checks a query against the parameters that an operation documents.
// It is made from the same schemas that the OpenAPI document shows.
type parameters struct {
	names []string // sorted
	rules map[string]rule
}

// rule is what one parameter may be, as the document says.
type rule struct {
	*huma.Schema
	pattern *regexp.Regexp // nil = any
	allowed []string       // empty = any
}

// newParameters reads the rules of an operation's query parameters.
func newParameters(op *huma.Operation) parameters {
	p := parameters{rules: map[string]rule{}}
	for _, param := range op.Parameters {
		if param.In != "query" {
			continue
		}
		r := rule{Schema: param.Schema}
		if r.Pattern != "" {
			r.pattern = regexp.MustCompile(r.Pattern)
		}
		for _, e := range r.Enum {
			r.allowed = append(r.allowed, fmt.Sprint(e))
		}
		p.names = append(p.names, param.Name)
		p.rules[param.Name] = r
	}
	slices.Sort(p.names)
	return p
}

func (r rule) integer() bool { return r.Type == huma.TypeInteger }

// maxReported is how many parameters are looked at; no operation has as many.
const maxReported = 50

// check notes every fault of a raw query in c, and keeps in c.query the values
// that have none. An empty value is a fault: an empty variable in a client must not
// turn into the whole platform.
func (p parameters) check(c *call, raw string) {
	c.query = url.Values{}
	values, err := url.ParseQuery(raw)
	if err != nil {
		c.add(invalidParameter, "", "The query is not properly encoded: escape special characters with % and two hexadecimal digits, and separate parameters with &.")
	}
	names := slices.Sorted(maps.Keys(values))
	for i, name := range names {
		if i == maxReported {
			c.add(invalidParameter, "", fmt.Sprintf("%d parameters are given; those after the first %d were not looked at.", len(names), maxReported))
			return
		}
		p.checkOne(c, name, values[name])
	}
}

func (p parameters) checkOne(c *call, name string, values []string) {
	r, known := p.rules[name]
	switch {
	case !known:
		c.add(invalidParameter, clip(name), p.unknown(name), nearest(name, p.names, 1)...)
	case len(values) > 1:
		c.add(invalidParameter, name, fmt.Sprintf("%s is given %d times. Give it once.", name, len(values)))
	case values[0] == "":
		c.add(invalidParameter, name, name+" is empty. Give a value, or leave the parameter out.")
	default:
		if message := r.fault(name, values[0]); message != "" {
			c.add(invalidParameter, name, message)
			last := &c.faults[len(c.faults)-1]
			last.Allowed = r.allowed
			if len(r.allowed) > 0 && !r.integer() {
				last.Nearest = nearest(values[0], r.allowed, 1)
			}
			return
		}
		if r.integer() {
			values[0] = strconv.FormatInt(integer(values[0]), 10)
		}
		c.query.Set(name, values[0])
	}
}

func (p parameters) unknown(name string) string {
	if len(p.names) == 0 {
		return fmt.Sprintf("There is no parameter %s here. This call takes none.", clip(name))
	}
	if near := nearest(name, p.names, 1); len(near) > 0 {
		return fmt.Sprintf("There is no parameter %s here. The nearest one is %s.", clip(name), near[0])
	}
	return fmt.Sprintf("There is no parameter %s here. This call takes %s.", clip(name), strings.Join(p.names, ", "))
}

// fault is what is wrong with a value; empty when nothing is.
func (r rule) fault(name, value string) string {
	switch {
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return name + " is not text in UTF-8."
	case r.MaxLength != nil && utf8.RuneCountInString(value) > *r.MaxLength:
		return fmt.Sprintf("%s has more than %d characters.", name, *r.MaxLength)
	case len(r.allowed) > 0 && !slices.Contains(r.allowed, value):
		return fmt.Sprintf("%s must be one of %s.", name, strings.Join(r.allowed, ", "))
	case r.integer():
		return r.integerFault(name, value)
	case r.pattern != nil && !r.pattern.MatchString(value):
		return fmt.Sprintf("%s must be %s.", name, r.PatternDescription)
	}
	return ""
}

// wholeNumber is how a whole number is written, of any length.
var wholeNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// integer is a whole number, or the nearest one of 32 bits: whatever is above the
// largest page is above it as well then.
func integer(value string) int64 {
	n, _ := strconv.ParseInt(value, 10, 32)
	return n
}

func (r rule) integerFault(name, value string) string {
	n := integer(value)
	low, high := r.Minimum != nil && float64(n) < *r.Minimum, r.Maximum != nil && float64(n) > *r.Maximum
	if wholeNumber.MatchString(value) && !low && !high {
		return ""
	}
	switch {
	case r.Minimum != nil && r.Maximum != nil:
		return fmt.Sprintf("%s must be a whole number from %v to %v.", name, *r.Minimum, *r.Maximum)
	case r.Minimum != nil:
		return fmt.Sprintf("%s must be a whole number of at least %v.", name, *r.Minimum)
	}
	return name + " must be a whole number."
}

// humaContext is huma.Context by a name that does not hide its method Context
// when embedded.
type humaContext = huma.Context

// checked is a context whose query holds only what was checked, so that binding
// it to the input cannot fail.
type checked struct {
	humaContext
	query url.Values
}

// Query is the checked value of a parameter; empty when it was left out.
func (c checked) Query(name string) string { return c.query.Get(name) }

// Unwrap is the context below, for whoever needs its request.
func (c checked) Unwrap() huma.Context { return c.humaContext }

// longestCompared bounds the work of a comparison and what is repeated of a
// caller's text.
const longestCompared = 64

// nearest returns at most n known values that a wrong one may have meant: those of
// which its words are words or their beginnings, then those with one such word, then
// those that differ by few letters. A value that is not near is not returned.
func nearest(wrong string, known []string, n int) []string {
	named := make([]api.Named, len(known))
	for i, k := range known {
		named[i].Value = k
	}
	return Nearest(wrong, named, n)
}

// Nearest returns at most n of the known values that a wrong one may have meant, the
// nearest first: by words and their beginnings, also of their names, then by letters.
func Nearest(wrong string, known []api.Named, n int) []string {
	type candidate struct {
		value           string
		class, distance int
	}
	wrong = strings.ToLower(clip(wrong))
	wanted := wordsOf(wrong)
	var near []candidate
	for _, k := range known {
		value := strings.ToLower(k.Value)
		c := candidate{k.Value, 2, levenshtein.ComputeDistance(wrong, value)}
		switch matching := begun(wanted, append(wordsOf(value), wordsOf(strings.ToLower(k.Name))...)); {
		case len(wanted) > 0 && matching == len(wanted):
			c.class = 0
		case matching > 0:
			c.class = 1
		case c.distance > max(1, len(wrong)/3):
			continue
		}
		near = append(near, c)
	}
	slices.SortFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.distance, b.distance), cmp.Compare(a.value, b.value))
	})
	out := make([]string, 0, n)
	for _, c := range near[:min(n, len(near))] {
		out = append(out, c.value)
	}
	return out
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// begun counts the wanted words of at least three letters that are the beginning of a
// word.
func begun(wanted, words []string) (n int) {
	for _, w := range wanted {
		if len(w) > 2 && slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, w) }) {
			n++
		}
	}
	return n
}

// clip shortens a caller's text for a message, at a character and without what
// is not UTF-8.
func clip(s string) string {
	s = strings.ToValidUTF8(s, "")
	for i := range s {
		if i >= longestCompared {
			return s[:i]
		}
	}
	return s
}
