package connecttest

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

// Proxy is a test proxy in front of a Spark Connect server. It simulates failures of the network
// and of the server.
type Proxy struct {
	Address string
	// certificate pool with which a client accepts the proxy's TLS certificate
	RootCAs        *x509.CertPool
	CertificatePEM []byte // the proxy's TLS certificate, PEM-encoded

	token  string
	server *grpc.Server
	target *grpc.ClientConn
	mu     sync.Mutex
	calls  map[string]int
	breaks int // number of response streams that the proxy will still break off

	gate     chan struct{} // statements wait until this channel is closed; nil = no waiting
	openGate func()        // closes gate, so that waiting statements end
}

// NewProxy starts a proxy in front of server, with TLS on a loopback address. If token is not
// empty, the proxy refuses requests without that bearer token.
func NewProxy(t testing.TB, server *Server, token string) *Proxy {
	t.Helper()
	target, err := grpc.NewClient(strings.TrimPrefix(server.Address, "sc://"),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	certified := httptest.NewTLSServer(nil) // only for its certificate
	certified.Close()
	p := &Proxy{token: token, target: target, calls: map[string]int{}, RootCAs: x509.NewCertPool()}
	p.RootCAs.AddCert(certified.Certificate())
	p.CertificatePEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certified.Certificate().Raw})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.Address = "sc://" + l.Addr().String() + "/;use_ssl=true"
	p.server = grpc.NewServer(grpc.Creds(credentials.NewServerTLSFromCert(&certified.TLS.Certificates[0])),
		grpc.UnknownServiceHandler(p.pass))
	go p.server.Serve(l)
	t.Cleanup(func() {
		p.Stop()
		target.Close()
	})
	return p
}

// BreakStreams simulates a broken network. The proxy breaks off the next streams, each after its
// first response. streams is their number.
func (p *Proxy) BreakStreams(streams int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.breaks = streams
}

// DelayStatements simulates a busy server. The proxy delays all statements until a client
// interrupts one. Then it ends all delayed statements as cancelled.
func (p *Proxy) DelayStatements() {
	p.mu.Lock()
	defer p.mu.Unlock()
	held := make(chan struct{})
	p.gate, p.openGate = held, sync.OnceFunc(func() { close(held) })
}

// delay blocks a call of the gRPC method ExecutePlan if DelayStatements was called; other methods
// are not delayed. When a client calls Interrupt, delay returns an error with the code
// codes.Canceled. It also returns when ctx ends.
func (p *Proxy) delay(ctx context.Context, method string) error {
	p.mu.Lock()
	held, interrupted := p.gate, p.openGate
	p.mu.Unlock()
	if held != nil && strings.HasSuffix(method, "/Interrupt") {
		interrupted()
	}
	if held == nil || !strings.HasSuffix(method, "/ExecutePlan") {
		return nil
	}
	select {
	case <-held:
		return status.Error(codes.Canceled, "the statement was interrupted")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stop closes all connections of the proxy and its listener. Clients can no longer connect.
func (p *Proxy) Stop() { p.server.Stop() }

// CallCount returns the number of calls of a gRPC method, such as "ExecutePlan".
func (p *Proxy) CallCount(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[method]
}

// mustBreak counts a call of a gRPC method. It reports whether the proxy must break off the call's
// response stream.
func (p *Proxy) mustBreak(method string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	name := method[strings.LastIndex(method, "/")+1:]
	p.calls[name]++
	hasStream := name == "ExecutePlan" || strings.HasSuffix(name, "Execute") && name != "ReleaseExecute"
	if !hasStream || p.breaks == 0 {
		return false
	}
	p.breaks--
	return true
}

func (p *Proxy) pass(_ any, in grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(in)
	broken := p.mustBreak(method)
	sent, _ := metadata.FromIncomingContext(in.Context())
	if p.token != "" && strings.Join(sent.Get("authorization"), "") != "Bearer "+p.token {
		return status.Error(codes.Unauthenticated, "the token is not known")
	}
	ctx, cancel := context.WithCancel(in.Context())
	defer cancel()
	var request emptypb.Empty // keeps all fields as unknown ones
	if err := in.RecvMsg(&request); err != nil {
		return err
	}
	if err := p.delay(ctx, method); err != nil {
		return err
	}
	out, err := p.target.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method)
	if err != nil {
		return err
	}
	if err := errors.Join(out.SendMsg(&request), out.CloseSend()); err != nil {
		return err
	}
	for {
		var answer emptypb.Empty
		if err := out.RecvMsg(&answer); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if broken {
			return status.Error(codes.Unavailable, "the network is gone")
		}
		if err := in.SendMsg(&answer); err != nil {
			return err
		}
	}
}
