package findanapprenticeship

import (
	"context"
	"fmt"
	"strconv"

	"labour/sources"
)

// Read turns the pages of one extract into adverts. While a list is paged it
// moves: a vacancy that is published pushes another onto a page that comes later,
// where it appears twice. The first appearance counts. When fewer vacancies came
// than the last page announces, that is a fault.
func (s *Connector) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	r := reader{open: open, out: out, seen: map[string]bool{}, total: -1}
	for _, o := range x.Objects {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", Key, err)
		}
		if err := r.page(o); err != nil {
			return fmt.Errorf("read %s: %s: %w", Key, o.Name, err)
		}
	}
	if n := len(r.seen) + r.unread; r.total >= 0 && n < r.total {
		r.out.Fault(sources.Fault{Source: Key, Object: r.last, Code: sources.FaultIncomplete,
			Detail: fmt.Sprintf("the service announces %d vacancies and its pages hold %d; the next fetch brings the rest", r.total, n)})
	}
	return nil
}

type reader struct {
	open   sources.Opener
	out    sources.Sink
	seen   map[string]bool // references
	unread int             // rows that are faults and have no reference
	total  int             // by the page that was received last; -1 = not said
	last   string          // name of that page
}

// page reads one page. An error is the sink's.
func (r *reader) page(o sources.Object) error {
	body, err := contents(r.open, o)
	if err != nil {
		r.fault(o, "", err)
		return nil
	}
	var stop error
	l, err := walk(body, func(i int, row []byte) error {
		stop = r.row(o, i, row)
		return stop
	})
	switch {
	case stop != nil:
		return stop
	case err != nil:
		r.fault(o, "", err)
	case l.total >= 0 && !o.Carried:
		r.total, r.last = l.total, o.Name
	}
	return nil
}

// row emits one vacancy that was not there before.
func (r *reader) row(o sources.Object, i int, row []byte) error {
	a, err := advert(row)
	if a.ID != "" && r.seen[a.ID] {
		return nil
	}
	if a.ID != "" {
		r.seen[a.ID] = true
	} else {
		r.unread++
	}
	if err != nil {
		r.fault(o, "row "+strconv.Itoa(i+1), err)
		return nil
	}
	return r.out.Emit(a)
}

func (r *reader) fault(o sources.Object, where string, err error) {
	r.out.Fault(sources.Fault{Source: Key, Object: o.Name, Where: where, Code: sources.CodeOf(err), Detail: err.Error()})
}
