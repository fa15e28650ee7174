package platform

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"

	"labour/sources"
	"labour/sources/intake"
	"labour/sources/parallel"
)

// Read parses the files of an extract (one fetch of the feed) in parallel. It emits records and
// faults in the order of the lines. An unusable line is a fault.
//
// A damaged archive is an error, because counts of only some people would be wrong. Memory use is
// bounded, except for about 50 bytes per record id.
func (p *FeedSource) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.RecordSink) error {
	if err := p.readIndex(x, open, out); err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	idle := make(chan *parser, workers)
	for range workers {
		idle <- newParser()
	}
	parsed := func(c *chunk) *chunk {
		parser := <-idle
		c.parse(parser)
		idle <- parser
		return c
	}
	var damage error
	var givenUp sync.Map // kinds that are not read to their end
	chunks := func(yield func(*chunk) bool) { damage = p.cutAll(x, open, &givenUp, yield) }
	m := merger{out: out, source: x.Source, references: references{fetchTime: x.FetchedAt}, codes: map[string]bool{},
		givenUp: &givenUp}
	for c := range parallel.Map(ctx, workers, 4*workers, chunks, parsed) {
		if err := m.emit(c); err != nil {
			return err
		}
	}
	return cmp.Or(ctx.Err(), damage)
}

// readOrder returns the types of records in the order of reading. Each type comes after the types
// to which it refers. Residents and applications are last, because some runs do not read them.
func readOrder() []RecordKind {
	return append(slices.DeleteFunc(RecordKinds(), RecordKind.IsAboutPeople), KindResidents, KindApplications)
}

// cutAll splits all files of the feed into chunks of lines, in the order of readOrder, and passes
// them to yield. It skips the types of records in givenUp.
func (p *FeedSource) cutAll(x sources.Extract, open sources.Opener, givenUp *sync.Map,
	yield func(*chunk) bool) error {
	for _, kind := range readOrder() {
		for _, o := range x.Objects {
			isRead := func() bool { _, stopped := givenUp.Load(kind); return !stopped }
			if k, _ := KindOfFile(o.Name); k != kind || !p.c.SelectsFile(o.Name) || !isRead() {
				continue
			}
			c := cutter{object: o, kind: kind, yield: func(c *chunk) bool { return isRead() && yield(c) }}
			if err := c.cut(open); err != nil && isRead() {
				return fmt.Errorf("read the feed's %s: %w", o.Name, err)
			}
		}
	}
	return nil
}

// merger emits the records and faults of chunks in order. It detects duplicate ids.
type merger struct {
	out    sources.RecordSink
	source string
	kind   RecordKind // kind of record being read; files are grouped by kind
	// fingerprints of the ids of the kind being read, to detect duplicates
	fingerprints map[xxh3.Uint128]bool
	references   references
	codes        map[string]bool // council codes of the boroughs read so far
	object       string
	line         int // number of the current line in its file, from 1
	lines        int // number of lines of the kind read so far
	faults       int // number of these lines that cannot be used
	// kinds that are not read to their end, since most of their lines cannot be used
	givenUp *sync.Map
}

// maxFaults is the number of unusable lines that Read always tolerates for one type of record. Read
// stops reading the type if more lines are unusable, and they are more than half of the lines so far.
const maxFaults = 10_000

// emit emits the records and faults of one chunk. A record with a duplicate id becomes a fault.
func (m *merger) emit(c *chunk) error {
	if m.fingerprints == nil || m.kind != c.kind {
		m.kind = c.kind
		m.fingerprints = map[xxh3.Uint128]bool{}
		m.lines = 0
		m.faults = 0
		m.references.keep(m.kind, m.fingerprints)
	}
	if _, stopped := m.givenUp.Load(c.kind); stopped {
		return nil
	}
	if m.object != c.object.Name {
		m.object, m.line = c.object.Name, 0
	}
	for _, f := range c.results {
		m.line, m.lines = m.line+1, m.lines+1
		if f.record != nil {
			f.fault = m.duplicate(&f)
		}
		switch {
		case f.fault != nil:
			m.fault(c.object.Name, f.fault)
			if m.faults++; m.faults > maxFaults && 2*m.faults > m.lines {
				m.giveUp(c.object.Name)
				return nil
			}
		case f.record != nil:
			m.fingerprints[f.id] = true
			m.remark(c.object.Name, f.remark)
			if missing := m.references.missing(f.record); missing != nil {
				m.fault(c.object.Name, missing)
			}
			if err := m.out.Emit(f.record); err != nil {
				return err
			}
		}
	}
	return nil
}

// duplicate returns a fault if an earlier record of the same type has the same id, and otherwise
// nil. An earlier borough with the same council code is also a fault, because adverts and residents
// would be counted in both boroughs.
func (m *merger) duplicate(f *lineResult) *fault {
	if m.fingerprints[f.id] {
		return &fault{sources.FaultBadValue,
			fmt.Sprintf("duplicate id in the %s of this feed; the first is kept", m.kind)}
	}
	b, ok := f.record.(sources.Borough)
	if !ok {
		return nil
	}
	if m.codes[b.Code] {
		return &fault{sources.FaultBadValue,
			fmt.Sprintf("another borough of this feed has the code %s, and is kept; give each borough its own code", b.Code)}
	}
	m.codes[b.Code] = true
	return nil
}

// fault reports the fault f of the current line. object is the name of the archived file. For a
// truncated file it leaves out the line number, because the number of the last line could disclose
// the number of people in the file.
func (m *merger) fault(object string, f *fault) {
	where := fmt.Sprintf("line %d", m.line)
	if f.code == sources.FaultTruncated {
		where = ""
	}
	m.out.Fault(sources.Fault{Source: m.source, Object: object, Where: where, Code: f.code, Detail: f.detail})
}

// giveUp stops reading the current type of record and reports a fault. object is the name of the
// archived file. The fault contains no numbers, because they could disclose the number of people in
// the file.
func (m *merger) giveUp(object string) {
	m.givenUp.Store(m.kind, true)
	m.out.Fault(sources.Fault{Source: m.source, Object: object, Code: sources.FaultSchema,
		Detail: fmt.Sprintf("more than half of the lines of the feed's %s cannot be used; the rest is not read", m.kind)})
}

// remark reports that characters were removed from some texts of a record. text names these texts,
// and object is the name of the archived file. remark does nothing if text is empty, or if m.out does
// not accept remarks.
func (m *merger) remark(object, text string) {
	if to, ok := m.out.(intake.RemarkSink); ok && text != "" {
		to.Remark(sources.Fault{Source: m.source, Object: object, Where: fmt.Sprintf("line %d", m.line),
			Code: sources.FaultBadValue, Detail: text})
	}
}

// readIndex reports faults in the list of the feed's files: an invalid complete_until, unknown
// files, and required types of records without a file.
func (p *FeedSource) readIndex(x sources.Extract, open sources.Opener, out sources.RecordSink) error {
	fault := func(code sources.FaultCode, detail string) {
		out.Fault(sources.Fault{Source: x.Source, Object: IndexObjectName, Code: code, Detail: detail})
	}
	have := map[RecordKind]bool{}
	for _, o := range x.Objects {
		if k, ok := KindOfFile(o.Name); ok {
			have[k] = true
		}
		if o.Name != IndexObjectName {
			continue
		}
		listed, err := readIndex(open, o)
		switch code := sources.FaultCodeOf(err); {
		case code == sources.FaultNotJSON:
			fault(code, err.Error())
		case err != nil:
			return err
		}
		if _, err := ReadCompleteUntil(open, x); sources.FaultCodeOf(err) == sources.FaultBadValue {
			fault(sources.FaultBadValue, err.Error())
		}
		for _, file := range listed.Files {
			if _, ok := KindOfFile(file); !ok && file != IndexObjectName {
				fault(sources.FaultWrongFormat,
					fmt.Sprintf("the feed has no file like %q; name it after its kind, like adverts-2026-10.ndjson.zst, or take "+
						"it out", file))
			}
		}
	}
	// The service needs records of these kinds. A feed without records of a kind must have an empty
	// file for it.
	for _, k := range []RecordKind{KindBoroughs, KindAdverts, KindResidents, KindApplications} {
		if !have[k] {
			fault(sources.FaultFileMissing, fmt.Sprintf("the feed has no file of %s; add one, empty if there are none", k))
		}
	}
	return nil
}
