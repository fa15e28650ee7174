// Package samples holds the program text that the documentation shows: how to
// check that a webhook comes from this service, in four languages. The tests run
// them, so that what is shown works.
package samples

import "embed"

// Files are the samples: verify.go, verify.py, verify.js and verify.php.
//
//go:embed verify.go verify.py verify.js verify.php
var Files embed.FS
