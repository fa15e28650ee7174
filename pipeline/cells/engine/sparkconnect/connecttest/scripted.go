package connecttest

import (
	"net"
	"path"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/emptypb"
)

// StartScriptedServer starts a fake Spark Connect server in this process and returns its address.
// The server does not execute statements. Instead it calls statement with the text of each request,
// which contains queries and paths. An error of that function is sent to the client.
func StartScriptedServer(t testing.TB, statement func(text string) error) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		method, _ := grpc.MethodFromServerStream(stream)
		var request, answer emptypb.Empty
		if err := stream.RecvMsg(&request); err != nil {
			return err
		}
		if path.Base(method) == "ExecutePlan" {
			if err := statement(string(request.ProtoReflect().GetUnknown())); err != nil {
				return status.Error(codes.Internal, err.Error())
			}
			const complete = 14 // field of an answer: the statement has ended
			answer.ProtoReflect().SetUnknown(
				protowire.AppendBytes(protowire.AppendTag(nil, complete, protowire.BytesType), nil))
		}
		return stream.SendMsg(&answer)
	}))
	go server.Serve(l)
	t.Cleanup(server.Stop)
	return "sc://" + l.Addr().String()
}
