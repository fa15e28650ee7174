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

// TestEveryFaultHasItsWord: what a partner is told of a connection that failed. A name that is not
// found is told like an address that is refused, so that names in the network cannot be found out.
func TestEveryFaultHasItsWord(t *testing.T) {
	during := func(operation string, err error) error { return &net.OpError{Op: operation, Net: "tcp", Err: err} }
	for _, c := range []struct {
		err  error
		want string
	}{
		{ErrAddress, AddressRefused},
		{during("dial", ErrAddress), AddressRefused},
		{&net.DNSError{Err: "no such host", IsNotFound: true}, AddressRefused},
		{during("dial", &net.DNSError{Err: "server misbehaving"}), AddressRefused},
		{&net.DNSError{Err: "i/o timeout", IsTimeout: true}, Timeout},
		{context.DeadlineExceeded, Timeout},
		{during("read", os.ErrDeadlineExceeded), Timeout},
		{during("dial", syscall.ECONNREFUSED), ConnectRefused},
		{during("remote error", errors.New("tls: bad certificate")), TLS},
		{during("local error", errors.New("tls: protocol version not supported")), TLS},
		{&tls.CertificateVerificationError{Err: errors.New("expired")}, TLS},
		{tls.RecordHeaderError{Msg: "no TLS"}, TLS},
		{during("read", syscall.ECONNRESET), Network},
		{during("write", syscall.EPIPE), Network},
		{errors.New("unexpected EOF"), Network},
	} {
		if got := faultOf(fmt.Errorf("send: %w", c.err)); got != c.want {
			t.Errorf("%v is told as %q, not as %q", c.err, got, c.want)
		}
	}
}
