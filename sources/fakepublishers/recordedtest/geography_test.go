package recordedtest

import (
	"strings"
	"testing"
)

func TestReadCSVTable(t *testing.T) {
	rows, err := ReadCSVTable(strings.NewReader("\ufeffa,b\n1,\"x, y\"\n"))
	if err != nil || len(rows) != 1 || rows[0]["a"] != "1" || rows[0]["b"] != "x, y" {
		t.Errorf("%v, %v", rows, err)
	}
	for _, bad := range []string{"", "a,b\n1\n"} {
		if _, err := ReadCSVTable(strings.NewReader(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
