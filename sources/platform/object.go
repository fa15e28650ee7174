package platform

import (
	"slices"
	"strings"
)

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
	for lead, next := byte('{'), 0; ; lead = ',' {
		i, ok := o.expected(p, lead, next)
		if !ok {
			more, err := p.more(lead, '}')
			if err != nil {
				return err
			}
			if !more {
				break
			}
			if i, err = o.named(p, next, &unknown); err != nil {
				return err
			}
			if i < 0 {
				continue
			}
		}
		next = i + 1
		x, noted := &o.properties[i], len(p.problems)
		if seen&(1<<i) != 0 {
			p.problem("stands twice")
		}
		seen |= 1 << i
		if err := x.read(p, v); err != nil {
			return err
		}
		if len(p.problems) > noted {
			p.within(x.name, noted)
		}
	}
	o.whole(p, v, seen, unknown, before)
	return nil
}

// named reads any name of a property and the colon, and looks it up. It skips the value
// of a property that there is not, notes the name, and gives -1.
func (o *object[T]) named(p *parser, next int, unknown *[]string) (int, error) {
	name, err := p.name()
	if err != nil {
		return 0, err
	}
	i := o.find(name, next)
	if i < 0 {
		*unknown = append(*unknown, name)
		_, err = p.skip()
	}
	return i, err
}

// expected passes over the lead, the name of a property and the colon where they stand
// as an orderly exporter writes them, and says which property it is.
func (o *object[T]) expected(p *parser, lead byte, next int) (i int, ok bool) {
	if p.at == len(p.line) || p.line[p.at] != lead {
		return 0, false
	}
	rest := p.line[p.at+1:]
	for i := next; i < len(o.properties); i++ { // what is optional may be left out
		x := &o.properties[i]
		if strings.HasPrefix(rest, x.begins) {
			p.at += 1 + len(x.begins)
			return i, true
		}
		if x.required {
			break
		}
	}
	return 0, false
}

// find looks a property up, beginning where an orderly exporter puts it.
func (o *object[T]) find(key string, next int) int {
	for n := range o.properties {
		if i := (next + n) % len(o.properties); key == o.properties[i].name {
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
	if len(unknown) > 0 {
		slices.Sort(unknown)
		for _, name := range slices.Compact(unknown) {
			p.unknown(name)
		}
	}
	if o.check != nil && len(p.problems) == before && p.dropped == 0 {
		o.check(p, v)
	}
}
