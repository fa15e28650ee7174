package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"labour/serve/partners/access"
	"labour/serve/partners/usage"
)

// stateTimeout is the default time limit for one use of the state database. A request uses it to
// find its API key and to count itself.
const stateTimeout = 3 * time.Second

func underV1(p string) bool { return p == "/v1" || strings.HasPrefix(p, "/v1/") }

// authenticate finds the API key of a request. All paths under /v1 need a key, except the OpenAPI
// document, for which a key is optional. A request without a valid key counts against the rate
// limit of its network address.
func (a *handler) authenticate(c *call) error {
	r := c.request
	needed := underV1(r.URL.Path) && r.URL.Path != openAPIPath
	if !needed && (r.URL.Path != openAPIPath || r.Header.Get("Authorization") == "") {
		return a.takeFromAddress(c)
	}
	if err := a.findKey(c); needed || c.address.isOverLimit {
		return err
	}
	return nil
}

// findKey reads the API key from the header `Authorization: Bearer <API_KEY>` and looks it up. A
// missing key and an invalid key give the same error.
func (a *handler) findKey(c *call) error {
	r := c.request
	headers := r.Header.Values("Authorization")
	if len(headers) != 1 {
		return a.errUnauthorized(c)
	}
	scheme, secret, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return a.errUnauthorized(c)
	}
	ctx, cancel := context.WithTimeout(r.Context(), a.StateTimeout)
	defer cancel()
	key, err := a.Authenticator.Authenticate(ctx, strings.TrimSpace(secret), c.at)
	for _, refused := range []error{access.ErrMalformedSecret, access.ErrUnknownSecret, access.ErrKeyRevoked,
		access.ErrKeyExpired} {
		if errors.Is(err, refused) {
			return a.errUnauthorized(c)
		}
	}
	if err != nil {
		return stateError(r, err)
	}
	c.key = key
	return nil
}

// errUnauthorized counts a request without a valid key against the rate limit of its network
// address. It returns a 401 error, or a 429 error if the address has made too many requests.
func (a *handler) errUnauthorized(c *call) error {
	if err := a.takeFromAddress(c); err != nil {
		return err
	}
	return &apiError{code: unauthorized, header: http.Header{"Www-Authenticate": {"Bearer"}},
		message: "Send a valid API key in the header: Authorization: Bearer <API_KEY>."}
}

// countCall counts a request against the hourly and monthly limits of its key. It sets the
// rate-limit headers of the response. It returns an error if a limit is exceeded. A request counts
// even if it fails later.
func (a *handler) countCall(c *call) error {
	if c.key.ID == "" {
		return nil
	}
	// The call counts even if the client does not wait for the response.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.request.Context()), a.StateTimeout)
	defer cancel()
	counts, err := a.RequestCounter.Count(ctx, c.key.ID, c.at)
	if err != nil {
		counts, _ = a.lastCounts.Get(c.key.ID) // the last counts that this server has seen
	} else {
		a.lastCounts.Add(c.key.ID, counts)
	}
	decision := usage.EvaluateLimits(c.key.Allowance(), counts, c.at)
	writeLimits(c.response.header, decision)
	c.response.keepHeader() // reset does not remove them
	if err != nil {
		return stateError(c.request, err)
	}
	return refusedBy(decision)
}

// stateError wraps an error of the state database in errState, so that the client gets status 503.
// If the client has disconnected, it returns the error unchanged.
func stateError(r *http.Request, err error) error {
	if r.Context().Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", errState, err)
}

// errState is the error if the state database fails. The client gets status 503.
var errState = errors.New("the state database failed")

// defaultAddressRate and the constants below limit requests without an API key, separately for each
// network address.
const (
	// defaultAddressRate is the number of requests per second that one network address may make
	// without a valid key, unless Options.RequestsPerAddress sets another number.
	defaultAddressRate = 10
	// burstSeconds limits bursts: an address may make as many requests at once as its rate allows
	// in this number of seconds.
	burstSeconds = 30
	// downloadsAnHour is the number of files that one network address may download per hour. It
	// equals the hourly limit of the smallest plan.
	downloadsAnHour = 100
	// maxAddresses is the number of network addresses whose rate limiters stay in memory.
	maxAddresses = 1 << 16
)

// addressLimits holds a rate limiter for each network address that sent a request recently. A nil
// *addressLimits means that requests are not limited.
type addressLimits struct {
	rate     rate.Limit // requests per second that each address may make
	burst    int        // requests that one address may make at once
	limiters *lru.Cache[netip.Prefix, *rate.Limiter]
	proxies  proxies
}

func newAddressLimits(perSecond float64, burst int, proxies []netip.Prefix) (*addressLimits, error) {
	limiters, err := lru.New[netip.Prefix, *rate.Limiter](maxAddresses)
	return &addressLimits{rate.Limit(perSecond), burst, limiters, proxies}, err
}

// limitAddresses creates the rate limiters for requests without a key. It creates none if
// Options.RequestsPerAddress is negative.
func (a *handler) limitAddresses() (err error) {
	perSecond := cmp.Or(a.RequestsPerAddress, defaultAddressRate)
	if perSecond < 0 {
		return nil
	}
	if a.addresses, err = newAddressLimits(perSecond, int(max(1, perSecond*burstSeconds)), a.TrustedProxies); err != nil {
		return err
	}
	a.downloads, err = newAddressLimits(downloadsAnHour/time.Hour.Seconds(), downloadsAnHour, a.TrustedProxies)
	return err
}

func (l *addressLimits) limiterOf(r *http.Request) *rate.Limiter {
	address := l.addressOf(r)
	fresh := rate.NewLimiter(l.rate, l.burst)
	if known, ok, _ := l.limiters.PeekOrAdd(address, fresh); ok {
		l.limiters.Get(address) // marks it as recently used
		return known
	}
	return fresh
}

// addressOf returns the network address whose rate limit applies to a request. For IPv6 it is the
// client's /64 network, because a client can use every address in its /64.
func (l *addressLimits) addressOf(r *http.Request) netip.Prefix {
	address := l.proxies.client(r)
	bits := 32
	if address.Is6() {
		bits = 64
	}
	network, _ := address.WithZone("").Prefix(bits)
	return network
}

// takeFromAddress counts a request without a valid key against the rate limit of its network
// address. It returns an error if the address has made too many requests.
func (a *handler) takeFromAddress(c *call) error {
	if a.addresses == nil {
		return nil
	}
	c.address.limiter = a.addresses.limiterOf(c.request)
	return c.takeCalls(1)
}

// takeCalls counts n requests against the rate limit of the client's network address. It does
// nothing if the request had a valid key. It returns an error if the limit is exceeded.
func (c *call) takeCalls(n int) error {
	if c.address.limiter == nil || c.address.limiter.AllowN(c.at, min(n, c.address.limiter.Burst())) {
		return nil
	}
	c.address.isOverLimit = true
	return &apiError{code: tooManyRequests, retryAfter: 1,
		message: "Too many calls without a valid key come from this address. Wait for retry_after_seconds."}
}

// takeDownload counts a file download without a key against the hourly limit of the client's
// network address. It returns an error if the limit is exceeded.
func (a *handler) takeDownload(c *call) error {
	if a.downloads == nil || a.downloads.limiterOf(c.request).AllowN(c.at, 1) {
		return nil
	}
	return &apiError{code: tooManyRequests, retryAfter: int64(time.Hour.Seconds() / downloadsAnHour),
		message: fmt.Sprintf(
			"This address has had the %d files an hour that need no key. Wait for retry_after_seconds, or ask for a key.",
			downloadsAnHour)}
}

// refusedBy returns an error if the key has used up its hourly or monthly limit. Otherwise it
// returns nil.
func refusedBy(d usage.Decision) error {
	switch d.Reason {
	case usage.RateLimited:
		return &apiError{code: rateLimited, retryAfter: d.RetryAfter,
			message: fmt.Sprintf("This key has made its %d calls of this hour. Wait for retry_after_seconds.", d.Limit)}
	case usage.QuotaExceeded:
		return &apiError{code: quotaExceeded, retryAfter: d.RetryAfter,
			message: fmt.Sprintf(
				"This key has made its %d calls of this calendar month. Wait for the next month, or ask the operator for a "+
					"larger plan.", d.QuotaLimit)}
	}
	return nil
}

// writeLimits sets the headers X-RateLimit-Limit, -Remaining and -Reset. If the key has a monthly
// limit, it also sets X-Quota-Limit and X-Quota-Remaining. Every response to a valid key has these
// headers, including error responses.
func writeLimits(h http.Header, d usage.Decision) {
	set := func(name string, n int64) { h[name] = []string{strconv.FormatInt(n, 10)} }
	set("X-Ratelimit-Limit", d.Limit)
	set("X-Ratelimit-Remaining", d.Remaining)
	set("X-Ratelimit-Reset", d.Reset.Unix())
	if d.Capped {
		set("X-Quota-Limit", d.QuotaLimit)
		set("X-Quota-Remaining", d.QuotaRemaining)
	}
}

// proxies lists the networks of trusted proxies. The server reads X-Forwarded-For and
// X-Forwarded-Proto only from these networks and from this machine.
type proxies []netip.Prefix

func (p proxies) isTrusted(address netip.Addr) bool {
	return address.IsLoopback() ||
		slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// client returns the network address of the client that sent a request. Each proxy appends the
// address of its caller to X-Forwarded-For. client reads the entries from right to left and stops
// at the first address that is not a trusted proxy. Entries further left can be forged.
func (p proxies) client(r *http.Request) netip.Addr {
	address := peerOf(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !p.isTrusted(address) {
			break
		}
		before, ok := addressIn(hop)
		if !ok {
			break
		}
		address = before
	}
	return address
}

// peerOf returns the remote address of the TCP connection that carried a request.
func peerOf(r *http.Request) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	return peer.Addr().Unmap()
}

// addressIn parses one entry of an X-Forwarded-For header. It returns false if the entry is not a
// network address.
func addressIn(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr().Unmap(), true
	}
	hop = strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]")
	address, err := netip.ParseAddr(hop)
	return address.Unmap(), err == nil
}

// dropForged removes the header X-Forwarded-Proto unless a trusted proxy sent the request.
func (p proxies) dropForged(r *http.Request) {
	if !p.isTrusted(peerOf(r)) {
		r.Header.Del("X-Forwarded-Proto")
	}
}
