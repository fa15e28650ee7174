package main

import (
	"strings"
	"testing"
)

// Another version of the program may make other bytes. With the same version, only the
// configuration is left as a cause.
func TestWhyRebuiltTablesDiffer(t *testing.T) {
	for _, c := range []struct{ sealedBy, want string }{
		{"v2", "the configuration is probably not the one"},
		{"v1", "built by version v1 of the program, and this is v2"},
	} {
		if got := likelyCause(c.sealedBy, "v2"); !strings.Contains(got, c.want) {
			t.Errorf("sealed by %s: %q, want %q", c.sealedBy, got, c.want)
		}
	}
}
