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

// redacted is the text that replaces secrets in logs and errors.
const redacted = "REDACTED"

// secretParameter matches URL query parameters whose name suggests a secret, such as api_key=….
var secretParameter = regexp.MustCompile(
	`(?i)((?:^|&)[^=&]*(?:key|token|secret|password|passwd|sig|auth|credential|session)[^=&]*)(=[^&]*)?`)

// redactor removes secrets from the texts of logs and errors.
type redactor struct {
	mu      sync.Mutex
	secrets map[string]bool
}

// add registers secrets to remove from texts. It ignores values shorter than 4 bytes.
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

// addFromURL registers the secrets in a URL: the password, and the values of parameters whose name
// suggests a secret, such as token.
func (r *redactor) addFromURL(raw string) {
	u, err := url.Parse(raw)
	if err != nil {
		return
	}
	if password, ok := u.User.Password(); ok {
		r.add(password, u.User.String()) // also with the user, so that a short password is found
	}
	for name, values := range u.Query() {
		if secretParameter.MatchString(name) {
			r.add(values...)
		}
	}
}

// text returns s with all registered secrets replaced.
func (r *redactor) text(s string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	longest := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	for _, v := range slices.SortedFunc(maps.Keys(r.secrets), longest) {
		s = strings.ReplaceAll(s, v, redacted)
	}
	return s
}

// url returns a URL without its user name, its password and all secrets. It also replaces the
// values of parameters whose name suggests a secret, such as api_key.
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
	// ErrUnexpectedStatus is the error for an HTTP status other than 200 or 304.
	ErrUnexpectedStatus = errors.New("unexpected status")
	// ErrRedirectRefused is the error for too many redirects, or for a redirect to a forbidden
	// address.
	ErrRedirectRefused = errors.New("redirect not followed")
	// ErrRetryAfterTooLong is the error if a publisher asks for a longer wait than the run allows.
	ErrRetryAfterTooLong = errors.New("asked to wait too long")
	// ErrTruncated is the error for a response body that ended too early.
	ErrTruncated = errors.New("body was cut short")
)

// safeErrors lists the errors that errors.Is may find in errors of this package. Other wrapped
// errors are dropped, because their texts may contain a secret.
var safeErrors = []error{
	ErrUnexpectedStatus, ErrRedirectRefused, ErrRetryAfterTooLong, ErrTruncated, ErrNothingFetched, archive.ErrTooLarge,
	archive.ErrBusy,
	context.Canceled, context.DeadlineExceeded, io.ErrUnexpectedEOF, sources.ErrDamaged, sources.ErrNotFound,
}

// opaque returns err without secrets, with a prefix. The result has the fault code of err, and
// errors.Is still finds the errors in safeErrors.
func (f *Fetcher) opaque(prefix string, err error) error {
	chain := slices.DeleteFunc(slices.Clone(safeErrors), func(k error) bool { return !errors.Is(err, k) })
	text := f.red.text(prefix + err.Error())
	return sources.WithFaultCode(sources.FaultCodeOf(err), &failure{text: text, is: chain})
}

// failure is an error whose text contains no secrets. errors.Is finds the errors in its field is.
type failure struct {
	text string
	is   []error
}

func (e *failure) Error() string { return e.text }

// Unwrap returns the errors that errors.Is finds, such as ErrUnexpectedStatus.
func (e *failure) Unwrap() []error { return e.is }
