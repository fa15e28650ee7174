package statetest

import (
	"strings"
	"testing"
)

// CheckErrorsBeginWith tests that each function in calls returns an error. The error message must
// begin with the key of the function in the map.
func CheckErrorsBeginWith(t testing.TB, calls map[string]func() error) {
	t.Helper()
	for want, call := range calls {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the error is %q, which does not begin with %q", err, want)
		}
	}
}
