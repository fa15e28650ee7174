package webhooks

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Values of the error of a delivery attempt, which partners see. They disclose nothing about the
// operator's network.
const (
	None           = ""                // the attempt succeeded
	BadStatus      = "status"          // the response was not 2xx
	Redirect       = "redirect"        // the response was 3xx; redirects are not followed
	Timeout        = "timeout"         // no response in time
	AddressRefused = "address_refused" // the host's name has no public address, or no address at all
	ConnectRefused = "connection_refused"
	TLS            = "tls"     // the certificate or the handshake was invalid
	Network        = "network" // any other network error
)

const (
	answerTimeout  = 15 * time.Second // the specification's advice to senders is "15-30s"
	maxHeaderBytes = 16 << 10
	userAgent      = "labour-webhooks/1"
)

// newClient returns the HTTP client for deliveries. A nil resolver or nil roots means the system's.
func newClient(g guard, resolver *net.Resolver, roots *x509.CertPool, timeout time.Duration) *http.Client {
	dialer := &net.Dialer{Timeout: timeout, Resolver: resolver, Control: g.control}
	transport := &http.Transport{
		// No proxy, because the guard would not see its connections.
		Proxy: nil, DialContext: dialer.DialContext, TLSHandshakeTimeout: timeout,
		TLSClientConfig:   &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		ForceAttemptHTTP2: true, DisableCompression: true, MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConns: 100, MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second,
	}
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: refuse, Timeout: timeout}
}

type outcome struct {
	status int // status of the response; 0 without one
	fault  string
	asked  time.Duration // value of Retry-After
	at     time.Time     // start of the attempt
	took   time.Duration
}

// send makes one attempt. The error is only for failures on our side.
func (s *Service) send(ctx context.Context, t task, secrets []string) (outcome, error) {
	o := outcome{at: s.now()}
	request, err := sign(ctx, t, secrets, o.at)
	if err != nil {
		return o, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		o.fault = faultOf(err)
	} else {
		// A little is read so that the connection can be used again; nothing is kept. After a 101
		// the body is the connection itself, which has no deadline, so it is closed unread.
		if response.StatusCode >= http.StatusOK {
			_, _ = io.CopyN(io.Discard, response.Body, 4<<10)
		}
		_ = response.Body.Close()
		o.status, o.fault = response.StatusCode, statusFault(response.StatusCode)
		o.asked = retryAfter(response.Header.Get("Retry-After"), s.now())
	}
	o.took = s.now().Sub(o.at)
	return o, nil
}

// sign makes the request, with a signature for every valid secret.
func sign(ctx context.Context, t task, secrets []string, at time.Time) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, strings.NewReader(t.body))
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	var signatures []string
	for _, secret := range secrets {
		w, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, errors.New("a webhook secret cannot be used") // the cause may quote the secret
		}
		signature, err := w.Sign(t.event, at, []byte(t.body))
		if err != nil {
			return nil, fmt.Errorf("sign: %w", err)
		}
		signatures = append(signatures, signature)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", userAgent)
	request.Header.Set(standardwebhooks.HeaderWebhookID, t.event)
	request.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(at.Unix(), 10))
	request.Header.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	return request, nil
}

func statusFault(status int) string {
	switch status / 100 {
	case 2:
		return None
	case 3:
		return Redirect
	}
	return BadStatus
}

// faultOf maps the errors of a connection to faults.
func faultOf(err error) string {
	var name *net.DNSError
	var slow net.Error
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var operation *net.OpError // the type of a TLS alert is not exported
	switch {
	case errors.Is(err, ErrAddress):
		return AddressRefused
	case errors.As(err, &slow) && slow.Timeout():
		return Timeout
	// the same fault as for a private address: otherwise names in the network could be found out
	case errors.As(err, &name):
		return AddressRefused
	case errors.Is(err, syscall.ECONNREFUSED):
		return ConnectRefused
	case errors.As(err, &certificate), errors.As(err, &record),
		errors.As(err, &operation) && (operation.Op == "remote error" || operation.Op == "local error"):
		return TLS
	}
	return Network
}

// ErrAddress is returned for an address that must not receive messages.
var ErrAddress = errors.New("not a public address")

// guard decides which addresses the server may connect to. Without it a partner could make the
// server connect to hosts inside the operator's network.
type guard struct {
	loopback bool // allowed by the operator for trials
}

// azure is the metadata and DNS service of Azure, which is public according to the registries of
// IANA.
var azure = netip.MustParsePrefix("168.63.129.16/32")

// check returns an error that wraps ErrAddress for a forbidden address: everything in IANA's
// registries of special-purpose addresses, and all of IPv6 outside the global unicast range.
func (g guard) check(address netip.Addr) error {
	a := address.Unmap() // ::ffff:10.0.0.1 is 10.0.0.1
	if a.IsLoopback() && g.loopback {
		return nil
	}
	if !a.IsValid() || a.Zone() != "" || azure.Contains(a) {
		return fmt.Errorf("%w: %s", ErrAddress, address)
	}
	if err := ssrf.New(ssrf.WithAnyPort()).SafeAddr(a); err != nil {
		return fmt.Errorf("%w: %s", ErrAddress, address)
	}
	return nil
}

// control is called by the dialer with the address that it is about to connect to, after the name
// was resolved, so that the address checked is the address used.
func (g guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrAddress, address)
	}
	return g.check(to.Addr())
}

// retryAfter reads the header with that name, in seconds or as a date. It returns 0 for an invalid
// value or a past date.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
