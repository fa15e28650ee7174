// Package samples holds sample programs for the documentation. They request data from the API, or
// verify that a webhook message was sent by this service. Tests run them.
package samples

import "embed"

// Files holds sample programs in several languages. The files verify.* verify webhook messages, and
// the files call.* request data from the API.
//
//go:embed verify.go verify.py verify.js verify.php call.*
var Files embed.FS

const (
	// BaseURL is the address of the service in the sample programs. The documentation replaces it
	// by the real address.
	BaseURL = "https://labour.example"
	// JSONRequestPath is the path and query of the sample programs' request for JSON.
	JSONRequestPath = "/v1/labour/skills-unmet?limit=5"
	// CSVRequestPath is the path and query of the sample programs' request for CSV.
	CSVRequestPath = "/v1/labour/skills-unmet?format=csv&limit=5"
)
