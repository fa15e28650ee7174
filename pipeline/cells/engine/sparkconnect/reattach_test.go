package sparkconnect

import (
	"net"
	"path"
	"slices"
	"testing"

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

// A statement goes on where it was when its stream is lost or ends early, and is run once.
func TestStatementIsTakenUpAgain(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &scripted{}
	server := grpc.NewServer(grpc.UnknownServiceHandler(s.serve))
	go server.Serve(l)
	t.Cleanup(server.Stop)
	c, err := Open(t.Context(), Options{Address: Address{HostPort: l.Addr().String()}})
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
