package statetest

import (
	"strings"
	"testing"
)

// CheckErrorPrefixes tests that each function in callsByPrefix returns an error. The error message
// must begin with the key of the function in the map.
func CheckErrorPrefixes(t testing.TB, callsByPrefix map[string]func() error) {
	t.Helper()
	for want, call := range callsByPrefix {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the error is %q, which does not begin with %q", err, want)
		}
	}
}
