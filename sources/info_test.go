package sources_test

import (
	"strings"
	"testing"

	"labour/sources"
)

// TestStatements: word for word, with the placeholders filled in.
func TestStatements(t *testing.T) {
	asOf := sources.Date{Year: 2026, Month: 11, Day: 20}
	for statement, want := range map[sources.AttributionStatement]string{
		sources.StatementOGL: "Contains public sector information licensed under the Open Government Licence v3.0.",
		sources.StatementBLS: "Source: U.S. Bureau of Labor Statistics.",
		sources.StatementONS: "Source: Office for National Statistics licensed under the Open Government Licence v3.0. " +
			"Contains OS data © Crown copyright and database right 2026.",
		sources.StatementOwnFigures: "Source: London Works.",
	} {
		if got := statement.FillPlaceholders("London Works", asOf); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestIncompleteSourceIsRefused: "A source with an unknown licence is not published";
// one without a licence, statement or link cannot be configured at all.
func TestIncompleteSourceIsRefused(t *testing.T) {
	whole := sources.Info{Key: "office", Publisher: "An office", Title: "Counts", Kind: sources.KindStatistics,
		Licence: "Open Government Licence v3.0",
		Link:    "https://office.example", Statement: sources.StatementOGL, Cadence: sources.Annual}
	if err := whole.Validate(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(i *sources.Info){
		"licence is missing":               func(i *sources.Info) { i.Licence = " " },
		"attribution statement is missing": func(i *sources.Info) { i.Statement = "\t" },
		"must not contain <":               func(i *sources.Info) { i.Statement = "The <b>Chamber</b>, <year of as_of>" },
		"link must be an http(s) address":  func(i *sources.Info) { i.Link = "" },
		"publisher is missing":             func(i *sources.Info) { i.Publisher = "" },
		"title is missing":                 func(i *sources.Info) { i.Title = "" },
		"kind is missing":                  func(i *sources.Info) { i.Kind = "" },
		"cadence must be one of":           func(i *sources.Info) { i.Cadence = "hourly" },
		"key must be snake_case":           func(i *sources.Info) { i.Key = "An Office" },
	} {
		i := whole
		spoil(&i)
		if err := i.Validate(); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want only %q", err, want)
		}
	}
}

// TestAddresses: the web is http and https with a host; an operator's file is an address too.
func TestAddresses(t *testing.T) {
	for address, want := range map[string]struct{ web, address bool }{
		"https://a.example/x": {true, true}, "http://a.example": {true, true}, "HTTP://a.example": {true, true},
		"file:///srv/feed": {false, true}, "ftp://a.example": {false, false}, "https://": {false, false},
		"http:a.example": {false, false}, "/srv/feed": {false, false}, "a.example": {false, false}, "": {false, false},
		"https://[::1": {false, false}, "file://[::1": {false, false},
	} {
		if web, is := sources.IsWebAddress(address), sources.IsWebOrFileAddress(address); web != want.web ||
			is != want.address {
			t.Errorf("%q: on the web %t, an address %t", address, web, is)
		}
	}
}

// TestBaseURL: the usual address if none is configured, never a slash at the end, and an error for what is no
// web address.
func TestBaseURL(t *testing.T) {
	const usual = "https://usual.example/v1"
	for configured, want := range map[string]string{"": usual, "https://x.example/": "https://x.example",
		"http://127.0.0.1:8080/a//": "http://127.0.0.1:8080/a", "/": "", "x.example": "", "ftp://x.example": "",
		"https://": ""} {
		got, err := sources.BaseURL(configured, usual)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q gives %q, %v, want %q", configured, got, err, want)
		}
	}
}
