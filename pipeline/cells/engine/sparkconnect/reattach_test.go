package sparkconnect

import (
	"net"
	"path"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/emptypb"
)

// scripted is a server that loses each statement's stream once and ends it early once.
type scripted struct{ calls []string }

func (s *scripted) serve(_ any, stream grpc.ServerStream) error {
	full, _ := grpc.MethodFromServerStream(stream)
	var request emptypb.Empty
	if err := stream.RecvMsg(&request); err != nil {
		return err
	}
	method := path.Base(full)
	if method == "ReattachExecute" {
		method += " after " + lastOf(request.ProtoReflect().GetUnknown())
	}
	s.calls = append(s.calls, method)
	answer := func(id string) message { return message{}.text(1, "session").text(13, id) }
	switch method {
	case "ExecutePlan":
		if err := stream.SendMsg(answer("one").proto()); err != nil {
			return err
		}
		return status.Error(codes.Unavailable, "the network is gone")
	case "ReattachExecute after one":
		return stream.SendMsg(answer("two").proto()) // and the stream ends, as after two minutes
	case "ReattachExecute after two":
		return stream.SendMsg(answer("three").with(14, nil).proto())
	}
	return stream.SendMsg(message{}.proto())
}

// lastOf is the last answer that a request to attach again names, in field 5.
func lastOf(m []byte) string {
	for len(m) > 0 {
		field, kind, n := protowire.ConsumeTag(m)
		m = m[n:]
		n = protowire.ConsumeFieldValue(field, kind, m)
		if value, _ := protowire.ConsumeBytes(m[:n]); field == 5 {
			return string(value)
		}
		m = m[n:]
	}
	return ""
}

// serving starts a server with a handler of all calls, and returns its address.
func serving(t *testing.T, handler grpc.StreamHandler) Address {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(handler))
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return Address{HostPort: l.Addr().String()}
}

// A statement goes on where it was when its stream is lost or ends early, and is run once.
func TestStatementIsTakenUpAgain(t *testing.T) {
	s := &scripted{}
	c, err := Open(t.Context(), Options{Address: serving(t, s.serve)})
	if err == nil {
		err = c.CreateView(t.Context(), "one", "SELECT 1")
	}
	if err == nil {
		err = c.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Config", "ExecutePlan", "ReattachExecute after one", "ReattachExecute after two",
		"ReleaseExecute", "ReleaseSession"}
	if !slices.Equal(s.calls, want) {
		t.Errorf("the server was asked for %q, want %q", s.calls, want)
	}
}

// lossy is a server that loses every stream of a statement. Until it has answered losses streams, each
// begins with an answer; after that, none does.
type lossy struct {
	losses   int
	attached int // streams of the statement so far
}

func (s *lossy) serve(_ any, stream grpc.ServerStream) error {
	full, _ := grpc.MethodFromServerStream(stream)
	if method := path.Base(full); method != "ExecutePlan" && method != "ReattachExecute" {
		return stream.SendMsg(message{}.proto())
	}
	if s.attached++; s.attached <= s.losses {
		if err := stream.SendMsg(message{}.text(13, "answer").proto()); err != nil {
			return err
		}
	}
	return status.Error(codes.Unavailable, "the network is gone")
}

// A statement is given up when the server has not answered for the reconnect timeout. Each further
// attempt waits twice as long as the one before. After an answer the time and the wait begin again.
func TestStatementIsGivenUp(t *testing.T) {
	for losses, want := range map[int]struct{ least, most int }{0: {2, 4}, 6: {8, 10}} {
		s := &lossy{losses: losses}
		c, err := Open(t.Context(), Options{Address: serving(t, s.serve), ReconnectTimeout: 500 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.CreateView(t.Context(), "one", "SELECT 1"); status.Code(err) != codes.Unavailable {
			t.Errorf("%d losses: %v", losses, err)
		}
		if s.attached < want.least || s.attached > want.most {
			t.Errorf("%d losses: attached %d times, want %d to %d", losses, s.attached, want.least, want.most)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := c.CreateView(t.Context(), "two", "SELECT 2"); status.Code(err) != codes.Canceled {
			t.Errorf("%d losses: a statement after the end: %v", losses, err)
		}
	}
}

// An error of the statement itself is returned, and the statement is not attached to again.
func TestErrorOfAStatementIsReturned(t *testing.T) {
	attached := 0
	c, err := Open(t.Context(), Options{Address: serving(t, func(_ any, stream grpc.ServerStream) error {
		full, _ := grpc.MethodFromServerStream(stream)
		switch path.Base(full) {
		case "ExecutePlan", "ReattachExecute":
			attached++
			return status.Error(codes.Internal, "no such table")
		}
		return stream.SendMsg(message{}.proto())
	})})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.CreateView(t.Context(), "one", "SELECT 1"); status.Code(err) != codes.Internal || attached != 1 {
		t.Errorf("%v after %d attempts", err, attached)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
