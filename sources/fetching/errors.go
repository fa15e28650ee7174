package fetching

import (
	"context"
	"errors"
	"fmt"
	"io"

	"labour/sources"
	"labour/sources/archive"
)

// Reasons why a download failed, for errors.Is.
var (
	// ErrStatus says that the publisher answered with a status other than 200 or 304.
	ErrStatus = errors.New("unexpected status")
	// ErrRedirect says that the publisher redirects too often, or to an address
	// that is not followed.
	ErrRedirect = errors.New("redirect not followed")
	// ErrWait says that the publisher asks to wait longer than the run may.
	ErrWait = errors.New("asked to wait too long")
	// ErrTruncated says that the body ended before its announced end.
	ErrTruncated = errors.New("body was cut short")
)

// known are the errors that an error of this package may show to errors.Is. The
// originals are left out: they can hold an address with a secret in it.
var known = []error{
	ErrStatus, ErrRedirect, ErrWait, ErrTruncated, ErrNothing, archive.ErrTooLarge, archive.ErrBusy,
	context.Canceled, context.DeadlineExceeded, io.ErrUnexpectedEOF, sources.ErrDamaged, sources.ErrNotFound,
}

// opaque gives err a subject and takes the secrets out of it, for good.
func (f *Fetcher) opaque(subject string, err error) error {
	chain := []error{}
	for _, k := range known {
		if errors.Is(err, k) {
			chain = append(chain, k)
		}
	}
	text := f.red.text(fmt.Sprintf("%s: %v", subject, err))
	return sources.Coded(sources.CodeOf(err), &failure{text: text, is: chain})
}

// failure is an error without secrets.
type failure struct {
	text string
	is   []error
}

func (e *failure) Error() string { return e.text }

// Unwrap gives the known reasons.
func (e *failure) Unwrap() []error { return e.is }
