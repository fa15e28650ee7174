package sources_test

import (
	"errors"
	"fmt"
	"testing"

	"labour/sources"
)

func TestAccept(t *testing.T) {
	const page = "\n<!DOCTYPE html><html><body>Down</body></html>"
	for _, c := range []struct {
		name, contentType, head string
		json, xml, data         bool
	}{
		{"object", "application/json", ` {"jobs":[]}`, true, false, true},
		{"list after a byte order mark", "", "\ufeff[1]", true, false, true},
		{"feed", "text/xml", `<?xml version="1.0"?><workzag-jobs>`, false, true, true},
		{"page", "text/html", page, false, false, false},
		{"page that claims to be JSON", "application/json", page, false, false, false},
		{"page with a prologue", "", `<?xml version="1.0"?><!-- x --><HTML xmlns="x">`, false, false, false},
		{"data sent as a page", "text/html; charset=utf-8", "a,b\n1,2", false, false, false},
		{"table", "text/csv", "a,b\n1,2", false, false, true},
		{"gzip", "application/gzip", "\x1f\x8b\x08", false, false, true},
		{"empty", "application/json", "", false, false, false},
		{"white space", "text/csv", " \n", false, false, false},
		{"a word", "", "null", false, false, true},
	} {
		for what, got := range map[string]struct {
			err  error
			want bool
		}{
			"JSON": {sources.AcceptJSON(c.contentType, []byte(c.head)), c.json},
			"XML":  {sources.AcceptXML(c.contentType, []byte(c.head)), c.xml},
			"data": {sources.AcceptNotHTML(c.contentType, []byte(c.head)), c.data},
		} {
			if (got.err == nil) != got.want || got.err != nil && sources.FaultCodeOf(got.err) != sources.FaultWrongFormat {
				t.Errorf("%s as %s: %v", c.name, what, got.err)
			}
		}
	}
}

func TestFaultCodeOf(t *testing.T) {
	empty := sources.WithFaultCode(sources.FaultSuddenlyEmpty, errors.New("no jobs"))
	for _, c := range []struct {
		err  error
		want sources.FaultCode
	}{
		{nil, ""}, {errors.New("x"), sources.FaultUnavailable}, {empty, sources.FaultSuddenlyEmpty},
		{fmt.Errorf("board: %w", empty), sources.FaultSuddenlyEmpty}, {fmt.Errorf("read: %w", sources.ErrDamaged),
			sources.FaultDamaged},
		{sources.ErrNotFound, sources.FaultDamaged}, {sources.WithFaultCode(sources.FaultNotJSON, sources.ErrDamaged),
			sources.FaultNotJSON},
	} {
		if got := sources.FaultCodeOf(c.err); got != c.want {
			t.Errorf("FaultCodeOf(%v) = %q, want %q", c.err, got, c.want)
		}
	}
}
