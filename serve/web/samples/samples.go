// Package samples holds the sample programs of the documentation: how to make a call, and how to
// verify that a webhook comes from this service. The tests run them.
package samples

import "embed"

// Files are the samples: verify.* check webhooks and call.* make a call.
//
//go:embed verify.go verify.py verify.js verify.php call.*
var Files embed.FS

// The addresses that call.* request.
const (
	Host    = "https://labour.example"
	Call    = "/v1/labour/skills-unmet?limit=5"
	CallCSV = "/v1/labour/skills-unmet?format=csv&limit=5"
)
