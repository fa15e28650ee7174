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

// FaultNone and the constants below are the reasons why an attempt to send a message failed, as
// partners see them. They disclose nothing about the operator's network.
const (
	// FaultNone means that the attempt succeeded.
	FaultNone = ""
	// FaultHTTPStatus means that the HTTP status of the response was not 2xx.
	FaultHTTPStatus = "status"
	// FaultRedirect means that the HTTP status was 3xx. Redirects are not followed.
	FaultRedirect = "redirect"
	// FaultTimeout means that no response arrived in time.
	FaultTimeout = "timeout"
	// FaultAddressRefused means that the host name has no IP address, or one that is not public.
	FaultAddressRefused = "address_refused"
	// FaultConnectionRefused means that the host refused the connection.
	FaultConnectionRefused = "connection_refused"
	// FaultTLS means that the certificate or the TLS handshake was invalid.
	FaultTLS = "tls"
	// FaultNetwork means a network error that none of the other constants describes.
	FaultNetwork = "network"
)

const (
	// answerTimeout is the time limit of one attempt to send a message. The specification of the
	// service advises 15 to 30 seconds.
	answerTimeout  = 15 * time.Second
	maxHeaderBytes = 16 << 10
	userAgent      = "labour-webhooks/1"
)

// newClient returns the HTTP client that sends webhook messages. It connects only to addresses that
// g allows. If resolver or roots is nil, it uses the system's resolver or root certificates.
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

// outcome is the result of one attempt to deliver a message.
type outcome struct {
	status     int // HTTP status of the response; 0 without a response
	fault      string
	retryAfter time.Duration // wait that the endpoint requested with Retry-After; 0 = none
	at         time.Time     // time at which the attempt to send the message started
	duration   time.Duration
}

// send makes one attempt to deliver a message. The outcome reports whether the endpoint accepted
// it. An error means that this server itself failed.
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
		o.retryAfter = retryAfter(response.Header.Get("Retry-After"), s.now())
	}
	o.duration = s.now().Sub(o.at)
	return o, nil
}

// sign returns the HTTP request for an attempt. It contains one signature for each secret.
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
		return FaultNone
	case 3:
		return FaultRedirect
	}
	return FaultHTTPStatus
}

// faultOf returns the reason for an error of the HTTP client, such as FaultTimeout.
func faultOf(err error) string {
	var name *net.DNSError
	var slow net.Error
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var operation *net.OpError // the type of a TLS alert is not exported
	switch {
	case errors.Is(err, ErrAddressNotPublic):
		return FaultAddressRefused
	case errors.As(err, &slow) && slow.Timeout():
		return FaultTimeout
	// the same fault as for a private address: otherwise names in the network could be found out
	case errors.As(err, &name):
		return FaultAddressRefused
	case errors.Is(err, syscall.ECONNREFUSED):
		return FaultConnectionRefused
	case errors.As(err, &certificate), errors.As(err, &record),
		errors.As(err, &operation) && (operation.Op == "remote error" || operation.Op == "local error"):
		return FaultTLS
	}
	return FaultNetwork
}

// ErrAddressNotPublic means that no message may be sent to an IP address, because it is not public.
var ErrAddressNotPublic = errors.New("not a public address")

// guard decides which IP addresses the server may send messages to. Without it, a partner could
// make the server connect to hosts in the operator's network.
type guard struct {
	loopback bool // whether messages to this machine are allowed, for trials
}

// azure is the address of an internal service of the Azure cloud. IANA's registries of special
// addresses do not list it.
var azure = netip.MustParsePrefix("168.63.129.16/32")

// check returns an error that wraps ErrAddressNotPublic if an IP address is not public, such as
// 10.0.0.1. It uses IANA's registries of special-purpose addresses.
func (g guard) check(address netip.Addr) error {
	a := address.Unmap() // ::ffff:10.0.0.1 is 10.0.0.1
	if a.IsLoopback() && g.loopback {
		return nil
	}
	if !a.IsValid() || a.Zone() != "" || azure.Contains(a) {
		return fmt.Errorf("%w: %s", ErrAddressNotPublic, address)
	}
	if err := ssrf.New(ssrf.WithAnyPort()).SafeAddr(a); err != nil {
		return fmt.Errorf("%w: %s", ErrAddressNotPublic, address)
	}
	return nil
}

// control prevents connections to addresses that are not public. The dialer calls it with an IP
// address before it connects to the address.
func (g guard) control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrAddressNotPublic, address)
	}
	return g.check(to.Addr())
}

// retryAfter returns the wait that a Retry-After header requests. The header contains seconds or a
// date. The result is 0 for an invalid value or a past date. Package fetching of the batch side reads
// the header with a function of its own, because the server and the batch side import nothing of each
// other.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	const most = 1 << 31 // more than sixty years, in seconds
	seconds, err := strconv.ParseUint(header, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) { // for a larger number, ParseUint returns the largest one
		return time.Duration(min(seconds, most)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
