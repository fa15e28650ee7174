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

// Source is the connector of one publisher's data: its description, and how to fetch and read it.
type Source interface {
	// Info describes the source. It does not change while the program runs.
	Info() Info
	// Fetch downloads what is there now and files every body away through f. It parses no more than
	// paging needs. A part that fails (one board of many) is reported with f.Failed and does not
	// stop the others; an error means that the source as a whole gave nothing usable.
	Fetch(ctx context.Context, f Fetcher) error
	// Read turns the objects of one extract into records, offline, in the extract's order. A record
	// that cannot be read is a Fault and is not an error; an error means that reading had to stop.
	Read(ctx context.Context, x Extract, open Opener, out Sink) error
}

// Request is one download.
type Request struct {
	// Name is the object's name within the extract, stable from run to run:
	// "ashby/multiverse", "adverts-2026-10.ndjson.gz".
	Name   string
	URL    string            // http, https or file
	Header map[string]string // sent with it; never archived, never logged
	// Accept checks the first bytes and the content type, so that a page of HTML
	// in the place of JSON is a failure of the fetch. Nil accepts everything.
	Accept   func(contentType string, head []byte) error
	MaxBytes int64 // bounds the body, uncompressed; 0 is 64 MiB
}

// PartedSource is a Source whose parts, for example boards, are fetched separately.
type PartedSource interface {
	// Parts are the names of the parts that the configuration asks for, which begin the
	// names of their objects.
	Parts() []string
}

// Fetcher downloads and archives. It retries with back-off, honours Retry-After, sends conditional
// requests and limits the size of a body.
type Fetcher interface {
	// Get downloads one object, files it and adds it to the extract. When the publisher answers
	// that it is unchanged the object of the last extract is used. The body can be read again
	// through the returned object.
	Get(ctx context.Context, r Request) (Object, error)
	Opener // of what was just filed, for paging
	// Failed records that a part could not be fetched: the object of that name, and all objects
	// under it, whose names go on with a slash. Its objects of this run are not used; those of the
	// last extract are carried forward into this one.
	Failed(part string, err error)
	// Again forgets the objects of a part in this run, so that it can be fetched again.
	Again(part string)
	// Last returns what the last extract of the source has of a part, ordered by name.
	Last(part string) []Object
	// Before returns what this run got under a name as it was last received before the run,
	// whether or not it was used then. ok is false where that was not on an earlier day.
	Before(name string) (o Object, ok bool)
	// Keep puts the object of that name in the last extract into this one, without
	// asking the publisher. It reports whether there is one.
	Keep(name string) bool
	// Secret is the value of an environment variable or file that the
	// configuration names; ok is false when it is not set.
	Secret(name string) (value string, ok bool)
}

// Object is one archived body.
type Object struct {
	Name      string    `json:"name"`
	URL       string    `json:"url"`
	SHA256    string    `json:"sha256"` // of the bytes as received after transfer decoding, lower-case hex
	Bytes     int64     `json:"bytes"`
	FetchedAt time.Time `json:"fetched_at"` // when these bytes were first received
	// Carried is true when this run could not get the object and the last good one is used.
	Carried bool `json:"carried,omitempty"`
	// Kept is true when this run did not ask for the object.
	Kept bool `json:"kept,omitempty"`
}

// Extract is the result of one fetch of a source: the list of its objects.
type Extract struct {
	Source  string    `json:"source"`
	At      time.Time `json:"at"`
	Objects []Object  `json:"objects"`
}

// Object returns the object of that name; ok is false where there is none.
func (x Extract) Object(name string) (o Object, ok bool) {
	if i := slices.IndexFunc(x.Objects, func(o Object) bool { return o.Name == name }); i >= 0 {
		return x.Objects[i], true
	}
	return Object{}, false
}

// In reports whether an object is that part, or belongs to it.
func (o Object) In(part string) bool {
	rest, ok := strings.CutPrefix(o.Name, part)
	return ok && (rest == "" || rest[0] == '/')
}

// Body is the bytes of an object. Reading to the end verifies the SHA-256 and fails with ErrDamaged
// if the archive no longer has the received bytes.
type Body = io.ReadCloser

// Opener opens archived objects.
type Opener interface {
	Open(o Object) (Body, error)
}

// Sink receives the records and faults of Read.
type Sink interface {
	// Emit takes one record. An error stops the reading.
	Emit(Record) error
	// Fault takes one thing that could not be read. Nothing else is lost by it.
	Fault(Fault)
}

// Fault is one unusable item in a source's data, and its consequence.
type Fault struct {
	Source string    `json:"source"`
	Object string    `json:"object"`          // Object.Name
	Where  string    `json:"where,omitempty"` // line, record id or column
	Code   FaultCode `json:"code"`
	Detail string    `json:"detail"` // what to do; never holds a person's data
}

// FaultCode is the code of a kind of bad input.
type FaultCode string

// The named outcomes of bad input.
const (
	FaultDamaged       FaultCode = "archive_damaged" // an archived object is not what was received
	FaultNotJSON       FaultCode = "not_json"        // a line or body is not JSON
	FaultNotExpected   FaultCode = "not_the_format"  // HTML or another format in the place of data
	FaultSchema        FaultCode = "schema"          // a record breaks the documented schema
	FaultColumnUnknown FaultCode = "unknown_column"  // a column that the connector does not know
	FaultColumnMissing FaultCode = "missing_column"  // a column that the connector needs
	FaultValue         FaultCode = "bad_value"       // a value outside its range
	// a row of a table that does not fit the columns of its header
	FaultRow   FaultCode = "broken_row"
	FaultEmpty FaultCode = "suddenly_empty" // an empty list where there was a full one
	// could not be fetched; the last good object is used, if any
	FaultUnavailable FaultCode = "unavailable"
	FaultIncomplete  FaultCode = "incomplete"   // fewer records than the publisher announced
	FaultMissing     FaultCode = "missing_file" // a file that every delivery must have
	// a file of a delivery that breaks off; the rest of it is not known
	FaultTorn        FaultCode = "torn_file"
	FaultPlace       FaultCode = "unknown_place"          // a place that is in no list
	FaultCorrection  FaultCode = "correction_not_applied" // the publisher mended it, or there is no such record
	FaultUnknownCode FaultCode = "unknown_code"           // a code of a classification that this program does not know
)

// CodedError is an error with the code of a kind of bad input.
type CodedError struct {
	Code FaultCode
	Err  error
}

// Coded returns err with a code. A connector passes it to Fetcher.Failed, or returns it from
// Request.Accept, so that the fault of the part is more precise than FaultUnavailable:
//
//	f.Failed("ashby/acme", sources.Coded(sources.FaultEmpty, errors.New("the board lists no job; it had 40")))
func Coded(code FaultCode, err error) error { return &CodedError{Code: code, Err: err} }

// Codedf is Coded for a text formatted as by fmt.Errorf.
func Codedf(code FaultCode, format string, args ...any) error {
	return Coded(code, fmt.Errorf(format, args...))
}

// Error returns the text of the inner error.
func (e *CodedError) Error() string { return e.Err.Error() }

func (e *CodedError) Unwrap() error { return e.Err }

// CodeOf returns the code of err: the one set by Coded, FaultDamaged for ErrDamaged and
// ErrNotFound, else FaultUnavailable. It is "" for nil.
func CodeOf(err error) FaultCode {
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

// DataFault reports an error that is due to the data of an object, and returns any other: nil, or a
// failure of the machine.
func DataFault(out Sink, source, object string, err error) error {
	var coded *CodedError
	code := CodeOf(err)
	if err == nil || code == FaultUnavailable && !errors.As(err, &coded) {
		return err
	}
	out.Fault(Fault{Source: source, Object: object, Code: code, Detail: err.Error()})
	return nil
}

// ErrDamaged means that an archived object does not have the SHA-256 under which it was filed: it
// was truncated or changed on disk.
var ErrDamaged = errors.New("archived object is damaged")

// ErrNotFound means that no object is filed under that SHA-256.
var ErrNotFound = errors.New("archived object is missing")
