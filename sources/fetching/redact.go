package fetching

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"labour/sources"
	"labour/sources/archive"
)

// redacted is the text that replaces a secret in logs and errors.
const redacted = "REDACTED"

// secretParameter matches the name of a query parameter that may hold a secret.
var secretParameter = regexp.MustCompile(
	`(?i)((?:^|&)[^=&]*(?:key|token|secret|password|passwd|sig|auth|credential|session)[^=&]*)(=[^&]*)?`)

// redactor removes known secrets from texts, for logs and errors.
type redactor struct {
	mu      sync.Mutex
	secrets map[string]bool
}

// add registers secrets. From then on they are removed from texts. Values that are shorter than 4
// bytes are ignored.
func (r *redactor) add(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.secrets == nil {
		r.secrets = map[string]bool{}
	}
	for _, v := range values {
		if len(v) >= 4 {
			r.secrets[v] = true
			r.secrets[url.QueryEscape(v)] = true
			r.secrets[url.PathEscape(v)] = true
		}
	}
}

// text returns s with every registered secret replaced.
func (r *redactor) text(s string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	longest := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	for _, v := range slices.SortedFunc(maps.Keys(r.secrets), longest) {
		s = strings.ReplaceAll(s, v, redacted)
	}
	return s
}

// url returns a URL without its user name, password and secrets. The values of parameters that are
// named like a secret, such as api_key, are replaced too.
func (r *redactor) url(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return redacted
	}
	if u.User != nil {
		u.User = url.User(redacted)
	}
	u.RawQuery = secretParameter.ReplaceAllString(u.RawQuery, "$1="+redacted)
	return r.text(u.String())
}

// Reasons why a download failed, for use with errors.Is.
var (
	// ErrUnexpectedStatus is the error for a response with a status other than 200 or 304.
	ErrUnexpectedStatus = errors.New("unexpected status")
	// ErrRedirectRefused is the error if a publisher redirects too often, or to an address that may
	// not be followed.
	ErrRedirectRefused = errors.New("redirect not followed")
	// ErrRetryAfterTooLong is the error if a publisher requests a longer wait than the run allows.
	ErrRetryAfterTooLong = errors.New("asked to wait too long")
	// ErrTruncated is the error for a body that ended too early.
	ErrTruncated = errors.New("body was cut short")
)

// safeErrors lists the errors that errors.Is finds in an error of this package. All other wrapped
// errors are dropped, because their texts may contain a secret.
var safeErrors = []error{
	ErrUnexpectedStatus, ErrRedirectRefused, ErrRetryAfterTooLong, ErrTruncated, ErrNothingFetched, archive.ErrTooLarge,
	archive.ErrBusy,
	context.Canceled, context.DeadlineExceeded, io.ErrUnexpectedEOF, sources.ErrDamaged, sources.ErrNotFound,
}

// opaque returns an error with a prefix and the text of err, without secrets. The fault code of err
// is kept, and errors.Is still finds the errors in safeErrors.
func (f *Fetcher) opaque(prefix string, err error) error {
	chain := slices.DeleteFunc(slices.Clone(safeErrors), func(k error) bool { return !errors.Is(err, k) })
	text := f.red.text(prefix + err.Error())
	return sources.WithFaultCode(sources.FaultCodeOf(err), &failure{text: text, is: chain})
}

// failure is an error whose text contains no secrets.
type failure struct {
	text string
	is   []error
}

func (e *failure) Error() string { return e.text }

// Unwrap returns the errors, such as ErrUnexpectedStatus, that errors.Is finds.
func (e *failure) Unwrap() []error { return e.is }
