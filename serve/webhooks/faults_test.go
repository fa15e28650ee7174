package webhooks

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"
)

// TestEveryFaultHasItsWord checks the reason that a partner sees for a failed connection. A name that
// is not found has the same reason as a refused address, so that names in the network stay secret.
func TestEveryFaultHasItsWord(t *testing.T) {
	during := func(operation string, err error) error { return &net.OpError{Op: operation, Net: "tcp", Err: err} }
	for _, c := range []struct {
		err  error
		want string
	}{
		{ErrAddressNotPublic, FaultAddressRefused},
		{during("dial", ErrAddressNotPublic), FaultAddressRefused},
		{&net.DNSError{Err: "no such host", IsNotFound: true}, FaultAddressRefused},
		{during("dial", &net.DNSError{Err: "server misbehaving"}), FaultAddressRefused},
		{&net.DNSError{Err: "i/o timeout", IsTimeout: true}, FaultTimeout},
		{context.DeadlineExceeded, FaultTimeout},
		{during("read", os.ErrDeadlineExceeded), FaultTimeout},
		{during("dial", syscall.ECONNREFUSED), FaultConnectionRefused},
		{during("remote error", errors.New("tls: bad certificate")), FaultTLS},
		{during("local error", errors.New("tls: protocol version not supported")), FaultTLS},
		{&tls.CertificateVerificationError{Err: errors.New("expired")}, FaultTLS},
		{tls.RecordHeaderError{Msg: "no TLS"}, FaultTLS},
		{during("read", syscall.ECONNRESET), FaultNetwork},
		{during("write", syscall.EPIPE), FaultNetwork},
		{errors.New("unexpected EOF"), FaultNetwork},
	} {
		if got := faultOf(fmt.Errorf("send: %w", c.err)); got != c.want {
			t.Errorf("%v is told as %q, not as %q", c.err, got, c.want)
		}
	}
}
