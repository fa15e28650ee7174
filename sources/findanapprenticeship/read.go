package findanapprenticeship

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"labour/sources"
	"labour/sources/parallel"
)

// Read turns the pages of one extract into adverts. While a list is paged it
// moves: a vacancy that is published pushes another onto a page that comes later,
// where it appears twice. The first appearance counts. When fewer vacancies came
// than the last page announces, that is a fault.
func (s *Connector) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	r := reader{out: out, seen: map[string]bool{}, total: -1}
	for p := range parallel.Map(ctx, 0, slices.Values(x.Objects), func(o sources.Object) page { return readPage(open, o) }) {
		if err := r.page(&p); err != nil {
			return fmt.Errorf("read %s: %s: %w", Key, p.object.Name, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read %s: %w", Key, err)
	}
	if n := len(r.seen) + r.unread; r.total >= 0 && n < r.total {
		r.out.Fault(sources.Fault{Source: Key, Object: r.last, Code: sources.FaultIncomplete,
			Detail: fmt.Sprintf("the service announces %d vacancies and its pages hold %d; the next fetch brings the rest", r.total, n)})
	}
	return nil
}

type page struct {
	object sources.Object
	rows   []row
	total  int   // as announced; -1 = not said
	err    error // it could not be read to its end
}

type row struct {
	advert sources.Advert
	err    error
}

// readPage reads one page; others are read at the same time.
func readPage(open sources.Opener, o sources.Object) page {
	p := page{object: o, total: -1}
	l, err := walkObject(open, o, func(_ int, text []byte) error {
		a, err := advert(text)
		p.rows = append(p.rows, row{a, err})
		return nil
	})
	p.total, p.err = l.total, err
	return p
}

type reader struct {
	out    sources.Sink
	seen   map[string]bool // references
	unread int             // rows that are faults and have no reference
	total  int             // by the page that was received last; -1 = not said
	last   string          // name of that page
}

// page takes one page. An error is the sink's.
func (r *reader) page(p *page) error {
	for i := range p.rows {
		if err := r.row(p.object, i, &p.rows[i]); err != nil {
			return err
		}
	}
	switch {
	case p.err != nil:
		r.fault(p.object, "", p.err)
	case p.total >= 0 && !p.object.Carried:
		r.total, r.last = p.total, p.object.Name
	}
	return nil
}

// row emits one vacancy that was not there before.
func (r *reader) row(o sources.Object, i int, x *row) error {
	id := x.advert.ID
	if id != "" && r.seen[id] {
		return nil
	}
	if id != "" {
		r.seen[id] = true
	} else {
		r.unread++
	}
	if x.err != nil {
		r.fault(o, "row "+strconv.Itoa(i+1), x.err)
		return nil
	}
	return r.out.Emit(x.advert)
}

func (r *reader) fault(o sources.Object, where string, err error) {
	r.out.Fault(sources.Fault{Source: Key, Object: o.Name, Where: where, Code: sources.CodeOf(err), Detail: err.Error()})
}
