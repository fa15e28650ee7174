package sources_test

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/sources"
)

// TestPlainAddressIsWhatParseGives draws addresses: what is taken for plain is taken
// apart as url.Parse does, and the usual form is taken for plain.
func TestPlainAddressIsWhatParseGives(t *testing.T) {
	parts := []string{"https://", "http://", "HTTPS://", "www.", "jobs.example.org", "EXAMPLE.org", "/", "/a", "/A-b_c.9", "/d~e", "%2f", "é", "//",
		"?", "a=5", "&", "#", "+", ":443", "user@", " ", "[::1]", "..", "-", "*", "\x00", "\x7f"}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]string{"", "https://", "https://jobs.example.org"}).Draw(t, "begin") +
			strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 5).Draw(t, "parts"), "")
		host, path, ok := sources.PlainAddress(s)
		if !ok {
			return
		}
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "https" || u.Host != host || u.EscapedPath() != path || u.Path != path || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			t.Fatalf("PlainAddress(%q) = %q, %q; url.Parse gives %+v, %v", s, host, path, u, err)
		}
		if decoded, err := url.QueryUnescape(s); err != nil || decoded != s || strings.ContainsAny(s, "@([") {
			t.Fatalf("PlainAddress(%q) takes what stands for something else", s)
		}
	})
	if host, path, ok := sources.PlainAddress("https://jobs.example.org/some-firm/812_A.html"); !ok || host != "jobs.example.org" || path != "/some-firm/812_A.html" {
		t.Errorf("an address of the usual form is %q, %q, %v", host, path, ok)
	}
}
