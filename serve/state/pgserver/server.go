// Package pgserver starts a temporary PostgreSQL server for tests and measurements. PostgreSQL must
// be installed on the machine.
package pgserver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// ErrNotInstalled means that Start cannot find PostgreSQL on this machine.
var ErrNotInstalled = errors.New("initdb and postgres are neither in PATH nor where packages put them; " +
	"on Debian `apt-get install postgresql-15` brings them")

// places lists the directories in which packages install PostgreSQL. These directories are often
// not in PATH.
var places = []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin",
	"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin"}

// Server is a running PostgreSQL server for tests. It is reachable only through a Unix socket in a
// temporary directory.
type Server struct {
	dir     string
	command *exec.Cmd
	input   io.Closer // standard input of the server's script; closing it stops the server
}

// watch is a shell script that runs the PostgreSQL server. It stops the server and removes the
// server's directory when the standard input of the script is closed. This happens even if the test
// process is killed. If the server's user may only remove the files in the directory, Stop removes
// the directory itself. The exit status of the script is that of the server.
const watch = `dir=$1; shift; "$@" >"$dir/log" 2>&1 & server=$!; cat >/dev/null; kill -INT $server; wait $server; ` +
	`status=$?; rm -rf "$dir" 2>/dev/null; exit $status`

// settings are options for the PostgreSQL server. They make it faster, but it can lose data in a
// power cut.
var settings = []string{"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "listen_addresses=", "-c",
	"max_connections=200"}

// Start starts a new PostgreSQL server without data. The server runs until Stop is called or the
// process ends. The error wraps ErrNotInstalled if PostgreSQL is not installed.
func Start(ctx context.Context) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	// A short path, since the path of a socket has at most 107 bytes.
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	if err := s.launch(ctx, bin); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log")) // it is missing if initdb failed
		return nil, errors.Join(fmt.Errorf("%w\n%s", err, log), s.Stop())
	}
	return s, nil
}

func programs() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	for _, place := range places {
		if found, _ := filepath.Glob(filepath.Join(place, "initdb")); len(found) > 0 { // the pattern is valid
			return filepath.Dir(slices.Max(found)), nil
		}
	}
	return "", ErrNotInstalled
}

func (s *Server) launch(ctx context.Context, bin string) error {
	as, err := unprivilegedProcess(s.dir)
	if err != nil {
		return err
	}
	data := filepath.Join(s.dir, "data")
	initdb := exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "-D", data, "-U", "labour", "-A", "trust", "-E",
		"UTF8", "--locale=C", "--no-sync")
	initdb.Dir, initdb.SysProcAttr = s.dir, as
	if output, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, output)
	}
	run := []string{"-c", watch, "sh", s.dir, filepath.Join(bin, "postgres"), "-D", data, "-k", s.dir}
	command := exec.Command("/bin/sh", append(run, settings...)...)
	command.Dir, command.SysProcAttr = s.dir, as
	if s.input, err = command.StdinPipe(); err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	s.command = command
	return s.ready(ctx)
}

func (s *Server) ready(ctx context.Context) error {
	db, err := sql.Open("pgx", s.Address("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	for tries := 0; ; tries++ {
		err := db.PingContext(ctx)
		if err == nil || tries == 300 || ctx.Err() != nil {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Address returns the URL for connecting to the database with the given name. It begins with
// postgres://.
func (s *Server) Address(name string) string {
	return "postgres://labour@/" + name + "?" + url.Values{"host": {s.dir}}.Encode()
}

// Stop stops the PostgreSQL server and removes its data.
func (s *Server) Stop() error {
	if s.command == nil {
		return os.RemoveAll(s.dir)
	}
	return errors.Join(s.input.Close(), s.command.Wait(), os.RemoveAll(s.dir))
}

// unprivilegedProcess returns attributes with which PostgreSQL runs as a user other than root,
// because it refuses to run as root. It makes that user the owner of dir. It returns nil if this
// process does not run as root.
func unprivilegedProcess(dir string) (*syscall.SysProcAttr, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		who, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, fmt.Errorf("find a user that is not root: %w", err)
	}
	as := &syscall.Credential{}
	if _, err := fmt.Sscan(who.Uid+" "+who.Gid, &as.Uid, &as.Gid); err != nil {
		return nil, fmt.Errorf("user %s: %w", who.Username, err)
	}
	return &syscall.SysProcAttr{Credential: as}, os.Chown(dir, int(as.Uid), int(as.Gid))
}
