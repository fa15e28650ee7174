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

// Source fetches and reads the data of one publisher.
type Source interface {
	// Info describes the source: its key, publisher, licence and terms. The result does not change
	// while the program runs.
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

// InfosOf returns the descriptions of the sources in list, in the same order.
func InfosOf(list []Source) (infos []Info) {
	for _, s := range list {
		infos = append(infos, s.Info())
	}
	return infos
}

// Request describes one download: its URL, size limit and name in the archive.
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

// PartLister is implemented by sources that fetch several lists, for example one from each job
// board. Each list is a part of the source. If one part fails, the others are still used.
type PartLister interface {
	// PartNames returns the names of the configured parts, such as boards. The names of a part's
	// objects begin with the part's name.
	PartNames() []string
}

// Fetcher downloads and archives the data of one source in one run. It retries failed requests with
// back-off, honours Retry-After, sends conditional requests and limits the size of a body.
type Fetcher interface {
	// Get downloads one object, archives it and adds it to the extract. If the publisher responds
	// that the object is unchanged, the body of the last extract is used. To read the body, pass
	// the returned object to Open.
	Get(ctx context.Context, r Request) (ArchivedObject, error)
	Opener // opens objects that were just archived, for paging
	// MarkFailed records that a part of the source could not be fetched. The part consists of the
	// object named part and all objects whose names begin with part and a slash. Its objects from
	// this run are not used. Its objects in the last extract are carried forward.
	MarkFailed(part string, err error)
	// DiscardPart removes the objects of a part (such as a board) from this run, so that the part
	// can be fetched a second time.
	DiscardPart(part string)
	// ObjectsOfLastExtract returns the objects of a part (such as a board) in the last extract of
	// the source, sorted by name. The last extract is the one before this run.
	ObjectsOfLastExtract(part string) []ArchivedObject
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

// ArchivedObject identifies one archived download, for example a page of a list.
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

// Extract is the result of one fetch of a source: the time and the archived objects.
type Extract struct {
	Source    string           `json:"source"`
	FetchedAt time.Time        `json:"at"`
	Objects   []ArchivedObject `json:"objects"`
}

// Object returns the object with the given name, for example a page of a list. ok is false if there
// is none.
func (x Extract) Object(name string) (o ArchivedObject, ok bool) {
	if i := slices.IndexFunc(x.Objects, func(o ArchivedObject) bool { return o.Name == name }); i >= 0 {
		return x.Objects[i], true
	}
	return ArchivedObject{}, false
}

// BelongsTo reports whether the object belongs to the named part of the source, such as the board
// "ashby/acme". The object's name must be part itself, or begin with part and a slash.
func (o ArchivedObject) BelongsTo(part string) bool {
	rest, ok := strings.CutPrefix(o.Name, part)
	return ok && (rest == "" || rest[0] == '/')
}

// Body is a reader of an archived object. It verifies the SHA-256 at the end: the last Read returns
// ErrDamaged if the bytes have changed on disk.
type Body = io.ReadCloser

// Opener opens archived downloads for reading.
type Opener interface {
	Open(o ArchivedObject) (Body, error)
}

// RecordSink receives the records that Source.Read reads. It also receives a fault for each item
// that cannot be used.
type RecordSink interface {
	// Emit receives one record that was read. If it returns an error, reading stops.
	Emit(Record) error
	// Fault receives the description of one item that could not be read. Reading continues after
	// it.
	Fault(Fault)
}

// Fault describes one unusable item in a source's data. It gives the object, the type of error and
// advice for the operator.
type Fault struct {
	Source string `json:"source"`
	Object string `json:"object"` // name of the archived object that has the fault
	// position of the fault: a line number, record id or column
	Where  string    `json:"where,omitempty"`
	Code   FaultCode `json:"code"`
	Detail string    `json:"detail"` // advice on what to do; never contains personal data
}

// FaultCode identifies a type of fault in a source's data, for example "not_json".
type FaultCode string

// Codes for faults in a source's data, failed downloads and corrections that were not applied.
const (
	// FaultDamaged is the code for an archived object that is missing or has changed on disk.
	FaultDamaged FaultCode = "archive_damaged"
	// FaultNotJSON is the code for a line or a body that is not JSON.
	FaultNotJSON FaultCode = "not_json"
	// FaultWrongFormat is the code for a body that is HTML or in another unexpected format.
	FaultWrongFormat FaultCode = "not_the_format"
	// FaultSchema is the code for a record or file that does not match its documented schema.
	FaultSchema FaultCode = "schema"
	// FaultColumnUnknown is the code for a table with an unknown column.
	FaultColumnUnknown FaultCode = "unknown_column"
	// FaultColumnMissing is the code for a table that lacks a required column.
	FaultColumnMissing FaultCode = "missing_column"
	// FaultBadValue is the code for a value that is malformed or outside its range.
	FaultBadValue FaultCode = "bad_value"
	// FaultBrokenRow is the code for a table row that does not fit the header's columns.
	FaultBrokenRow FaultCode = "broken_row"
	// FaultSuddenlyEmpty is the code for a list that is empty but had entries before.
	FaultSuddenlyEmpty FaultCode = "suddenly_empty"
	// FaultUnavailable is the code for an object that could not be fetched. Its last good version
	// is used, if there is one.
	FaultUnavailable FaultCode = "unavailable"
	// FaultIncomplete is the code for a list that is not complete, for example because the
	// publisher announced more records than it sent.
	FaultIncomplete FaultCode = "incomplete"
	// FaultFileMissing is the code for a required file that is missing from a delivery.
	FaultFileMissing FaultCode = "missing_file"
	// FaultTruncated is the code for a file that ends too early.
	FaultTruncated FaultCode = "torn_file"
	// FaultUnknownPlace is the code for a place that is in no list of known places.
	FaultUnknownPlace FaultCode = "unknown_place"
	// FaultCorrectionNotApplied is the code for an operator's correction that was not applied.
	// Either the publisher has corrected the record, or the record does not exist.
	FaultCorrectionNotApplied FaultCode = "correction_not_applied"
	// FaultUnknownCode is the code for an unknown classification code in the data.
	FaultUnknownCode FaultCode = "unknown_code"
	// FaultUnknownReference is the code for a record that refers to a missing record. The referring
	// record is still used, as far as possible.
	FaultUnknownReference FaultCode = "unknown_reference"
	// FaultUnknownResident is the code for an application whose resident is missing. The platform
	// may have deleted the account, so the application is still used.
	FaultUnknownResident FaultCode = "unknown_resident"
)

// KeepsRecord reports whether a record with this fault is still used. This is true if the only
// fault is that another record, to which this one refers, is missing.
func (c FaultCode) KeepsRecord() bool {
	return c == FaultUnknownReference || c == FaultUnknownResident
}

// FaultCodes returns all fault codes.
func FaultCodes() []FaultCode {
	return []FaultCode{FaultDamaged, FaultNotJSON, FaultWrongFormat, FaultSchema, FaultColumnUnknown,
		FaultColumnMissing, FaultBadValue, FaultBrokenRow, FaultSuddenlyEmpty, FaultUnavailable, FaultIncomplete,
		FaultFileMissing, FaultTruncated, FaultUnknownPlace, FaultCorrectionNotApplied, FaultUnknownCode,
		FaultUnknownReference, FaultUnknownResident}
}

// CodedError is an error with a FaultCode.
type CodedError struct {
	Code FaultCode
	Err  error
}

// WithFaultCode returns err as a CodedError. FaultCodeOf then returns code instead of
// FaultUnavailable:
//
//	err := errors.New("the board lists no job; it had 40")
//	f.MarkFailed("ashby/acme", sources.WithFaultCode(sources.FaultSuddenlyEmpty, err))
func WithFaultCode(code FaultCode, err error) error { return &CodedError{Code: code, Err: err} }

// CodedErrorf returns a CodedError. It formats the message as fmt.Errorf does.
func CodedErrorf(code FaultCode, format string, args ...any) error {
	return WithFaultCode(code, fmt.Errorf(format, args...))
}

// Error returns the message of the wrapped error, without the code.
func (e *CodedError) Error() string { return e.Err.Error() }

func (e *CodedError) Unwrap() error { return e.Err }

// PartError adds the name of the failed part of a source, such as a board, to the start of err's
// message. It returns err unchanged if the message already begins with that name.
func PartError(part string, err error) error {
	if strings.HasPrefix(err.Error(), part) {
		return err
	}
	return fmt.Errorf("%s: %w", part, err)
}

// AllFailedError returns the error for a source if every part of it failed. One error is returned
// unchanged. For several errors, the result states their number and wraps the first. Without
// errors, it states that nothing to fetch is configured.
func AllFailedError(errs []error) error {
	switch len(errs) {
	case 0:
		return errors.New("nothing to fetch is configured")
	case 1:
		return errs[0]
	}
	return fmt.Errorf("%d parts failed; the first: %w", len(errs), errs[0])
}

// FaultCodeOf returns the fault code of err, or "" for nil. This is the code set by WithFaultCode, if
// there is one. Without such a code, it is FaultDamaged for ErrDamaged and ErrNotFound, and
// FaultUnavailable for all other errors.
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

// ReportDataFault reports a fault to out if the data of an archived object caused err. It then
// returns nil. It returns any other error unchanged, for example a cancelled context. source is the
// key of the source, and object is the object's name.
func ReportDataFault(out RecordSink, source, object string, err error) error {
	var coded *CodedError
	code := FaultCodeOf(err)
	if err == nil || code == FaultUnavailable && !errors.As(err, &coded) {
		return err
	}
	out.Fault(Fault{Source: source, Object: object, Code: code, Detail: err.Error()})
	return nil
}

// ErrDamaged is the error for an archived object whose bytes no longer match its SHA-256.
var ErrDamaged = errors.New("archived object is damaged")

// ErrNotFound is the error for an object that is not in the archive.
var ErrNotFound = errors.New("archived object is missing")
