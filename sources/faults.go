package sources

import "errors"

// CodedError is an error that knows which named outcome of bad input it is.
type CodedError struct {
	Code FaultCode
	Err  error
}

// Coded gives err a named outcome. A connector passes it to Fetcher.Failed, or returns it from
// Request.Accept, so that the fault of the part says more than FaultUnavailable:
//
//	f.Failed("ashby/acme", sources.Coded(sources.FaultEmpty, errors.New("the board lists no job; it had 40")))
func Coded(code FaultCode, err error) error { return &CodedError{Code: code, Err: err} }

// Error is the text of the inner error.
func (e *CodedError) Error() string { return e.Err.Error() }

func (e *CodedError) Unwrap() error { return e.Err }

// CodeOf is the named outcome of err: the code given by Coded, FaultDamaged for
// ErrDamaged and ErrNotFound, else FaultUnavailable. It is "" for nil.
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

// DataFault reports an error that the data of an object has to out, and returns every
// other: one of the machine.
func DataFault(out Sink, source, object string, err error) error {
	var coded *CodedError
	code := CodeOf(err)
	if code == FaultUnavailable && !errors.As(err, &coded) {
		return err
	}
	out.Fault(Fault{Source: source, Object: object, Code: code, Detail: err.Error()})
	return nil
}

// ErrDamaged says that an archived object does not have the SHA-256 under
// which it was filed: it was truncated or changed on disk.
var ErrDamaged = errors.New("archived object is damaged")

// ErrNotFound says that no object is filed under that SHA-256.
var ErrNotFound = errors.New("archived object is missing")
