// Package samples holds the sample programs that the documentation shows. They make an API call, or
// verify that a webhook was sent by this service. Tests run them.
package samples

import "embed"

// Files holds the sample programs: verify.* verify webhooks, and call.* make an API call.
//
//go:embed verify.go verify.py verify.js verify.php call.*
var Files embed.FS

const (
	// BaseURL is the address of the service in the sample programs. The documentation replaces it
	// by the real address.
	BaseURL = "https://labour.example"
	// CallPath is the path and query that the sample programs request for JSON.
	CallPath = "/v1/labour/skills-unmet?limit=5"
	// CallPathCSV is the path and query that the sample programs request for CSV.
	CallPathCSV = "/v1/labour/skills-unmet?format=csv&limit=5"
)
