// Package intake reads fetched data through a connector. Every emitted record passes through here,
// so that the rule about texts is in one place and no connector can forget it: every text is UTF-8
// without control characters and without marks that change the direction of writing, and HTML
// entities are decoded in plain texts. Every table can then store a publisher's text and every page
// can show it.
package intake

import (
	"context"

	"labour/sources"
)

// Remarker is a Sink that also accepts remarks: faults of a record that is used nevertheless.
type Remarker interface {
	Remark(sources.Fault)
}

// Read reads an extract with src.Read. A panic of a connector becomes an error with
// sources.FaultNotExpected, which affects only this source.
func Read(ctx context.Context, src sources.Source, x sources.Extract, open sources.Opener,
	out sources.Sink) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = sources.Codedf(sources.FaultNotExpected, "%s cannot take what was sent, and reading it broke off: %v",
				src.Info().Key, p)
		}
	}()
	return src.Read(ctx, x, open, sink{out, src.Info().Key})
}

// sink passes records on with cleaned texts.
type sink struct {
	out    sources.Sink
	source string
}

// Emit implements sources.Sink.
func (s sink) Emit(r sources.Record) error {
	r, name := Plain(r)
	if name == "" {
		return s.out.Emit(r)
	}
	s.out.Fault(sources.Fault{Source: s.source, Where: name, Code: sources.FaultValue,
		Detail: "its name holds nothing but characters that cannot be seen; it is not used"})
	return nil
}

// Fault implements sources.Sink. It cleans the detail, which may quote a cell.
func (s sink) Fault(f sources.Fault) {
	f.Object, f.Where, f.Detail = Text(f.Object), Text(f.Where), Text(f.Detail)
	s.out.Fault(f)
}

// Remark implements Remarker.
func (s sink) Remark(f sources.Fault) {
	if r, ok := s.out.(Remarker); ok {
		r.Remark(f)
	}
}
