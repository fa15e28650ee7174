package cli

import (
	"fmt"
	"net"
	"net/http"
)

// Loopback serves h on a free port of this machine until stop.
func Loopback(h http.Handler) (base string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("simulated publishers: %w", err)
	}
	server := &http.Server{Handler: h}
	go func() { _ = server.Serve(listener) }() // ends with Close
	return "http://" + listener.Addr().String(), func() { _ = server.Close() }, nil
}
