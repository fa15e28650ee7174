package conformance

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func itoa(n int) string { return strconv.Itoa(n) }

// The document is valid OpenAPI 3.1.
func TestDocumentIsValid(t *testing.T) {
	first(t, func(t *testing.T, s *server) {
		validator := tool(t, "openapi-spec-validator", "pip install openapi-spec-validator")
		dir := t.TempDir()
		s.run(t, dir, validator, s.document(t, dir))
	})
}

// Spectral finds no error in the document.
func TestDocumentPassesTheLinter(t *testing.T) {
	first(t, func(t *testing.T, s *server) {
		linter := tool(t, "spectral", "npm install @stoplight/spectral-cli@6")
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ".spectral.yaml"), []byte("extends: [\"spectral:oas\"]\n"),
			0o600); err != nil {
			t.Fatal(err)
		}
		s.run(t, dir, linter, "lint", "--fail-severity", "error", "--ruleset", ".spectral.yaml", s.document(t, dir))
	})
}

// Schemathesis draws thousands of calls from the document, right and wrong ones, and
// every answer is as described: status, headers, content type and schema. The key has no
// small limit, which would only hide answers. One check is left out: that a call which
// the schemas allow is accepted, since no schema can list the places, skills and codes
// that exist. Of our own servers only the long form asks; TestDrawnCallsAreAnsweredAsDocumented
// of the server draws calls in the short one.
func TestSchemathesisFindsNoFault(t *testing.T) {
	if *base == "" && os.Getenv("LABOUR_LONG") == "" {
		t.Skip("draws for minutes; LABOUR_LONG=1 runs it")
	}
	first(t, func(t *testing.T, s *server) {
		program := tool(t, "schemathesis", "pip install schemathesis")
		if a := s.get(t, "/v1/labour/sources"); a.status != http.StatusOK {
			t.Fatal(a.status)
		}
		key := s.keyWith(t, "--plan", "partner", "--scope", "all", "--label", t.Name())
		s.allow(t, t.Name(), "--hourly", "10000000")
		dir := t.TempDir()
		s.run(t, dir, program, "run", s.document(t, dir), "--url", s.base, "--header", "Authorization: Bearer "+key,
			"--checks", "all", "--exclude-checks", "positive_data_acceptance", "--phases", "examples,coverage,fuzzing",
			"--max-examples", "60", "--seed", "20", "--request-timeout", "30", "--no-color")
	})
}
