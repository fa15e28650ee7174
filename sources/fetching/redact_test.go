package fetching

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRedactedAddress(t *testing.T) {
	var r redactor
	r.add("s3cret", "ab")
	for in, want := range map[string]string{
		"https://x.example/jobs?page=2&q=ab":  "https://x.example/jobs?page=2&q=ab",
		"https://x.example/?API_KEY=1&page=2": "https://x.example/?API_KEY=REDACTED&page=2",
		"https://x.example/?sig=1&X-Amz-Signature=2&token": "https://x.example/" +
			"?sig=REDACTED&X-Amz-Signature=REDACTED&token=REDACTED",
		"https://jo:pw@x.example/":   "https://REDACTED@x.example/",
		"https://x.example/s3cret/a": "https://x.example/REDACTED/a",
		"https://%zz":                "REDACTED",
		"/feed/adverts.ndjson":       "/feed/adverts.ndjson",
	} {
		if got := r.url(in); got != want {
			t.Errorf("url(%q) = %q, want %q", in, got, want)
		}
	}
}

// The secrets of an address are found in any text, a short password with its user.
func TestSecretsOfAnAddress(t *testing.T) {
	var r redactor
	r.addFromURL("https://jo:pw@x.example/?page=2&api_key=abcd&token=efgh")
	r.addFromURL("https://jim:long-word@x.example/")
	r.addFromURL("https://%zz")
	got := r.text("list https://jo:pw@x.example/?page=2 failed; long-word, abcd and efgh were sent")
	if want := "list https://REDACTED@x.example/?page=2 failed; REDACTED, REDACTED and REDACTED were sent"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// However a secret gets into an address or a text, it does not get out.
func TestNoSecretGetsThrough(t *testing.T) {
	secrets := rapid.StringMatching(`[A-Za-z0-9/+=&? %-]{4,20}`)
	rapid.Check(t, func(rt *rapid.T) {
		secret, other := secrets.Draw(rt, "secret"), secrets.Draw(rt, "other")
		if strings.Contains(redacted, secret) {
			rt.Skip("part of the word that stands in its place")
		}
		var r redactor
		r.add(other, secret)
		for _, text := range []string{
			r.text("a " + secret + " b " + url.QueryEscape(secret) + " " + url.PathEscape(secret)),
			r.url("https://x.example/" + url.PathEscape(secret) + "?q=" + url.QueryEscape(secret)),
		} {
			for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
				if strings.Contains(strings.ReplaceAll(text, redacted, "\x00"), form) {
					rt.Fatalf("%q shows in %q", form, text)
				}
			}
		}
	})
}
