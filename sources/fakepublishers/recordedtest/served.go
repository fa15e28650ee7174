package recordedtest

import (
	"net/http/httptest"
	"testing"
)

// Served opens the recorded answers and serves them on loopback until the test ends;
// it gives the base address too. A machine without them skips the test, saying why.
func Served(t testing.TB) (*World, string) {
	t.Helper()
	dir, err := Dir()
	if err != nil {
		t.Skip(err)
	}
	world, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(world)
	t.Cleanup(server.Close)
	return world, server.URL
}
