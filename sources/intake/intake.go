// Package intake reads archived data through a source's Read method and cleans the texts of every
// record. It removes invalid UTF-8, control characters and marks that change the direction of
// writing, and decodes HTML entities. Texts can then be stored and displayed safely.
package intake

import (
	"context"

	"labour/sources"
)

// RemarkSink is an optional interface of a sources.RecordSink. Its method Remark receives a fault
// of a record that is used in spite of the fault.
type RemarkSink interface {
	Remark(sources.Fault)
}

// ReadCleaned reads the extract x (one fetch of a source) with src.Read, and passes the records with
// cleaned texts to out. If src panics, it returns an error.
func ReadCleaned(ctx context.Context, src sources.Source, x sources.Extract, open sources.Opener,
	out sources.RecordSink) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = sources.CodedErrorf(sources.FaultWrongFormat, "%s cannot read the response; reading stopped: %v",
				src.Info().Key, p)
		}
	}()
	return src.Read(ctx, x, open, sink{out, src.Info().Key})
}

// sink cleans the texts of records and faults and passes them on to another RecordSink.
type sink struct {
	out    sources.RecordSink
	source string
}

// Emit cleans the texts of a record and passes it on. If a required text such as the name becomes
// empty, Emit reports a fault instead.
func (s sink) Emit(r sources.Record) error {
	r, name := CleanRecord(r)
	if name == "" {
		return s.out.Emit(r)
	}
	s.out.Fault(sources.Fault{Source: s.source, Where: name, Code: sources.FaultBadValue,
		Detail: "its name has only invisible characters; it is not used"})
	return nil
}

// Fault cleans the texts of a fault and passes it on. The fault may quote a publisher's text.
func (s sink) Fault(f sources.Fault) {
	f.Object = CleanCode(f.Object)
	f.Where = CleanCode(f.Where)
	f.Detail = CleanCode(f.Detail)
	s.out.Fault(f)
}

// Remark passes a remark on if s.out accepts remarks. A remark is a fault of a record that is still
// used.
func (s sink) Remark(f sources.Fault) {
	if r, ok := s.out.(RemarkSink); ok {
		r.Remark(f)
	}
}
