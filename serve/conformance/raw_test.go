package conformance

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"
)

// raw calls a path as it stands, which a client that knows addresses would not send
// when it is malformed.
func (s *server) raw(t *testing.T, path string) answer {
	t.Helper()
	at, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	connection, err := s.dial(at)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(connection, "GET %s%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n",
		at.Path, path, at.Host, s.key)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body bytes.Buffer
	if _, err := io.Copy(&body, response.Body); err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, body.Bytes()}
}

func (s *server) dial(at *url.URL) (net.Conn, error) {
	host := at.Host
	if at.Port() == "" {
		host = net.JoinHostPort(at.Hostname(), at.Scheme)
	}
	if at.Scheme != "https" {
		return net.Dial("tcp", host)
	}
	config := s.client.Transport.(*http.Transport).TLSClientConfig.Clone()
	config.NextProtos = []string{"http/1.1"}
	return tls.Dial("tcp", host, config)
}
