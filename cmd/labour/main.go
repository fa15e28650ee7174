// Command labour publishes labour market data: a batch pipeline writes dated
// snapshots, a read-only server answers from the current one.
package main

import (
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], newApp(os.Stdout, os.Stderr)))
}
