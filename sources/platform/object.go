package platform

import (
	"io"
	"slices"
)

// object is the table of one JSON object's properties. At most 64.
type object[T any] struct {
	properties []property[T]
	// check looks at the whole, after everything was read without a problem.
	check func(p *parser, v *T)
}

// property is one property: its name, whether it must be there, and how it is read.
type property[T any] struct {
	name     string
	required bool
	read     func(p *parser, v *T) error
}

// need makes a property required.
func need[T any](x property[T]) property[T] {
	x.required = true
	return x
}

// read reads one object. The error is one of syntax; how the object breaks the
// schema goes to p.problem.
func (o *object[T]) read(p *parser, v *T) error {
	if ok, err := p.begins('{', "an object"); !ok {
		return err
	}
	before := len(p.problems)
	var seen uint64
	var unknown []string
	for next := 0; p.json.PeekKind() != '}'; {
		name, err := p.text()
		if err != nil {
			return err
		}
		i := o.find(name, next)
		if i < 0 {
			unknown = append(unknown, string(name))
			if err := p.json.SkipValue(); err != nil {
				return err
			}
			continue
		}
		noted := len(p.problems)
		if seen&(1<<i) != 0 {
			p.problem("stands twice")
		}
		seen, next = seen|1<<i, i+1
		if err := o.properties[i].read(p, v); err != nil {
			return err
		}
		p.within(o.properties[i].name, noted)
	}
	o.whole(p, v, seen, unknown, before)
	return p.ends()
}

// find looks a property up, beginning where an orderly exporter puts it.
func (o *object[T]) find(name []byte, next int) int {
	for n := range o.properties {
		if i := (next + n) % len(o.properties); string(name) == o.properties[i].name {
			return i
		}
	}
	return -1
}

// whole checks what concerns the object as a whole.
func (o *object[T]) whole(p *parser, v *T, seen uint64, unknown []string, before int) {
	for i := range o.properties {
		if x := &o.properties[i]; x.required && seen&(1<<i) == 0 {
			p.problem("lacks the property %q", x.name)
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

// atEnd reports whether nothing is left of the line.
func (p *parser) atEnd() bool {
	_, err := p.json.ReadToken()
	return err == io.EOF
}
