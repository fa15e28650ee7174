// Package samples holds the sample programs of the documentation: how to make a call, and how to
// verify that a webhook is from this service. Tests run them.
package samples

import "embed"

// Files are the samples: verify.* verify webhooks, and call.* make a call.
//
//go:embed verify.go verify.py verify.js verify.php call.*
var Files embed.FS

// The addresses that the sample programs call.*, such as call.py, request.
const (
	// Host is the address of the service in the samples.
	Host = "https://labour.example"
	// Call is the path and query of a request for JSON.
	Call = "/v1/labour/skills-unmet?limit=5"
	// CallCSV is the path and query of a request for CSV.
	CallCSV = "/v1/labour/skills-unmet?format=csv&limit=5"
)
