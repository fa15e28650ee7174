// Package sparkconnect is a client of Spark Connect, the gRPC interface of Apache Spark. It creates
// views and writes the rows of queries to files on the cluster. It returns no rows.
//
// If a connection is lost, the client continues to wait for its statement over a new connection. If
// a statement is cancelled, the client interrupts it on the server.
package sparkconnect

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

// Options holds the settings of a connection to a Spark Connect server.
type Options struct {
	Address Address
	Token   string // access token, sent as a bearer token; empty = none
	// certificate authorities accepted for the server; nil = the system's
	RootCAs *x509.CertPool
	// id of the session of an earlier client, to join it; empty = start a new session
	SessionID string
	// SparkSettings are Spark settings for the session, by name, such as
	// spark.sql.session.timeZone.
	SparkSettings map[string]string
	// ReconnectTimeout is how long the client tries to restore a lost connection; 0 = a minute.
	ReconnectTimeout time.Duration
}

// Client is a session on a Spark Connect server. Only one goroutine at a time may use it.
type Client struct {
	conn      *grpc.ClientConn
	o         Options
	keepAlive sync.WaitGroup
	closing   chan struct{}
}

// NewSessionID returns a random ID for a new session.
func NewSessionID() string { return uuid.NewString() }

// keepAliveEvery is the interval between calls that keep a session open. By default, a server ends
// a session after an hour without calls.
const keepAliveEvery = 5 * time.Minute

// Open connects to a Spark Connect server and starts a session. The caller must close the client.
func Open(ctx context.Context, o Options) (*Client, error) {
	c, err := dial(o)
	if err != nil {
		return nil, err
	}
	if err := c.set(ctx); err != nil {
		return nil, errors.Join(c.explain(err), c.conn.Close())
	}
	c.keepAlive.Go(func() {
		for {
			select {
			case <-c.closing:
				return
			case <-time.After(keepAliveEvery):
				ctx, cancel := context.WithTimeout(context.Background(), unaryTimeout)
				_ = c.set(ctx) // the next statement notices a lost server
				cancel()
			}
		}
	})
	return c, nil
}

func dial(o Options) (*Client, error) {
	secure := insecure.NewCredentials()
	if o.Address.TLS {
		secure = credentials.NewTLS(&tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12})
	}
	conn, err := grpc.NewClient("passthrough:///"+o.Address.HostPort, grpc.WithTransportCredentials(secure),
		grpc.WithPerRPCCredentials(bearer(o.Token)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 6 * time.Minute, Timeout: 30 * time.Second}))
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", o.Address.HostPort, err)
	}
	o.SessionID = cmp.Or(o.SessionID, NewSessionID())
	o.ReconnectTimeout = cmp.Or(o.ReconnectTimeout, time.Minute)
	return &Client{conn: conn, o: o, closing: make(chan struct{})}, nil
}

// unaryTimeout is the time limit of short gRPC calls. Calls that run a statement have no such
// limit.
const unaryTimeout = 30 * time.Second

func (c *Client) set(ctx context.Context) error {
	return c.call(ctx, "Config", c.settingsRequest(c.o.SparkSettings))
}

// call sends the request m to the gRPC method with the given name, and waits for the response. It
// ignores the content of the response.
func (c *Client) call(ctx context.Context, method string, m message) error {
	ctx, cancel := context.WithTimeout(ctx, unaryTimeout)
	defer cancel()
	return c.conn.Invoke(ctx, service+method, m.proto(), new(emptypb.Empty))
}

const service = "/spark.connect.SparkConnectService/"

// bearer is the access token that is added to each gRPC request.
type bearer string

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	if b == "" {
		return nil, nil
	}
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

// RequireTransportSecurity returns false, because connections on loopback need no TLS. For other
// addresses, the caller of Open must require TLS.
func (bearer) RequireTransportSecurity() bool { return false }

// CreateParquetView creates a view of Parquet files under the given name. path is a path on the
// cluster.
func (c *Client) CreateParquetView(ctx context.Context, name, path string) error {
	return c.execute(ctx, viewCommand(name, parquet(path)))
}

// CreateView creates an SQL view from a query under the given name.
func (c *Client) CreateView(ctx context.Context, name, sql string) error {
	return c.execute(ctx, viewCommand(name, query(sql)))
}

// WriteParquet runs a query and writes its rows to Parquet files in the new directory path. It
// fails if the directory exists.
func (c *Client) WriteParquet(ctx context.Context, sql, path string) error {
	return c.execute(ctx, writeCommand(query(sql), path))
}

// execute runs a command on the server and waits until it ends. If ctx ends first, execute
// interrupts the command.
func (c *Client) execute(ctx context.Context, command message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	operation := uuid.NewString()
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() { c.interrupt(running, stop, operation) })()
	err := c.follow(running, ctx, operation, command)
	// otherwise the server keeps its responses for a while
	_ = c.call(running, "ReleaseExecute", c.releaseRequest(operation))
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	return c.explain(err)
}

// interrupt asks the server every second to interrupt the statement with the ID operation. It
// repeats the request because the server may not know the statement yet. It stops when running
// ends, or after 30 seconds, and then calls giveUp.
func (c *Client) interrupt(running context.Context, giveUp func(), operation string) {
	defer giveUp()
	for end := time.Now().Add(unaryTimeout); running.Err() == nil && time.Now().Before(end); {
		_ = c.call(running, "Interrupt", c.interruptRequest(operation)) // a dead server runs nothing
		select {
		case <-running.Done():
		case <-time.After(time.Second):
		}
	}
}

// follow starts a command on the server and waits until it is complete. operation is the ID of the
// command. running is the context of the requests. If the connection is lost, follow reconnects to
// the running command. It gives up after Options.ReconnectTimeout, or when the connection is lost
// after caller has ended.
func (c *Client) follow(running, caller context.Context, operation string, command message) error {
	method, m := "ExecutePlan", c.executeRequest(operation, command)
	last := ""
	lost := time.Time{}
	wait := 100 * time.Millisecond
	for {
		got, err := c.attach(running, method, m, &last)
		if got {
			lost, wait = time.Time{}, 100*time.Millisecond
		}
		if err == nil || err != io.EOF && status.Code(err) != codes.Unavailable {
			return err
		}
		if lost.IsZero() {
			lost = time.Now()
		}
		if time.Since(lost) > c.o.ReconnectTimeout || caller.Err() != nil && err != io.EOF {
			return err
		}
		select {
		case <-time.After(wait):
		case <-running.Done():
			return running.Err()
		}
		method = "ReattachExecute"
		m = c.reattachRequest(operation, last)
		wait = min(2*wait, 5*time.Second)
	}
}

// attach sends the request m to a gRPC method and reads the responses to the command. It returns
// nil when the command is complete, and io.EOF if the stream ends earlier. got reports whether a
// response arrived. attach stores the ID of the last response in lastID.
func (c *Client) attach(ctx context.Context, method string, m message, lastID *string) (got bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := c.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, service+method)
	if err != nil {
		return false, err
	}
	// on io.EOF, RecvMsg below returns the cause
	if err := errors.Join(stream.SendMsg(m.proto()), stream.CloseSend()); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	for {
		var answer emptypb.Empty
		if err := stream.RecvMsg(&answer); err != nil {
			return got, err
		}
		r, err := parseResponse(&answer)
		if err != nil || r.complete {
			return true, err
		}
		if got = true; r.id != "" {
			*lastID = r.id
		}
	}
}

// explain adds the server's address to an error of a request, and advice for the operator. It
// returns nil for nil.
func (c *Client) explain(err error) error {
	if err == nil {
		return nil
	}
	advice := ""
	switch status.Code(err) {
	case codes.Unavailable:
		advice = ": the Connect server cannot be reached or was lost; see that it runs, and run again"
	case codes.Unauthenticated, codes.PermissionDenied:
		advice = ": the server refused the token; see the variable that engine.token_env names"
	}
	return fmt.Errorf("the Spark Connect server %s: %w%s", c.o.Address.HostPort, err, advice)
}

// Close ends the session on the server and closes the connection.
func (c *Client) Close() error {
	close(c.closing)
	c.keepAlive.Wait()
	return errors.Join(c.explain(c.release()), c.conn.Close())
}

func (c *Client) release() error {
	return c.call(context.Background(), "ReleaseSession", c.request())
}

// EndSession ends a session on the server that an earlier client left open.
func EndSession(o Options) error {
	c, err := dial(o)
	if err != nil {
		return err
	}
	return errors.Join(c.explain(c.release()), c.conn.Close())
}
