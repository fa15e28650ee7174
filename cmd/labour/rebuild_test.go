package main

import (
	"strings"
	"testing"
)

// Another version of the program may make other bytes. With the same version, only the
// configuration is left as a cause, unless the version is one that several programs may have.
func TestWhyRebuiltTablesDiffer(t *testing.T) {
	for _, c := range []struct{ sealedBy, running, want string }{
		{"v2", "v2", "the configuration is probably not the one"},
		{"dev", "dev", "either the program or the configuration"},
		{"c1d312aa-dirty", "c1d312aa-dirty", "either the program or the configuration"},
		{"v1", "v2", "built by version v1 of the program, and this is v2"},
	} {
		if got := likelyCause(c.sealedBy, c.running); !strings.Contains(got, c.want) {
			t.Errorf("sealed by %s: %q, want %q", c.sealedBy, got, c.want)
		}
	}
}
