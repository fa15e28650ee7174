package conformance

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"labour/serve/certtest"
	"labour/serve/state/pgserver"
)

// ownSet is the servers that the suite started itself, with what they stand on.
type ownSet struct {
	dir, program string
	certificate  tls.Certificate
	postgres     *pgserver.Server
	running      []*exec.Cmd
	opened       *server // see opened; nil until it is needed
	published    int     // runs of the pipeline after the first
}

// started is the set of this process; nil until it is needed.
var started *ownSet

// certFile and keyFile are the certificate of our servers and of our receiver of
// webhooks, for 127.0.0.1.
func (o *ownSet) certFile() string { return filepath.Join(o.dir, "cert.pem") }
func (o *ownSet) keyFile() string  { return filepath.Join(o.dir, "key.pem") }

// startOwn builds the program, makes the sandbox's data and serves it over HTTP, and over TLS with
// the state in PostgreSQL; one server more has no data.
func startOwn() ([]*server, error) {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return nil, err
	}
	o := &ownSet{dir: dir, program: filepath.Join(dir, "labour")}
	started = o
	if o.certificate, err = certtest.WriteCertificate(o.certFile(), o.keyFile(), 1); err != nil {
		return nil, err
	}
	if output, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", o.program,
		"labour/cmd/labour").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program: %w\n%s", err, output)
	}
	world := filepath.Join(dir, "world")
	data := filepath.Join(world, "data")
	if err := o.makeWorld(world, data); err != nil {
		return nil, err
	}
	secure := &server{name: "tls", data: data}
	switch o.postgres, err = pgserver.Start(context.Background()); {
	case errors.Is(err, pgserver.ErrNotInstalled):
		fmt.Fprintln(os.Stderr, "no server with PostgreSQL is tried:", err)
	case err != nil:
		return nil, err
	default:
		secure.state = o.postgres.Address("postgres")
	}
	none := filepath.Join(dir, "none")
	if err := os.Mkdir(none, 0o700); err != nil { // a data directory that is not there is refused
		return nil, err
	}
	all := []*server{{name: "http", data: data}, secure, {name: "no-snapshot", data: none, empty: true}}
	for _, s := range all {
		if err := o.serve(s); err != nil {
			return nil, fmt.Errorf("server %s: %w", s.name, err)
		}
	}
	return all, nil
}

// makeWorld makes the sandbox's data with every dataset open, keeps what a server of it
// needs, and closes the datasets again.
func (o *ownSet) makeWorld(world, data string) error {
	if _, err := o.labour("sandbox", "--once", "--small", "--open-datasets", "--dir", world); err != nil {
		return err
	}
	for _, part := range []string{"snapshots", "partners"} {
		if err := os.CopyFS(filepath.Join(o.dir, "opened", part), os.DirFS(filepath.Join(data, part))); err != nil {
			return err
		}
	}
	for _, name := range []string{"demand", "trends", "outlook", "reach", "signals", "priorities"} {
		if _, err := o.labour("dataset", "close", name, "--data", data); err != nil {
			return err
		}
	}
	_, err := o.labour("run", "--config", filepath.Join(world, "labour.yaml"), "--data", data, "--only", "platform")
	return err
}

// serve starts one server and makes its key.
func (o *ownSet) serve(s *server) (err error) {
	s.own = o
	if s.client, err = clientFor(o.certFile()); err != nil {
		return err
	}
	if s.key, err = s.newKey("--plan", "partner", "--scope", "all"); err != nil {
		return err
	}
	return o.listen(s)
}

var servingOn = regexp.MustCompile(` on (https?://\S+)`)

// listen starts the process of a server and reads its address from what it prints.
func (o *ownSet) listen(s *server) error {
	arguments := append([]string{"serve", "--addr", "127.0.0.1:0", "--webhooks-allow-loopback"}, s.where()...)
	if s.name == "tls" {
		arguments = append(arguments, "--tls-cert", o.certFile(), "--tls-key", o.keyFile())
	}
	c := exec.Command(o.program, arguments...)
	c.Env = append(os.Environ(), "SSL_CERT_FILE="+o.certFile())
	printed, err := c.StderrPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	o.running = append(o.running, c)
	lines := bufio.NewReader(printed)
	line, err := lines.ReadString('\n')
	if err != nil {
		return err
	}
	address := servingOn.FindStringSubmatch(line)
	if address == nil {
		return fmt.Errorf("no address in %q", line)
	}
	s.base = address[1]
	go io.Copy(io.Discard, lines) // its log
	return s.answers()
}

// answers waits until the server has taken up its snapshot, where it has one.
func (s *server) answers() error {
	for range 2400 {
		response, err := s.client.Get(s.base + "/readyz")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == 200 || s.empty && response.StatusCode == 503 {
				return nil
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("it does not get ready")
}

// where are the flags that name the data and the state of a server.
func (s *server) where() []string {
	flags := []string{"--data", s.data}
	if s.state != "" {
		flags = append(flags, "--state", s.state)
	}
	return flags
}

// partnerName is our partner. Events of the feed name it too.
const partnerName = "Conformance & Co"

// newKey makes a key on an own server with the program.
func (s *server) newKey(flags ...string) (string, error) {
	return s.own.labour(append(append([]string{"key", "create", "--partner", partnerName}, s.where()...), flags...)...)
}

// keyWith returns a new key made with these flags of `labour key create`. A server of
// another cannot be asked for one.
func (s *server) keyWith(t *testing.T, flags ...string) string {
	t.Helper()
	if s.own == nil {
		t.Skip("it needs a key that only the operator can make")
	}
	secret, err := s.newKey(flags...)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// allow sets an allowance of the key with this label.
func (s *server) allow(t *testing.T, label string, flags ...string) {
	t.Helper()
	listed, err := s.own.labour(append([]string{"key", "list", "--json"}, s.where()...)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range rowsOf(t, listed) {
		if k.text("label") == label {
			if _, err := s.own.labour(append(append([]string{"key", "allow", k.text("id")}, s.where()...),
				flags...)...); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("no key has the label %s", label)
}

// peopleSecret rounds the counts of people of every made world in the same way, so that a test that
// passes on a day passes again on that day.
var peopleSecret = "LABOUR_PEOPLE_SECRET=" + strings.Repeat("5a", 32)

// labour runs the program and returns what it prints.
func (o *ownSet) labour(arguments ...string) (string, error) {
	var out, said bytes.Buffer
	c := exec.Command(o.program, arguments...)
	c.Env = append(os.Environ(), peopleSecret)
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("labour %s: %w\n%s", strings.Join(arguments, " "), err, said.String())
	}
	return strings.TrimSpace(out.String()), nil
}

// stopOwn ends what was started and removes it.
func stopOwn() error {
	if started == nil {
		return nil
	}
	for _, c := range started.running {
		c.Process.Signal(os.Interrupt)
		c.Wait() // the status of an interrupted server says nothing
	}
	if started.postgres != nil {
		started.postgres.Stop()
	}
	return os.RemoveAll(started.dir)
}
