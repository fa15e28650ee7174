package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Source is one publisher's data: its description, and the code that fetches and reads the data.
type Source interface {
	// Info describes the source: its names, licence, terms and kind of data. The result does not
	// change while the program runs.
	Info() Info
	// Fetch downloads the current data and archives every body through f. It parses no more than
	// paging needs. A part that fails (one board of many) is reported with f.MarkFailed and does
	// not stop the others. An error means that the whole source delivered nothing usable.
	Fetch(ctx context.Context, f Fetcher) error
	// Read turns the archived objects of one extract (the result of one fetch) into records,
	// without network, in the extract's order. A record that cannot be read is a Fault, not an
	// error. An error means that reading had to stop.
	Read(ctx context.Context, x Extract, open Opener, out RecordSink) error
}

// Request describes one download: the object's name in the archive, its URL and its limits.
type Request struct {
	// Name is the object's name within the extract, the same in every run, such as
	// "ashby/multiverse" or "adverts-2026-10.ndjson.gz".
	Name   string
	URL    string            // address that begins with http, https or file
	Header map[string]string // request headers, which are never archived or logged
	// Accept checks the content type and the first bytes, so that a page of HTML instead of JSON is
	// a failure of the fetch. Nil accepts everything.
	Accept   func(contentType string, head []byte) error
	MaxBytes int64 // size limit of the uncompressed body; 0 = 64 MiB
}

// PartLister is implemented by sources that consist of parts, for example job boards. Each part is
// fetched separately, and a failed part does not affect the others.
type PartLister interface {
	// PartNames returns the names of the configured parts, such as boards. The names of a part's
	// objects begin with the part's name.
	PartNames() []string
}

// Fetcher downloads and archives the data of one source during one run. It repeats failed requests
// with back-off, honours Retry-After, sends conditional requests and limits the size of a body.
type Fetcher interface {
	// Get downloads one object, archives it and adds it to the extract. If the publisher responds
	// that the object is unchanged, the body of the last extract is used. The returned Object
	// serves to read the body.
	Get(ctx context.Context, r Request) (ArchivedObject, error)
	Opener // opens objects that were just archived, for paging
	// MarkFailed records that a part of the source could not be fetched. The part is the object
	// with that name, and all objects whose names begin with it and a slash. Those fetched in this
	// run are not used; those of the last extract are carried forward.
	MarkFailed(part string, err error)
	// DiscardPart removes the objects of a part (such as a board) from this run, so that the part
	// can be fetched a second time.
	DiscardPart(part string)
	// LastObjects returns the objects of a part (such as a board) in the last extract of the
	// source, ordered by name.
	LastObjects(part string) []ArchivedObject
	// EarlierBody returns the last body of an object from before this run, whether or not that body
	// was used. The object must have been fetched in this run. ok is false if there is no such
	// body, or if it was received on the day of this run.
	EarlierBody(name string) (o ArchivedObject, ok bool)
	// KeepLast copies an object from the last extract into this one, without a request. It returns
	// false if the last extract has no object with that name.
	KeepLast(name string) bool
	// Secret returns a secret, such as an API key, from the environment variable or file that the
	// configuration names. ok is false if it is not set.
	Secret(name string) (value string, ok bool)
}

// ArchivedObject identifies one downloaded and archived body, for example a page of a list.
type ArchivedObject struct {
	Name string `json:"name"`
	URL  string `json:"url"`
	// SHA-256 of the body after transfer decoding, in lower-case hex
	SHA256    string    `json:"sha256"`
	Bytes     int64     `json:"bytes"`
	FetchedAt time.Time `json:"fetched_at"` // time at which these bytes were first received
	// Carried is true if this run could not fetch the object, so that the last good body is used.
	Carried bool `json:"carried,omitempty"`
	// Kept is true if this run did not request the object but took it from the last extract.
	Kept bool `json:"kept,omitempty"`
}

// Extract is the result of one fetch of a source: its time and the list of archived objects.
type Extract struct {
	Source    string           `json:"source"`
	FetchedAt time.Time        `json:"at"`
	Objects   []ArchivedObject `json:"objects"`
}

// Object returns the object of the extract with a given name. ok is false if there is none.
func (x Extract) Object(name string) (o ArchivedObject, ok bool) {
	if i := slices.IndexFunc(x.Objects, func(o ArchivedObject) bool { return o.Name == name }); i >= 0 {
		return x.Objects[i], true
	}
	return ArchivedObject{}, false
}

// BelongsTo reports whether the object belongs to a part of the source (such as a board). The
// object's name must equal the part's name, or begin with the part's name and a slash.
func (o ArchivedObject) BelongsTo(part string) bool {
	rest, ok := strings.CutPrefix(o.Name, part)
	return ok && (rest == "" || rest[0] == '/')
}

// Body reads the archived bytes of an object. Reading to the end verifies their SHA-256: the last
// Read returns ErrDamaged if the bytes have changed on disk.
type Body = io.ReadCloser

// Opener opens archived objects for reading.
type Opener interface {
	Open(o ArchivedObject) (Body, error)
}

// RecordSink receives the records and the faults (unusable items) that Source.Read finds.
type RecordSink interface {
	// Emit receives one record that was read. If it returns an error, reading stops.
	Emit(Record) error
	// Fault receives the description of one item that could not be read. Reading continues after
	// it.
	Fault(Fault)
}

// Fault describes one unusable item in a source's data: where it is, the kind of error, and advice
// for the operator.
type Fault struct {
	Source string `json:"source"`
	Object string `json:"object"` // name of the archived object that has the fault
	// place of the fault: a line number, record id or column
	Where  string    `json:"where,omitempty"`
	Code   FaultCode `json:"code"`
	Detail string    `json:"detail"` // advice on what to do; never contains personal data
}

// FaultCode names a kind of fault of a source, for example "not_json".
type FaultCode string

// Kinds of error in a source's data.
const (
	// The kinds of fault: errors in a source's data, objects that could not be fetched, and
	// corrections that were not applied.
	FaultDamaged FaultCode = "archive_damaged"
	FaultNotJSON FaultCode = "not_json" // A line or a body is not JSON.
	// A body is HTML or another format instead of data.
	FaultWrongFormat FaultCode = "not_the_format"
	FaultSchema      FaultCode = "schema" // A record does not match the documented schema.
	// A table has a column that the connector does not know.
	FaultColumnUnknown FaultCode = "unknown_column"
	// A table lacks a column that the connector needs.
	FaultColumnMissing FaultCode = "missing_column"
	FaultBadValue      FaultCode = "bad_value" // A value is outside its range.
	// FaultBrokenRow is the code for a row of a table that does not fit the columns of the header.
	FaultBrokenRow     FaultCode = "broken_row"
	FaultSuddenlyEmpty FaultCode = "suddenly_empty" // A list is empty that was full before.
	// FaultUnavailable is the code for an object that could not be fetched. The last good object is
	// used, if there is one.
	FaultUnavailable FaultCode = "unavailable"
	// There are fewer records than the publisher announced.
	FaultIncomplete  FaultCode = "incomplete"
	FaultFileMissing FaultCode = "missing_file" // A required file of a delivery is missing.
	// FaultTruncated is the code for a file that ends too early. The rest of its content is not
	// known.
	FaultTruncated    FaultCode = "torn_file"
	FaultUnknownPlace FaultCode = "unknown_place" // A place is in no list of known places.
	// FaultCorrectionNotApplied is the code for an operator's correction that was not applied: the
	// publisher has corrected the record, or the record does not exist.
	FaultCorrectionNotApplied FaultCode = "correction_not_applied"
	// FaultUnknownCode is the code for a classification code that this program does not know.
	FaultUnknownCode FaultCode = "unknown_code"
	// FaultUnknownReference is the code for a record that refers to another record that is missing.
	// The record itself is used, as far as this is possible without the other one.
	FaultUnknownReference FaultCode = "unknown_reference"
	// FaultUnknownResident is the code for an application whose resident is missing. A platform may
	// have deleted the resident's account, so the application is used and does not count as faulty.
	FaultUnknownResident FaultCode = "unknown_resident"
)

// IsOfUsedRecord reports whether a record with this fault is used nevertheless, because it is only
// another record that is missing.
func (c FaultCode) IsOfUsedRecord() bool {
	return c == FaultUnknownReference || c == FaultUnknownResident
}

// FaultCodes returns all kinds of fault.
func FaultCodes() []FaultCode {
	return []FaultCode{FaultDamaged, FaultNotJSON, FaultWrongFormat, FaultSchema, FaultColumnUnknown,
		FaultColumnMissing, FaultBadValue, FaultBrokenRow, FaultSuddenlyEmpty, FaultUnavailable, FaultIncomplete,
		FaultFileMissing, FaultTruncated, FaultUnknownPlace, FaultCorrectionNotApplied, FaultUnknownCode,
		FaultUnknownReference, FaultUnknownResident}
}

// CodedError is an error with a FaultCode, which names the kind of fault.
type CodedError struct {
	Code FaultCode
	Err  error
}

// WithFaultCode returns err as a CodedError. FaultCodeOf then returns that code instead of
// FaultUnavailable:
//
//	err := errors.New("the board lists no job; it had 40")
//	f.MarkFailed("ashby/acme", sources.WithFaultCode(sources.FaultSuddenlyEmpty, err))
func WithFaultCode(code FaultCode, err error) error { return &CodedError{Code: code, Err: err} }

// CodedErrorf returns a CodedError whose message is formatted as by fmt.Errorf.
func CodedErrorf(code FaultCode, format string, args ...any) error {
	return WithFaultCode(code, fmt.Errorf(format, args...))
}

// Error returns the message of the wrapped error, without the code.
func (e *CodedError) Error() string { return e.Err.Error() }

func (e *CodedError) Unwrap() error { return e.Err }

// PartError puts the name of the part that failed (for example a board) in front of the message of
// err. It returns err unchanged if the message already begins with that name.
func PartError(part string, err error) error {
	if strings.HasPrefix(err.Error(), part) {
		return err
	}
	return fmt.Errorf("%s: %w", part, err)
}

// AllFailedError returns the error for a source if all its parts failed. A single error is returned
// unchanged. Of several errors, the first is wrapped, with the number of failed parts. Without
// errors, the result states that nothing to fetch is configured.
func AllFailedError(errs []error) error {
	switch len(errs) {
	case 0:
		return errors.New("nothing to fetch is configured")
	case 1:
		return errs[0]
	}
	return fmt.Errorf("%d parts failed; the first: %w", len(errs), errs[0])
}

// FaultCodeOf returns the fault code of an error, and "" for nil. It is the code set by
// WithFaultCode, or FaultDamaged for ErrDamaged and ErrNotFound, or FaultUnavailable for any other
// error.
func FaultCodeOf(err error) FaultCode {
	var c *CodedError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &c):
		return c.Code
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrNotFound):
		return FaultDamaged
	}
	return FaultUnavailable
}

// ReportDataFault handles an error that occurred while an object was read. If the data of the
// object caused the error, it reports a fault to out and returns nil. It returns any other error
// unchanged, for example the error of a cancelled context.
func ReportDataFault(out RecordSink, source, object string, err error) error {
	var coded *CodedError
	code := FaultCodeOf(err)
	if err == nil || code == FaultUnavailable && !errors.As(err, &coded) {
		return err
	}
	out.Fault(Fault{Source: source, Object: object, Code: code, Detail: err.Error()})
	return nil
}

// ErrDamaged is the error for an archived object that no longer matches its SHA-256, because it was
// truncated or changed on disk.
var ErrDamaged = errors.New("archived object is damaged")

// ErrNotFound is the error for a SHA-256 without an object in the archive.
var ErrNotFound = errors.New("archived object is missing")
