package sparkconnect

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/emptypb"
)

// message is an encoded protocol buffer. It is encoded by hand, because only a few fields of
// Spark's messages are needed. Spark's .proto files define the field numbers.
type message []byte

// text returns m with another field, which holds a string or an embedded message.
func (m message) text(field protowire.Number, value string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), value)
}

func (m message) with(field protowire.Number, inner message) message {
	return m.text(field, string(inner))
}

// proto converts the message to a type that gRPC can send.
func (m message) proto() *emptypb.Empty {
	e := new(emptypb.Empty)
	e.ProtoReflect().SetUnknown(protoreflect.RawFields(m))
	return e
}

// number returns m with another field, which holds an integer, an enumeration value or a boolean.
func (m message) number(field protowire.Number, value uint64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), value)
}

// query returns the protocol message for a SELECT statement.
func query(sql string) message { return message{}.with(10, message{}.text(1, sql)) }

// parquet returns the protocol message for reading Parquet files.
func parquet(path string) message {
	return message{}.with(2, message{}.with(2, message{}.text(1, "parquet").text(4, path)))
}

// viewCommand returns the protocol message that creates a view. relation is a query or a set of
// files.
func viewCommand(name string, relation message) message {
	return message{}.with(3, message{}.with(1, relation).text(2, name).number(4, 1))
}

// writeCommand returns the protocol message that writes a query's rows to Parquet files. The
// directory path must be new.
func writeCommand(relation message, path string) message {
	const errorIfExists = 3
	return message{}.with(2, message{}.with(1, relation).text(2, "parquet").text(3, path).number(5, errorIfExists))
}

// execution returns the fields that ExecutePlanRequest, ConfigRequest and similar requests share.
// In these requests, client_type is field 4.
func (c *Client) execution() message {
	return message{}.text(1, c.o.SessionID).with(2, user).text(4, clientType)
}

// request returns the fields that InterruptRequest and ReleaseSessionRequest share. In these
// requests, client_type is field 3.
func (c *Client) request() message {
	return message{}.text(1, c.o.SessionID).with(2, user).text(3, clientType)
}

// clientType identifies this program to the Spark server. It is sent as client type and as user
// name.
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

// response holds the fields of Spark's ExecutePlanResponse that the client uses.
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

// Address is the network address of a Spark Connect server.
type Address struct {
	HostPort string // host name and port, such as spark.example:15002
	TLS      bool
}

// isConnectAddress reports whether u has the scheme sc and a host. It must not have a user name or
// a query.
func isConnectAddress(u *url.URL) bool {
	if u.Scheme != "sc" || u.Hostname() == "" {
		return false
	}
	return u.User == nil && u.RawQuery == ""
}

// ParseAddress parses an address such as sc://host:15002/;use_ssl=true. It refuses other
// parameters, because a token in an address would appear in logs. For the same reason, an error does
// not quote the address.
func ParseAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil || !isConnectAddress(u) {
		return Address{}, errors.New("address: it must be sc://host:15002, with /;use_ssl=true for TLS")
	}
	a := Address{HostPort: u.Host}
	if u.Port() == "" {
		a.HostPort = net.JoinHostPort(u.Hostname(), "15002")
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

// IsLoopback reports whether the address is on this machine, so that no traffic leaves it.
func (a Address) IsLoopback() bool {
	host, _, _ := net.SplitHostPort(a.HostPort)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
