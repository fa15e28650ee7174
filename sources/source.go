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

// Source is one publisher's data: its description, and the code that fetches and reads it.
type Source interface {
	// Info describes the source. It does not change while the program runs.
	Info() Info
	// Fetch downloads the current data and archives every body through f. It parses no more than
	// paging needs. A part that fails (one board of many) is reported with f.Failed and does not
	// stop the others. An error means that the whole source delivered nothing usable.
	Fetch(ctx context.Context, f Fetcher) error
	// Read turns the objects of one extract into records, offline, in the extract's order. A record
	// that cannot be read is a Fault and not an error. An error means that reading had to stop.
	Read(ctx context.Context, x Extract, open Opener, out Sink) error
}

// Request describes one download: its name, its URL and its limits.
type Request struct {
	// Name is the object's name within the extract, the same in every run: "ashby/multiverse",
	// "adverts-2026-10.ndjson.gz".
	Name   string
	URL    string            // http, https or file
	Header map[string]string // request headers; never archived, never logged
	// Accept checks the first bytes and the content type, so that a page of HTML instead of JSON is
	// a failure of the fetch. Nil accepts everything.
	Accept   func(contentType string, head []byte) error
	MaxBytes int64 // size limit of the body, uncompressed; 0 is 64 MiB
}

// SourceWithParts is a Source made of parts that are fetched separately, for example job boards. A
// failed part does not affect the others.
type SourceWithParts interface {
	// PartNames returns the names of the configured parts. The names of a part's objects begin with it.
	PartNames() []string
}

// Fetcher downloads and archives the data of one source during one run. It retries with back-off,
// honours Retry-After, sends conditional requests and limits the size of a body.
type Fetcher interface {
	// Get downloads one object, archives it and adds it to the extract. If the publisher responds
	// that it is unchanged, the object of the last extract is used. The body can be read again with
	// the returned object.
	Get(ctx context.Context, r Request) (Object, error)
	Opener // opens objects that were just archived, for paging
	// MarkFailed records that a part could not be fetched. The part is the object with that name, and
	// all objects whose names begin with it and a slash. Its objects of this run are not used;
	// those of the last extract are carried forward.
	MarkFailed(part string, err error)
	// DiscardPart removes the objects of a part from this run, so that the part can be fetched again.
	DiscardPart(part string)
	// LastObjects returns the objects of a part in the last extract of the source, ordered by name.
	LastObjects(part string) []Object
	// EarlierBody returns the last body of an object from before this run, whether or not that body was
	// used. The object must have been fetched in this run. ok is false if there is no such body, or
	// if it was received on the day of this run.
	EarlierBody(name string) (o Object, ok bool)
	// KeepLast copies an object from the last extract into this one, without a request. It returns false
	// if the last extract has no object with that name.
	KeepLast(name string) bool
	// Secret returns the value of an environment variable or file named in the configuration. ok is
	// false if it is not set.
	Secret(name string) (value string, ok bool)
}

// Object identifies one downloaded and archived body, for example a page of a list.
type Object struct {
	Name      string    `json:"name"`
	URL       string    `json:"url"`
	SHA256    string    `json:"sha256"` // of the bytes after transfer decoding, in lower-case hex
	Bytes     int64     `json:"bytes"`
	FetchedAt time.Time `json:"fetched_at"` // when these bytes were first received
	// Carried is true if this run could not get the object and the last good one is used.
	Carried bool `json:"carried,omitempty"`
	// Kept is true if this run did not request the object.
	Kept bool `json:"kept,omitempty"`
}

// Extract is the result of one fetch of a source: its time and the list of archived objects.
type Extract struct {
	Source  string    `json:"source"`
	At      time.Time `json:"at"`
	Objects []Object  `json:"objects"`
}

// Object returns the object of the extract with that name. ok is false if there is none.
func (x Extract) Object(name string) (o Object, ok bool) {
	if i := slices.IndexFunc(x.Objects, func(o Object) bool { return o.Name == name }); i >= 0 {
		return x.Objects[i], true
	}
	return Object{}, false
}

// BelongsTo reports whether the object belongs to a part. Its name is then the part's name, or begins with
// it and a slash.
func (o Object) BelongsTo(part string) bool {
	rest, ok := strings.CutPrefix(o.Name, part)
	return ok && (rest == "" || rest[0] == '/')
}

// Body reads the archived bytes of an object. Reading to the end verifies their SHA-256. The last
// Read returns ErrDamaged if the bytes have changed on disk.
type Body = io.ReadCloser

// Opener opens archived objects for reading.
type Opener interface {
	Open(o Object) (Body, error)
}

// Sink receives the records and the faults (unusable items) that Source.Read finds.
type Sink interface {
	// Emit receives one record. An error stops the reading.
	Emit(Record) error
	// Fault receives one item that could not be read. Reading continues after it.
	Fault(Fault)
}

// Fault describes one unusable item in a source's data: its position, the kind of error, and advice
// for the operator.
type Fault struct {
	Source string    `json:"source"`
	Object string    `json:"object"`          // Object.Name
	Where  string    `json:"where,omitempty"` // line, record id or column
	Code   FaultCode `json:"code"`
	Detail string    `json:"detail"` // what to do; never holds a person's data
}

// FaultCode names a kind of error in a source's data, for example "not_json".
type FaultCode string

// The kinds of error in a source's data.
const (
	FaultDamaged       FaultCode = "archive_damaged" // the bytes of an archived object have changed
	FaultNotJSON       FaultCode = "not_json"        // a line or body is not JSON
	FaultWrongFormat   FaultCode = "not_the_format"  // HTML or another format instead of data
	FaultSchema        FaultCode = "schema"          // a record that does not match the documented schema
	FaultColumnUnknown FaultCode = "unknown_column"  // a column that the connector does not know
	FaultColumnMissing FaultCode = "missing_column"  // a column that the connector needs
	FaultBadValue      FaultCode = "bad_value"       // a value outside its range
	// FaultBrokenRow is a row of a table that does not fit the columns of its header.
	FaultBrokenRow     FaultCode = "broken_row"
	FaultSuddenlyEmpty FaultCode = "suddenly_empty" // an empty list that was full before
	// FaultUnavailable is an object that could not be fetched. The last good object is used, if
	// there is one.
	FaultUnavailable FaultCode = "unavailable"
	FaultIncomplete  FaultCode = "incomplete"   // fewer records than the publisher announced
	FaultFileMissing FaultCode = "missing_file" // a required file of a delivery is missing
	// FaultTruncated is a truncated file. The rest of the file is not known.
	FaultTruncated    FaultCode = "torn_file"
	FaultUnknownPlace FaultCode = "unknown_place" // a place that is in no list
	// FaultCorrectionNotApplied is a correction of a record that the publisher has corrected, or that
	// does not exist.
	FaultCorrectionNotApplied FaultCode = "correction_not_applied"
	// FaultUnknownCode is a code of a classification that this program does not know.
	FaultUnknownCode FaultCode = "unknown_code"
)

// FaultCodes returns all fault codes.
func FaultCodes() []FaultCode {
	return []FaultCode{FaultDamaged, FaultNotJSON, FaultWrongFormat, FaultSchema, FaultColumnUnknown,
		FaultColumnMissing, FaultBadValue, FaultBrokenRow, FaultSuddenlyEmpty, FaultUnavailable, FaultIncomplete,
		FaultFileMissing, FaultTruncated, FaultUnknownPlace, FaultCorrectionNotApplied, FaultUnknownCode}
}

// CodedError is an error with a FaultCode, which names the kind of error in a source's data.
type CodedError struct {
	Code FaultCode
	Err  error
}

// WithCode returns err as a CodedError. FaultCodeOf then returns that code instead of FaultUnavailable:
//
//	err := errors.New("the board lists no job; it had 40")
//	f.MarkFailed("ashby/acme", sources.WithCode(sources.FaultSuddenlyEmpty, err))
func WithCode(code FaultCode, err error) error { return &CodedError{Code: code, Err: err} }

// Errorf returns a CodedError whose text is formatted as by fmt.Errorf.
func Errorf(code FaultCode, format string, args ...any) error {
	return WithCode(code, fmt.Errorf(format, args...))
}

// Error returns the text of the wrapped error, without the code.
func (e *CodedError) Error() string { return e.Err.Error() }

func (e *CodedError) Unwrap() error { return e.Err }

// PartError prefixes err with the name of the part (for example a board) that failed. It returns
// err unchanged if the text already begins with that name.
func PartError(part string, err error) error {
	if strings.HasPrefix(err.Error(), part) {
		return err
	}
	return fmt.Errorf("%s: %w", part, err)
}

// AllFailedError returns the error for a source of which every part failed. It wraps the first of the
// parts' errors and states how many there are.
func AllFailedError(errs []error) error {
	switch len(errs) {
	case 0:
		return errors.New("nothing to fetch is configured")
	case 1:
		return errs[0]
	}
	return fmt.Errorf("%d parts failed; the first: %w", len(errs), errs[0])
}

// FaultCodeOf returns the fault code of err, and "" for nil. The code is the one set by WithCode, or
// FaultDamaged for ErrDamaged and ErrNotFound. For any other error it is FaultUnavailable.
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

// ReportDataFault reports err to out as a fault and returns nil if the object's data caused the error. It
// returns any other error unchanged, for example a cancelled context.
func ReportDataFault(out Sink, source, object string, err error) error {
	var coded *CodedError
	code := FaultCodeOf(err)
	if err == nil || code == FaultUnavailable && !errors.As(err, &coded) {
		return err
	}
	out.Fault(Fault{Source: source, Object: object, Code: code, Detail: err.Error()})
	return nil
}

// ErrDamaged means that an archived object no longer matches its SHA-256. It was truncated or
// changed on disk.
var ErrDamaged = errors.New("archived object is damaged")

// ErrNotFound means that the archive has no object with the SHA-256.
var ErrNotFound = errors.New("archived object is missing")
