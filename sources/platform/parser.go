package platform

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"labour/sources"
)

// maxProblems is how many problems of a line its fault names.
const maxProblems = 5

// errSyntax says that a line is not one JSON value in UTF-8.
var errSyntax = errors.New("the line is not JSON in UTF-8; write one JSON object per line")

// parser reads lines. It decides by itself, without a schema validator, because
// it runs once per line of the feed; a test holds it to the schemas. It is not
// safe for concurrent use.
type parser struct {
	scanner
	path     []step
	problems []string
	dropped  int               // problems beyond maxProblems
	words    map[string]string // strings that come again and again
	held     block[sources.Held]
	asked    block[sources.AskedSkill]
}

// step is one step of the way to the value being read.
type step struct {
	name  string
	index int // -1: not in a list
}

func newParser() *parser { return &parser{words: map[string]string{}} }

// decoders has the decoder of each kind.
var decoders = map[Kind]func(p *parser, line []byte) (sources.Record, string, error){
	Boroughs:     lineOf(boroughs, func(v *sources.Borough) string { return v.Slug }),
	Adverts:      lineOf(adverts, func(v *sources.Advert) string { return v.ID }),
	Residents:    lineOf(residents, func(v *sources.Resident) string { return v.ID }),
	Applications: lineOf(applications, func(v *sources.Application) string { return v.ID }),
	Events:       lineOf(events, func(v *sources.Event) string { return v.ID }),
	Pathways:     lineOf(pathways, func(v *sources.Pathway) string { return v.ID }),
	S106:         lineOf(developments, func(v *sources.Development) string { return v.ID }),
}

// lineOf makes the decoder of one kind: a line becomes a record and its id, or an
// error that wraps errSyntax or says how the line breaks the schema.
func lineOf[T sources.Record](o object[T], id func(*T) string) func(*parser, []byte) (sources.Record, string, error) {
	o = o.ready()
	return func(p *parser, line []byte) (sources.Record, string, error) {
		var v T
		p.path, p.problems, p.dropped = p.path[:0], p.problems[:0], 0
		if !utf8.Valid(line) {
			return nil, "", errSyntax
		}
		p.reset(line)
		if err := o.read(p, &v); err != nil || !p.atEnd() {
			return nil, "", errSyntax
		}
		if len(p.problems) > 0 {
			return nil, "", p.refusal()
		}
		return v, id(&v), nil
	}
}

// refusal is the error of a line with problems.
func (p *parser) refusal() error {
	text := strings.Join(p.problems, "; ")
	if p.dropped > 0 {
		text += fmt.Sprintf("; and %d more", p.dropped)
	}
	return errors.New(text)
}

// problem notes how the value being read breaks the schema. It never holds the
// value itself, which may be a person's data.
func (p *parser) problem(format string, args ...any) {
	if len(p.problems) == maxProblems {
		p.dropped++
		return
	}
	where := p.where()
	if where != "" {
		where += " "
	}
	p.problems = append(p.problems, where+fmt.Sprintf(format, args...))
}

// where is the way to the value being read: `skills[2].level`.
func (p *parser) where() string {
	var b strings.Builder
	for _, s := range p.path {
		if b.Len() > 0 && s.name != "" {
			b.WriteByte('.')
		}
		b.WriteString(s.name)
		if s.index >= 0 {
			fmt.Fprintf(&b, "[%d]", s.index)
		}
	}
	return b.String()
}

// is checks the kind of the next value; another one is a problem and is skipped.
func (p *parser) is(want kind, word string) (bool, error) {
	switch kindOf(p.peek()) {
	case want:
		return true, nil
	case isNull:
		p.problem("is null; leave the property out instead")
	default:
		p.problem("must be %s", word)
	}
	_, err := p.skip()
	return false, err
}

// word is a string that comes again and again, kept once. The number kept is
// bounded.
func (p *parser) word(b []byte) string {
	if p.lent() {
		return p.string(b)
	}
	if s, ok := p.words[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(p.words) < 1<<16 && len(s) <= 64 {
		p.words[s] = s
	}
	return s
}

// block hands out short lists of one large one, so that a list per line costs no
// allocation of its own.
type block[E any] struct{ all []E }

// begin makes room for a list of usual length, and says where it begins.
func (b *block[E]) begin() int {
	if cap(b.all)-len(b.all) < 16 {
		b.all = make([]E, 0, 1024)
	}
	return len(b.all)
}

// object is the table of one JSON object's properties. At most 64.
type object[T any] struct {
	properties []property[T]
	// check looks at the whole, after everything was read without a problem.
	check func(p *parser, v *T)
	// needed has a bit for each property that must be there.
	needed uint64
}

// property is one property: its name, whether it must be there, and how it is read.
type property[T any] struct {
	name     string
	required bool
	read     func(p *parser, v *T) error
	// begins is how the property stands in the line of an exporter that puts no white
	// space: "name":
	begins string
}

// need makes a property required.
func need[T any](x property[T]) property[T] {
	x.required = true
	return x
}

// ready prepares the table for reading.
func (o object[T]) ready() object[T] {
	o.properties = slices.Clone(o.properties)
	for i := range o.properties {
		x := &o.properties[i]
		x.begins = `"` + x.name + `":`
		if x.required {
			o.needed |= 1 << i
		}
	}
	return o
}

// read reads one object. The error is one of syntax; how the object breaks the
// schema goes to p.problem.
func (o *object[T]) read(p *parser, v *T) error {
	if ok, err := p.is(isObject, "an object"); !ok {
		return err
	}
	before := len(p.problems)
	var seen uint64
	var unknown []string
	p.path = append(p.path, step{index: -1})
	more, err := p.open('}')
	for next := 0; more; more, err = p.more('}') {
		i, name, err := o.key(p, next)
		if err != nil {
			return err
		}
		if i < 0 {
			unknown = append(unknown, name)
			if _, err := p.skip(); err != nil {
				return err
			}
			continue
		}
		next = i + 1
		p.path[len(p.path)-1] = step{o.properties[i].name, -1}
		if seen&(1<<i) != 0 {
			p.problem("stands twice")
		}
		seen |= 1 << i
		if err := o.properties[i].read(p, v); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	p.path = p.path[:len(p.path)-1]
	o.whole(p, v, seen, unknown, before)
	return nil
}

// key reads the name of a property and the colon, and looks it up: -1 and the name
// when there is none of that name. An orderly exporter puts it at next.
func (o *object[T]) key(p *parser, next int) (i int, name string, err error) {
	for i := next; i < len(o.properties); i++ { // what is optional may be left out
		if p.takes(o.properties[i].begins) {
			return i, "", nil
		}
		if o.properties[i].required {
			break
		}
	}
	b, err := p.key()
	if err != nil {
		return 0, "", err
	}
	if i = o.find(b, next); i < 0 {
		name = string(b)
	}
	return i, name, p.colon()
}

// find looks a property up, beginning where an orderly exporter puts it.
func (o *object[T]) find(key []byte, next int) int {
	for n := range o.properties {
		if i := (next + n) % len(o.properties); string(key) == o.properties[i].name {
			return i
		}
	}
	return -1
}

// whole checks what concerns the object as a whole.
func (o *object[T]) whole(p *parser, v *T, seen uint64, unknown []string, before int) {
	if seen&o.needed != o.needed {
		for i, x := range o.properties {
			if x.required && seen&(1<<i) == 0 {
				p.problem("lacks the property %q", x.name)
			}
		}
	}
	slices.Sort(unknown)
	for _, name := range slices.Compact(unknown) {
		p.unknown(name)
	}
	if o.check != nil && len(p.problems) == before && p.dropped == 0 {
		o.check(p, v)
	}
}

// unknown refuses a property that the schema does not have.
func (p *parser) unknown(name string) {
	shown := name
	if r := []rune(shown); len(r) > 40 {
		shown = string(r[:40]) + "…"
	}
	if isPersonal(name) {
		p.problem("has the property %q, which looks like personal data: take it out of the feed", shown)
		return
	}
	p.problem("has the unknown property %q: take it out, or correct its name", shown)
}

// personal are parts of the names of properties that hold personal data.
var personal = []string{
	"name", "email", "mail", "phone", "mobile", "telephone", "contact", "address", "postcode", "birth", "dob", "age",
	"gender", "sex", "ethnic", "religio", "disab", "health", "nationality", "nino", "national_insurance", "photo",
	"cv", "resume", "linkedin", "recruiter", "ip",
}

// isPersonal says whether a word of the name is, or begins with, one of personal.
func isPersonal(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' })
	for _, w := range words {
		for _, x := range personal {
			if w == x || len(x) > 3 && strings.Contains(w, x) {
				return true
			}
		}
	}
	return strings.Contains(strings.ToLower(name), "national_insurance")
}
