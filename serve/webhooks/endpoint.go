package webhooks

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// ErrNotFound means that the partner has no such endpoint or delivery.
var ErrNotFound = errors.New("no such endpoint or delivery")

// ConflictError is the error if a request is valid but not possible now, for example because the
// partner has too many endpoints. The partner sees its message.
type ConflictError struct{ Message string }

func (e *ConflictError) Error() string { return e.Message }

// ErrDuplicateURL and the errors below mean that a request is valid but not possible now. The
// partner sees their messages.
var (
	// ErrDuplicateURL means that the partner already has an endpoint with the same URL.
	ErrDuplicateURL = &ConflictError{"An endpoint with this URL exists. Change that one, or give another URL."}
	// ErrTooManyEndpoints means that the partner already has the largest number of endpoints.
	ErrTooManyEndpoints = &ConflictError{"There are 20 endpoints already, which is the most. Delete one first."}
	// ErrTooManyTests means that the endpoint got the largest number of test messages in the last
	// hour.
	ErrTooManyTests = &ConflictError{
		"This endpoint was sent 60 test messages in the last hour, which is the most. Wait before the next one."}
	// ErrEndpointDisabled means that a message cannot be sent to an endpoint, because it is
	// disabled.
	ErrEndpointDisabled = &ConflictError{"The endpoint is disabled. Enable it first."}
)

// InvalidFieldError means that one field of a webhook endpoint has an invalid value.
type InvalidFieldError struct {
	Field   string // name of the field: url, event_types, description or grace
	Problem string // what is wrong with the value, or how to correct it
}

func (e *InvalidFieldError) Error() string { return e.Field + ": " + e.Problem }

// DisabledByPartner and the constants below are the reasons why a webhook endpoint is disabled. The
// field DisabledReason contains one of them.
const (
	// DisabledByPartner means that the partner disabled the endpoint.
	DisabledByPartner = "partner"
	// DisabledByGoneResponse means that the endpoint responded with HTTP status 410 Gone.
	DisabledByGoneResponse = "gone"
	// DisabledByFailures means that all attempts to reach the endpoint failed for five days.
	DisabledByFailures = "failing"
)

const (
	maxEndpoints   = 20
	maxURL         = 2048 // longest URL of an endpoint, in bytes
	maxDescription = 200  // longest description of an endpoint, in characters
)

// checkURL checks the URL of a webhook endpoint and returns it in canonical form. An IP address in
// it must be public. A host name is not looked up before a message is sent. The error is an
// *InvalidFieldError.
func (g guard) checkURL(text string) (string, error) {
	fault := func(problem string) (string, error) { return "", &InvalidFieldError{"url", problem} }
	if len(text) > maxURL {
		return fault(fmt.Sprintf("give at most %d bytes", maxURL))
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "":
		return fault("give a URL such as https://example.com/hooks")
	case u.Scheme != "https" && !g.plain(u):
		return fault("only https is accepted")
	case u.Hostname() == "":
		return fault("the host is missing")
	case u.User != nil:
		return fault("leave out user name and password")
	case u.Fragment != "":
		return fault("leave out the part after #")
	}
	port := map[string]string{"https": "443", "http": "80"}[u.Scheme] // if no port is given
	if port, err := strconv.ParseUint(cmp.Or(u.Port(), port), 10, 16); err != nil || port == 0 {
		return fault("the port is not one of 1 to 65535")
	}
	host, err := hostOf(u)
	if err != nil {
		return fault("the host is not a name or an address")
	}
	a, err := netip.ParseAddr(host)
	isInnerIP := err == nil && g.check(a) != nil
	if isInnerIP || !g.loopback && local(host) {
		return fault("the host is not public")
	}
	switch u.Port() {
	case "", port:
		u.Host = strings.TrimSuffix(net.JoinHostPort(host, ""), ":")
	default:
		u.Host = net.JoinHostPort(host, u.Port())
	}
	u.Path, u.RawQuery = cmp.Or(u.Path, "/"), unescapedChars.ReplaceAllStringFunc(u.RawQuery, url.PathEscape)
	return u.String(), nil
}

// plain reports whether the URL of an endpoint may begin with http://. This needs a loopback
// address, and the operator must have allowed loopback addresses.
func (g guard) plain(u *url.URL) bool {
	if !g.loopback || u.Scheme != "http" {
		return false
	}
	a, err := netip.ParseAddr(u.Hostname())
	return err == nil && a.IsLoopback()
}

// unescapedChars matches a character that must be percent-encoded in the query of a URL.
var unescapedChars = regexp.MustCompile(`[^!-~]`)

// hostOf returns the host of a URL in canonical form. The result is an IP address, or a host name
// in ASCII and lower case without a final dot.
func hostOf(u *url.URL) (string, error) {
	if a, err := netip.ParseAddr(u.Hostname()); err == nil {
		return a.String(), nil
	}
	names := idna.New(idna.MapForLookup(), idna.BidiRule(), idna.VerifyDNSLength(true))
	host, err := names.ToASCII(strings.TrimSuffix(u.Hostname(), "."))
	if err != nil {
		return "", err
	}
	if endsInNumber(host) {
		return "", errors.New("a number that is not an address in the usual form")
	}
	// A name that cannot be decoded was invalid.
	_, err = names.ToUnicode(host)
	return host, err
}

// endsInNumber reports whether a host name ends in a number, such as 127.1 or 0x7f.1. Some
// resolvers read such a name as an IP address.
func endsInNumber(host string) bool {
	last := host[strings.LastIndex(host, ".")+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	return err == nil || strings.Trim(last, "0123456789") == ""
}

// local reports whether a host name belongs to this machine or the local network, such as
// localhost.
func local(host string) bool {
	return slices.ContainsFunc([]string{"localhost", "local", "internal"}, func(name string) bool {
		return host == name || strings.HasSuffix(host, "."+name)
	})
}

// checkTypes returns event types sorted and without duplicates. If a type is unknown, the error is
// an *InvalidFieldError.
func checkTypes(types []string) ([]string, error) {
	for _, t := range types {
		if !slices.Contains(EventTypes(), t) {
			return nil, &InvalidFieldError{"event_types", fmt.Sprintf("%q is unknown; the types are %s", t,
				strings.Join(EventTypes(), ", "))}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(types))), nil
}

func checkDescription(text string) error {
	switch {
	case !utf8.ValidString(text):
		return &InvalidFieldError{"description", "give text in UTF-8"}
	case strings.ContainsRune(text, 0): // PostgreSQL cannot store it
		return &InvalidFieldError{"description", "leave out the character U+0000"}
	case utf8.RuneCountInString(text) > maxDescription:
		return &InvalidFieldError{"description", fmt.Sprintf("give at most %d characters", maxDescription)}
	}
	return nil
}
