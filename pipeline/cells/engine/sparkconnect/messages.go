package sparkconnect

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/emptypb"
)

// message is an encoded protocol buffer. Spark's messages are deeply nested and few of their fields
// are used here, so they are written field by field. The field numbers come from base.proto,
// commands.proto and relations.proto of Apache Spark; a published number never changes its meaning.
// They are the same in Spark 3.5 and 4.0.
type message []byte

// text adds a string or an embedded message.
func (m message) text(field protowire.Number, value string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), value)
}

func (m message) with(field protowire.Number, inner message) message {
	return m.text(field, string(inner))
}

// proto returns the message in the form that gRPC sends: a message with unknown fields only, which
// are passed on.
func (m message) proto() *emptypb.Empty {
	e := new(emptypb.Empty)
	e.ProtoReflect().SetUnknown(protoreflect.RawFields(m))
	return e
}

// number adds an integer, an enumeration or a boolean.
func (m message) number(field protowire.Number, value uint64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), value)
}

// query returns the relation of a SELECT.
func query(sql string) message { return message{}.with(10, message{}.text(1, sql)) }

// parquet returns the relation of the rows of Parquet files.
func parquet(path string) message {
	return message{}.with(2, message{}.with(2, message{}.text(1, "parquet").text(4, path)))
}

// viewCommand returns the command that creates a view of a relation within the session.
func viewCommand(name string, relation message) message {
	return message{}.with(3, message{}.with(1, relation).text(2, name).number(4, 1))
}

// writeCommand returns the command that writes a relation to a directory of Parquet files that must
// not exist.
func writeCommand(relation message, path string) message {
	const errorIfExists = 3
	return message{}.with(2, message{}.with(1, relation).text(2, "parquet").text(3, path).number(5, errorIfExists))
}

// execution returns the common start of the messages about one statement: the requests to run it,
// to attach to it again and to release it.
func (c *Client) execution() message {
	return message{}.text(1, c.o.Session).with(2, user).text(4, clientType)
}

// request returns the common start of the messages about the session, and of the one that
// interrupts a statement.
func (c *Client) request() message {
	return message{}.text(1, c.o.Session).with(2, user).text(3, clientType)
}

// clientType is the name of the program for the server, and the user of its sessions.
const clientType = "labour"

var user = message{}.text(1, clientType)

func (c *Client) executeRequest(operation string, command message) message {
	reattachable := message{}.with(1, message{}.number(1, 1))
	return c.execution().text(6, operation).with(3, message{}.with(2, command)).with(5, reattachable)
}

func (c *Client) reattachRequest(operation, lastResponse string) message {
	m := c.execution().text(3, operation)
	if lastResponse != "" {
		m = m.text(5, lastResponse)
	}
	return m
}

func (c *Client) releaseRequest(operation string) message {
	return c.execution().text(3, operation).with(5, nil)
}

func (c *Client) interruptRequest(operation string) message {
	const byOperation = 3
	return c.request().number(4, byOperation).text(6, operation)
}

func (c *Client) settingsRequest(settings map[string]string) message {
	set := message{}
	for key, value := range settings {
		set = set.with(1, message{}.text(1, key).text(2, value))
	}
	return c.execution().with(3, message{}.with(1, set))
}

// response holds the used fields of an ExecutePlanResponse.
type response struct {
	id       string
	complete bool
}

func parseResponse(answer *emptypb.Empty) (r response, err error) {
	m := answer.ProtoReflect().GetUnknown()
	for len(m) > 0 {
		field, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			return r, fmt.Errorf("answer of the Connect server: %w", protowire.ParseError(n))
		}
		m = m[n:]
		if n = protowire.ConsumeFieldValue(field, kind, m); n < 0 {
			return r, fmt.Errorf("answer of the Connect server: %w", protowire.ParseError(n))
		}
		switch value := m[:n]; field {
		case 13:
			id, _ := protowire.ConsumeBytes(value)
			r.id = string(id)
		case 14:
			r.complete = true
		}
		m = m[n:]
	}
	return r, nil
}

// Address is the network address of a Connect server.
type Address struct {
	Host string // host and port
	TLS  bool
}

// ParseAddress reads an address in the form used by Spark's own clients:
// sc://host:port/;use_ssl=true. The default port is 15002. Any other parameter is an error: a token
// in an address would end up in files and logs.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "sc" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" {
		return Address{}, fmt.Errorf("address %q: it must be sc://host:15002, with /;use_ssl=true for TLS", text)
	}
	a := Address{Host: u.Host}
	if u.Port() == "" {
		a.Host = net.JoinHostPort(u.Hostname(), "15002")
	}
	switch strings.Trim(u.Path, "/") {
	case "", ";use_ssl=false":
	case ";use_ssl=true":
		a.TLS = true
	default:
		return Address{},
			fmt.Errorf("address %s: the only parameter is ;use_ssl=true; a token comes from the environment", u.Host)
	}
	return a, nil
}

// Loopback reports whether the server is on this machine, so that no traffic leaves it.
func (a Address) Loopback() bool {
	host, _, _ := net.SplitHostPort(a.Host)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
