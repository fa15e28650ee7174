// Command labour publishes labour market data: a batch pipeline writes dated
// snapshots, a read-only server answers from the current one.
//
// A command is a file. What they share of the outside world is in app.go, of calling
// and ending in cmd/internal/cli. The tests run the
// whole program: scripts (testdata/script), an oracle that counts by itself what is
// published (oracle), attackers who ask everything (attacked), and kills, full disks,
// swaps and fleets of servers.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], newApp(os.Stdout, os.Stderr)))
}
