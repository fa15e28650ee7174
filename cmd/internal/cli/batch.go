package cli

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"

	"labour/pipeline/config"
	"labour/sources/sandbox"
)

// ServeSimulatedPublishers starts the simulated publishers of a made-up world on a free local port.
// It also writes the configuration file dir/name, which lists their addresses, and returns the
// configuration. The function stop stops the publishers. feed is the path of the platform's feed,
// and corrections that of the corrections file; both are written into the configuration.
func ServeSimulatedPublishers(world *sandbox.World, dir, name, feed,
	corrections string) (c *config.Config, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("simulated publishers: %w", err)
	}
	server := &http.Server{Handler: world.PublishersHandler()}
	go func() { _ = server.Serve(listener) }() // ends at Close
	file := filepath.Join(dir, name)
	err = os.WriteFile(file, world.ConfigFile(feed, "http://"+listener.Addr().String(), corrections), 0o644)
	if err == nil {
		c, err = config.Load(file)
	}
	if err != nil {
		return nil, nil, errors.Join(err, server.Close())
	}
	return c, func() { _ = server.Close() }, nil
}

// SetBatchGC tunes the garbage collector for a batch job. The job then uses less CPU time and more
// memory, up to a soft limit of 2 GB. getenv looks up environment variables. GOGC and GOMEMLIMIT
// take precedence if they are set.
func SetBatchGC(getenv func(string) (string, bool)) {
	if _, set := getenv("GOGC"); !set {
		debug.SetGCPercent(200)
	}
	if _, set := getenv("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(2 << 30)
	}
}
