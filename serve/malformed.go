package serve

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"regexp"
	"sync/atomic"
)

// net/http answers an address that it cannot read, such as /v1/labour/%zz, in plain text
// before any handler sees it. Connections of HTTP/1 are therefore read through
// readableConn, which escapes what is not properly escaped: the call then finds no
// route, and is counted and answered in JSON like every other. HTTP/2 knows only a
// stream error for it, and passes as it is.

// readableConn is a connection of HTTP/1 whose request lines can be read.
type readableConn struct {
	net.Conn
	answered atomic.Bool // something was sent: what comes next may be a request line
	inside   bool        // of a request that has been seen
	held     []byte      // beginning of a request line
	out      []byte      // not read yet
}

var (
	requestLine = regexp.MustCompile(`^([A-Z]{1,20} )(/[^?\n]*)([^\n]*)( HTTP/1\.[01]\r?\n)`)
	// beginning is what a request line may begin with. The rest of a body that was not
	// read is none.
	beginning = regexp.MustCompile(`^[A-Z]{0,20}( (/[^\n]*)?)?$`)
	inPath    = regexp.MustCompile(`%[0-9A-Fa-f]{2}|[%\x00-\x20\x7f]`)
	inQuery   = regexp.MustCompile(`[\x00-\x20\x7f]`)
)

// Write sends a part of a response.
func (c *readableConn) Write(p []byte) (int, error) {
	c.answered.Store(true)
	return c.Conn.Write(p)
}

// Read reads on, with the request line mended.
func (c *readableConn) Read(p []byte) (int, error) {
	for len(c.out) == 0 {
		n, err := c.Conn.Read(p)
		if c.answered.Swap(false) {
			c.inside = false
		}
		if c.inside || n == 0 && len(c.held) == 0 {
			return n, err
		}
		c.hold(p[:n])
		if err != nil && len(c.out) == 0 {
			return 0, err
		}
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

// hold keeps what may be a request line until it is whole.
func (c *readableConn) hold(part []byte) {
	c.held = append(c.held, part...)
	if line := requestLine.FindSubmatch(c.held); line != nil {
		c.out = append(append(append([]byte{}, line[1]...), inPath.ReplaceAllFunc(line[2], escape)...), inQuery.ReplaceAllFunc(line[3], escape)...)
		c.out = append(append(c.out, line[4]...), c.held[len(line[0]):]...)
	} else if len(c.held) < maxHeaderBytes && beginning.Match(c.held) {
		return
	} else {
		c.out = c.held
	}
	c.held, c.inside = nil, true
}

// escape escapes one character. What is escaped already stays.
func escape(text []byte) []byte {
	if len(text) == len("%zz") {
		return text
	}
	return fmt.Appendf(nil, "%%%02X", text[0])
}

// securedConn is a readableConn whose TLS net/http sees.
type securedConn struct {
	*readableConn
	secured *tls.Conn
}

// ConnectionState returns what the handshake came to.
func (c securedConn) ConnectionState() tls.ConnectionState { return c.secured.ConnectionState() }

// readable accepts connections that net/http can read.
type readable struct {
	net.Listener
	accepted chan net.Conn
	failed   chan error
	closed   context.Context
	close    context.CancelFunc
}

// newReadable accepts the connections of a listener, and speaks TLS on them where
// secured says how. Nobody waits for the handshake of another.
func newReadable(l net.Listener, secured *tls.Config) *readable {
	if secured != nil {
		l = tls.NewListener(l, secured)
	}
	r := &readable{Listener: l, accepted: make(chan net.Conn), failed: make(chan error)}
	r.closed, r.close = context.WithCancel(context.Background())
	go r.run()
	return r
}

func (r *readable) run() {
	for r.closed.Err() == nil {
		c, err := r.Listener.Accept()
		if err == nil {
			go r.hand(c)
			continue
		}
		select {
		case r.failed <- err:
		case <-r.closed.Done():
		}
	}
}

func (r *readable) hand(c net.Conn) {
	secured, isTLS := c.(*tls.Conn)
	var failed error // net/http tells the client and the log
	if isTLS {
		ctx, cancel := context.WithTimeout(r.closed, readHeaderTimeout)
		failed = secured.HandshakeContext(ctx)
		cancel()
	}
	if !isTLS {
		c = &readableConn{Conn: c}
	} else if failed == nil && secured.ConnectionState().NegotiatedProtocol != "h2" {
		c = securedConn{&readableConn{Conn: c}, secured}
	}
	select {
	case r.accepted <- c:
	case <-r.closed.Done():
		c.Close()
	}
}

// Accept returns the next connection.
func (r *readable) Accept() (net.Conn, error) {
	select {
	case c := <-r.accepted:
		return c, nil
	case err := <-r.failed:
		return nil, err
	case <-r.closed.Done():
		return nil, net.ErrClosed
	}
}

// Close stops accepting.
func (r *readable) Close() error {
	r.close()
	return r.Listener.Close()
}
