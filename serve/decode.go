package serve

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parameter describes one query parameter of an endpoint: the input field for its value, and the
// rules that the value must follow. The struct tags of the input field define these rules.
type parameter struct {
	name string
	// index of the input struct's field that receives the value, for reflect.Value.FieldByIndex
	field     []int
	integer   bool
	allowed   []string // permitted values; empty = any value
	letters   string
	means     map[string]string
	pattern   *regexp.Regexp // regular expression that the value must match; nil = any text
	words     string         // description of the pattern for error messages
	maxLength int            // longest permitted value in characters; 0 = any length
	low, high *int64         // smallest and largest permitted number; nil = no bound
	initial   string         // value if the parameter is omitted; empty = none
}

// parameters maps the name of each query parameter of an endpoint to its rules.
type parameters map[string]parameter

// parametersOf returns the query parameters of an endpoint. The struct tags of its input type
// define them. parametersOf returns an error if a tag is invalid.
func parametersOf(input reflect.Type) (parameters, error) {
	all := parameters{}
	return all, all.read(input, nil)
}

// read adds the query parameters that a struct type defines, including those of embedded structs.
// index locates an embedded struct in the outer struct, as reflect.Value.FieldByIndex expects.
func (p parameters) read(input reflect.Type, index []int) error {
	for f := range input.Fields() {
		at := append(slices.Clone(index), f.Index...)
		if f.Anonymous {
			if err := p.read(f.Type, at); err != nil {
				return err
			}
			continue
		}
		name, ok := f.Tag.Lookup("query")
		if !ok {
			continue
		}
		one, err := parameterOf(name, at, f)
		if err != nil {
			return fmt.Errorf("parameter %s of %s: %w", name, input, err)
		}
		p[name] = one
	}
	return nil
}

func parameterOf(name string, at []int, f reflect.StructField) (p parameter, err error) {
	tag := f.Tag
	p = parameter{name: name, field: at, integer: f.Type.Kind() == reflect.Int, letters: tag.Get("letters"),
		words: tag.Get("patternDescription"), initial: tag.Get("default"), means: map[string]string{}}
	if list := tag.Get("enum"); list != "" {
		p.allowed = strings.Split(list, ",")
	}
	for pair := range strings.SplitSeq(tag.Get("means"), ",") {
		value, other, _ := strings.Cut(pair, "=")
		p.means[value] = other
	}
	if text := tag.Get("pattern"); text != "" {
		if p.pattern, err = regexp.Compile(text); err != nil {
			return p, err
		}
	}
	if text := tag.Get("maxLength"); text != "" {
		if p.maxLength, err = strconv.Atoi(text); err != nil {
			return p, err
		}
	}
	for name, bound := range map[string]**int64{"minimum": &p.low, "maximum": &p.high} {
		if text := tag.Get(name); text != "" {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return p, err
			}
			*bound = &n
		}
	}
	return p, nil
}

func (p parameters) names() []string { return slices.Sorted(maps.Keys(p)) }

// maxReported is the largest number of query parameters that are checked in one request. Every
// endpoint has fewer parameters.
const maxReported = 50

// decode checks the raw query string of a request and records errors in c. It stores valid values
// in the struct that input points to, and in c.query in canonical form. An empty value is an error:
// it usually comes from an unset variable in the client.
func (p parameters) decode(c *call, raw string, input any) {
	c.query = url.Values{}
	values, err := url.ParseQuery(raw)
	if err != nil {
		c.add(invalidParameter, "",
			"The query is not properly encoded: escape special characters with % and two hexadecimal digits, and separate "+
				"parameters with &.")
	}
	names := slices.Sorted(maps.Keys(values))
	for i, name := range names {
		if i == maxReported {
			c.add(invalidParameter, "",
				fmt.Sprintf("%d parameters are given; those after the first %d were not looked at.", len(names),
					maxReported))
			break
		}
		p.check(c, name, values[name])
	}
	to := reflect.ValueOf(input).Elem()
	for name, one := range p {
		one.set(to.FieldByIndex(one.field), c.query.Get(name))
	}
}

// set stores the value of a parameter in its input field. An empty value means that the parameter
// was omitted; set then stores the default.
func (p parameter) set(field reflect.Value, value string) {
	if value == "" {
		value = p.initial
	}
	if p.integer {
		field.SetInt(integer(value))
		return
	}
	field.SetString(value)
}

// check validates the values that a request gives for the query parameter name. If there is exactly
// one and it is valid, check adds it to c.query. Otherwise it records an error in c.
func (p parameters) check(c *call, name string, values []string) {
	one, known := p[name]
	switch {
	case !known:
		near := p.nearest(name)
		c.add(invalidParameter, TruncateText(name), p.unknown(name, near), near...)
	case len(values) > 1:
		c.add(invalidParameter, name, fmt.Sprintf("%s is given %d times. Give it once.", name, len(values)))
	case values[0] == "":
		c.add(invalidParameter, name, name+" is empty. Give a value, or leave the parameter out.")
	default:
		value := one.fixCase(values[0])
		if message := one.fault(value); message != "" {
			c.add(invalidParameter, name, message)
			last := &c.faults[len(c.faults)-1]
			last.Allowed = one.allowed
			if len(one.allowed) > 0 && !one.integer {
				last.Nearest = nearest(value, one.allowed, 1)
			}
			return
		}
		if other := one.means[value]; other != "" {
			value = other
		}
		if one.integer {
			value = strconv.FormatInt(integer(value), 10)
		}
		c.query.Set(name, value)
	}
}

// alike maps a parameter name to a name that callers often confuse with it. For example, they write
// borough for place.
var alike = map[string]string{"borough": "place", "place": "borough"}

// nearest suggests a known parameter name for an unknown one. The result has one name, or none if
// no known name is similar.
func (p parameters) nearest(name string) []string {
	if _, known := p[alike[name]]; known {
		return []string{alike[name]}
	}
	return nearest(name, p.names(), 1)
}

func (p parameters) unknown(name string, near []string) string {
	switch {
	case len(p) == 0:
		return fmt.Sprintf("There is no parameter %s here. This call takes none.", TruncateText(name))
	case len(near) > 0:
		return fmt.Sprintf("There is no parameter %s here. The nearest one is %s.", TruncateText(name), near[0])
	}
	return fmt.Sprintf("There is no parameter %s here. This call takes %s.", TruncateText(name),
		strings.Join(p.names(), ", "))
}

// fixCase converts a value to the letter case that the parameter requires. For example, country
// codes become upper case.
func (p parameter) fixCase(value string) string {
	switch p.letters {
	case "upper":
		return strings.ToUpper(value)
	case "any":
		for _, a := range p.allowed {
			if strings.EqualFold(a, value) {
				return a
			}
		}
	}
	return value
}

// hasNull returns the error message for a text with the character U+0000. name is the name of the
// parameter or field.
func hasNull(name string) string { return name + " has the character U+0000. Leave it out." }

// fault returns an error message for an invalid value of the parameter. It returns "" if the value
// is valid.
func (p parameter) fault(value string) string {
	switch {
	case !utf8.ValidString(value):
		return p.name + " is not text in UTF-8."
	case strings.ContainsRune(value, 0):
		return hasNull(p.name)
	case p.maxLength > 0 && utf8.RuneCountInString(value) > p.maxLength:
		return fmt.Sprintf("%s has more than %d characters.", p.name, p.maxLength)
	case len(p.allowed) > 0 && !slices.Contains(p.allowed, value):
		return fmt.Sprintf("%s must be one of %s.", p.name, strings.Join(p.allowed, ", "))
	case p.integer:
		return p.integerFault(value)
	case p.pattern != nil && !p.pattern.MatchString(value):
		return fmt.Sprintf("%s must be %s.", p.name, p.words)
	}
	return ""
}

// wholeNumber matches a whole number, such as 0 or -12. It allows any number of digits, but no
// leading zeros.
var wholeNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// integer parses a whole number. A number that does not fit in 32 bits becomes the smallest or the
// largest 32-bit integer. Any other text is 0.
func integer(value string) int64 {
	n, _ := strconv.ParseInt(value, 10, 32)
	return n
}

func (p parameter) integerFault(value string) string {
	n := integer(value)
	inRange := (p.low == nil || n >= *p.low) && (p.high == nil || n <= *p.high)
	if inRange && wholeNumber.MatchString(value) {
		return ""
	}
	switch {
	case p.low != nil && p.high != nil:
		return fmt.Sprintf("%s must be a whole number from %d to %d.", p.name, *p.low, *p.high)
	case p.low != nil:
		return fmt.Sprintf("%s must be a whole number of at least %d.", p.name, *p.low)
	}
	return p.name + " must be a whole number."
}
