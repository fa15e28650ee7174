package sparkconnect

import (
	"context"
	"errors"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

// Each message has the fields of the protocol of Spark Connect: a byte of field number times 8 plus
// 2 for a text or a message and 0 for a number, then the length and the content, or the number.
func TestMessagesOfTheProtocol(t *testing.T) {
	c := &Client{o: Options{SessionID: "s"}}
	const sql = "\x52\x03\x0a\x01Q"
	const execution = "\x0a\x01s\x12\x08\x0a\x06labour\x22\x06labour"
	const request = "\x0a\x01s\x12\x08\x0a\x06labour\x1a\x06labour"
	for name, m := range map[string]struct {
		got  message
		want string
	}{
		"query": {query("Q"), sql},
		"files": {parquet("p"), "\x12\x0e\x12\x0c\x0a\x07parquet\x22\x01p"},
		"view":  {viewCommand("v", query("Q")), "\x1a\x0c\x0a\x05" + sql + "\x12\x01v\x20\x01"},
		"write": {writeCommand(query("Q"), "p"), "\x12\x15\x0a\x05" + sql + "\x12\x07parquet\x1a\x01p\x28\x03"},
		"execute": {c.executeRequest("o", message("C")),
			execution + "\x32\x01o\x1a\x03\x12\x01C\x2a\x04\x0a\x02\x08\x01"},
		"reattach":                  {c.reattachRequest("o", ""), execution + "\x1a\x01o"},
		"reattach after a response": {c.reattachRequest("o", "l"), execution + "\x1a\x01o\x2a\x01l"},
		"release":                   {c.releaseRequest("o"), execution + "\x1a\x01o\x2a\x00"},
		"interrupt":                 {c.interruptRequest("o"), request + "\x20\x03\x32\x01o"},
		"settings": {c.settingsRequest(map[string]string{"k": "v"}),
			execution + "\x1a\x0a\x0a\x08\x0a\x06\x0a\x01k\x12\x01v"},
		"session": {c.request(), request},
	} {
		if string(m.got) != m.want {
			t.Errorf("%s: %q, want %q", name, m.got, m.want)
		}
	}
}

// Of a response its id and its end are read; one that breaks off is an error.
func TestResponsesOfTheServer(t *testing.T) {
	for bytes, want := range map[string]response{"": {}, "\x6a\x01x": {id: "x"}, "\x72\x00": {complete: true},
		"\x0a\x01s\x6a\x01x\x72\x00": {id: "x", complete: true}, "\x08\x05": {}} {
		got, err := parseResponse(message(bytes).proto())
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", bytes, got, err, want)
		}
	}
	for _, bytes := range []string{"\x6a\x05x", "\xff", "\x6a"} {
		e := new(emptypb.Empty)
		e.ProtoReflect().SetUnknown([]byte(bytes))
		if got, err := parseResponse(e); err == nil || !strings.HasPrefix(err.Error(), "answer of the Connect server: ") {
			t.Errorf("%q: %+v, %v", bytes, got, err)
		}
	}
}

// An error of the server names it, with advice where there is some; a token is sent if there is one.
func TestErrorsOfTheServer(t *testing.T) {
	c := &Client{o: Options{Address: Address{HostPort: "spark:15002"}}}
	const lost = ": the Connect server cannot be reached or was lost; see that it runs, and run again"
	const refused = ": the server refused the token; see the variable that engine.token_env names"
	for code, advice := range map[codes.Code]string{codes.Unavailable: lost, codes.Unauthenticated: refused,
		codes.PermissionDenied: refused, codes.Internal: ""} {
		cause := status.Error(code, "why")
		want := "the Spark Connect server spark:15002: " + cause.Error() + advice
		if err := c.explain(cause); err.Error() != want || !errors.Is(err, cause) {
			t.Errorf("%v: %v, want %s", code, err, want)
		}
	}
	if err := c.explain(nil); err != nil {
		t.Errorf("no error: %v", err)
	}
	for token, want := range map[bearer]string{"": "", "x": "Bearer x"} {
		got, err := token.GetRequestMetadata(context.Background())
		if err != nil || got["authorization"] != want || (got == nil) != (token == "") {
			t.Errorf("the token %q: %v, %v", token, got, err)
		}
	}
	if bearer("x").RequireTransportSecurity() {
		t.Error("a loopback address needs TLS")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if err := c.execute(ended, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that has ended: %v", err)
	}
	o := Options{Address: Address{HostPort: "127.0.0.1:1"}}
	if opened, err := Open(ended, o); opened != nil || err == nil || !strings.HasPrefix(err.Error(),
		"the Spark Connect server 127.0.0.1:1: ") {
		t.Errorf("a server that is not there: %v", err)
	}
	if a, b := NewSessionID(), NewSessionID(); a == b || len(a) != 36 {
		t.Errorf("two sessions are %s and %s", a, b)
	}
}
