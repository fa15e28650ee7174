package platform

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"

	"labour/sources"
	"labour/sources/keyset"
)

// Read decodes the files of an extract. Files are cut into chunks that several
// workers decode at the same time; records and faults come out in the order of
// the extract and of the lines, whatever the number of workers. Memory is bounded
// but for the ids of the kind that is being read, about twelve bytes each.
//
// A line that cannot be used is a fault. Damage of the archive is an error, since
// counts made from a part of the people would be wrong.
func (p *Platform) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	if err := p.readIndex(x, open, out); err != nil {
		return err
	}
	if len(p.c.Kinds) > 0 {
		x.Objects = slices.DeleteFunc(slices.Clone(x.Objects), func(o sources.Object) bool {
			k, ok := KindOf(o.Name)
			return ok && !slices.Contains(p.c.Kinds, k)
		})
	}
	workers := runtime.GOMAXPROCS(0)
	group, ctx := errgroup.WithContext(ctx)
	jobs := make(chan *chunk, workers)
	order := make(chan *chunk, 4*workers)
	group.Go(func() error {
		defer close(jobs)
		defer close(order)
		return cutAll(ctx, x, open, jobs, order)
	})
	for range workers {
		group.Go(func() error {
			parser := newParser()
			for c := range jobs {
				c.parse(parser)
			}
			return nil
		})
	}
	m := merger{out: out, source: x.Source}
	group.Go(func() error { return m.run(ctx, order) })
	return group.Wait()
}

// byKind puts the files in the order of Kinds: adverts name boroughs, and
// applications name adverts and residents, so what is named is read first.
func byKind(objects []sources.Object) []sources.Object {
	place := func(o sources.Object) int {
		k, _ := KindOf(o.Name)
		return slices.Index(Kinds(), k)
	}
	sorted := slices.Clone(objects)
	slices.SortStableFunc(sorted, func(a, b sources.Object) int { return cmp.Compare(place(a), place(b)) })
	return sorted
}

// cutAll cuts every file in turn, and hands each chunk to the workers and, in
// order, to the merger.
func cutAll(ctx context.Context, x sources.Extract, open sources.Opener, jobs, order chan<- *chunk) error {
	send := func(c *chunk) error {
		targets := []chan<- *chunk{order, jobs}
		if c.found != nil {
			targets = targets[:1]
		}
		for _, to := range targets {
			select {
			case to <- c:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	}
	for _, o := range byKind(x.Objects) {
		kind, ok := KindOf(o.Name)
		if !ok {
			continue
		}
		c := cutter{object: o, kind: kind, send: send}
		if err := c.cut(open); err != nil {
			return fmt.Errorf("read the feed's %s: %w", o.Name, err)
		}
	}
	return nil
}

// merger takes the chunks in order.
type merger struct {
	out    sources.Sink
	source string
	kind   Kind        // that is being read; the files come kind by kind
	seen   *keyset.Set // its ids
}

func (m *merger) run(ctx context.Context, order <-chan *chunk) error {
	for c := range order {
		select {
		case <-c.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		for i := range c.found {
			if err := m.take(c, &c.found[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// take passes one finding on. An id stands once per kind: the first one stands.
func (m *merger) take(c *chunk, f *finding) error {
	if f.record == nil {
		m.fault(c, f.line, f.code, f.detail)
		return nil
	}
	if m.seen == nil || m.kind != c.kind {
		m.kind, m.seen = c.kind, keyset.New()
	}
	if !m.seen.Add(xxh3.HashString128(f.id)) {
		m.fault(c, f.line, sources.FaultValue,
			fmt.Sprintf("its id was there before in the %s of this feed, and the first one stands; export each once", c.kind))
		return nil
	}
	return m.out.Emit(f.record)
}

func (m *merger) fault(c *chunk, line int, code sources.FaultCode, detail string) {
	m.out.Fault(sources.Fault{Source: m.source, Object: c.object.Name,
		Where: fmt.Sprintf("line %d", line), Code: code, Detail: detail})
}

// readIndex names the files that are not of the feed and the kinds that have none.
func (p *Platform) readIndex(x sources.Extract, open sources.Opener, out sources.Sink) error {
	fault := func(code sources.FaultCode, detail string) {
		out.Fault(sources.Fault{Source: x.Source, Object: indexName, Code: code, Detail: detail})
	}
	have := map[Kind]bool{}
	for _, o := range x.Objects {
		if k, ok := KindOf(o.Name); ok {
			have[k] = true
		}
		if o.Name != indexName {
			continue
		}
		list, err := readIndex(open, o)
		switch code := sources.CodeOf(err); {
		case code == sources.FaultNotJSON:
			fault(code, err.Error())
		case err != nil:
			return err
		}
		for _, file := range list.Files {
			if _, ok := KindOf(file); !ok && file != indexName {
				fault(sources.FaultNotExpected, fmt.Sprintf("the feed has no file like %q; name it after its kind, like adverts-2026-10.ndjson.zst, or take it out", file))
			}
		}
	}
	for _, k := range required() {
		if !have[k] {
			fault(sources.FaultIncomplete, fmt.Sprintf("the feed has no file of %s; add one, empty if there are none", k))
		}
	}
	return nil
}
