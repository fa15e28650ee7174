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

// Options holds the address of a server, the access token and the name of the session.
type Options struct {
	Address Address
	Token   string // access token, sent as a bearer token; empty = none
	// certificate authorities accepted for the server; nil = the system's
	RootCAs *x509.CertPool
	// id of the session of an earlier client, to join it; empty = start a new session
	SessionID string
	// SparkSettings are Spark settings for the session, by name, such as spark.sql.session.timeZone.
	SparkSettings map[string]string
	// ReconnectTimeout is how long the client tries to restore a lost connection; 0 = a minute.
	ReconnectTimeout time.Duration
}

// Client is one session on a Spark Connect server. It must be used by one goroutine at a time.
type Client struct {
	conn      *grpc.ClientConn
	o         Options
	keepAlive sync.WaitGroup
	closing   chan struct{}
}

// NewSessionID returns a random id for a new session.
func NewSessionID() string { return uuid.NewString() }

// keepAliveEvery is the interval of calls that keep a session open; by default, a server ends
// sessions after an hour without a call.
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

// unaryTimeout is the time limit of gRPC calls that a server answers at once.
const unaryTimeout = 30 * time.Second

func (c *Client) set(ctx context.Context) error {
	return c.call(ctx, "Config", c.settingsRequest(c.o.SparkSettings))
}

// call sends a gRPC request to the server and ignores the response.
func (c *Client) call(ctx context.Context, method string, m message) error {
	ctx, cancel := context.WithTimeout(ctx, unaryTimeout)
	defer cancel()
	return c.conn.Invoke(ctx, service+method, m.proto(), new(emptypb.Empty))
}

const service = "/spark.connect.SparkConnectService/"

// bearer adds the access token to each gRPC request.
type bearer string

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	if b == "" {
		return nil, nil
	}
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

// RequireTransportSecurity returns false, because a loopback address needs no TLS. The caller of
// Open has checked the address.
func (bearer) RequireTransportSecurity() bool { return false }

// CreateParquetView creates a view with the rows of Parquet files. name is the name of the view,
// and path is a path on the cluster.
func (c *Client) CreateParquetView(ctx context.Context, name, path string) error {
	return c.execute(ctx, viewCommand(name, parquet(path)))
}

// CreateView creates an SQL view called name from a query.
func (c *Client) CreateView(ctx context.Context, name, sql string) error {
	return c.execute(ctx, viewCommand(name, query(sql)))
}

// WriteParquet writes the rows of a query to Parquet files in the directory path, which must not
// exist.
func (c *Client) WriteParquet(ctx context.Context, sql, path string) error {
	return c.execute(ctx, writeCommand(query(sql), path))
}

// execute runs a command on the server and waits for its end. If ctx ends first, it asks the
// server to interrupt the command.
func (c *Client) execute(ctx context.Context, command message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	operation := uuid.NewString()
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() { c.interrupt(running, stop, operation) })()
	err := c.follow(running, ctx, operation, command)
	_ = c.call(running, "ReleaseExecute", c.releaseRequest(operation)) // otherwise the server forgets it after a while
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	return c.explain(err)
}

// interrupt asks the server again and again to interrupt a statement, until the statement has
// ended or a time limit is reached. The first requests can arrive before the server knows the
// statement.
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

// follow starts a command on the server and waits until it is complete. If the connection is lost,
// it reconnects to the same command, until Options.ReconnectTimeout has passed.
func (c *Client) follow(running, asked context.Context, operation string, command message) error {
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
		if time.Since(lost) > c.o.ReconnectTimeout || asked.Err() != nil && err != io.EOF {
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

// attach reads the responses to a command. It returns nil when the command is complete, and io.EOF
// if the stream ends before that. got reports whether a response arrived. lastID is set to the id
// of the last response.
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

// explain adds advice for the operator to an error returned by the server.
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

// EndSession ends a session that an earlier client has left open on the server.
func EndSession(o Options) error {
	c, err := dial(o)
	if err != nil {
		return err
	}
	return errors.Join(c.explain(c.release()), c.conn.Close())
}
