package newsfeeds

import (
	"context"
	"fmt"
	"testing"

	"github.com/mmcdole/gofeed"
	"golang.org/x/text/encoding/unicode"

	"labour/sources"
)

// item is a feed of one item that is about a topic.
func item(date, rest string) string {
	return fmt.Sprintf(
		`<?xml version="1.0" encoding="utf-8"?><rss `+
			`version="2.0"><channel><title>T</title><item><title>Apprenticeships%s</title>`+
			`<link>https://office.example/1</link><guid>1</guid><pubDate>%s</pubDate></item></channel></rss>`, rest,
		date)
}

// The day of a headline is the one that the publisher prints, in each form in which dates are
// written; a date that cannot be read costs its item, with a fault.
func TestDays(t *testing.T) {
	for date, want := range map[string]string{
		"Sun, 15 Nov 2026 12:15:00 GMT":   "2026-11-15",
		"Sat, 14 Nov 2026 12:15 PM":       "2026-11-14",
		"Thu, 12 Nov 2026 20:0:0 Z":       "2026-11-12",
		"2026-11-10":                      "2026-11-10",
		"2026-11-09 08:30:00":             "2026-11-09",
		"Sat, 01 Aug 2026 00:30:00 BST":   "2026-08-01",
		"Sat, 01 Aug 2026 00:30:00 +0100": "2026-08-01",
		"08/11/2026 09:00":                "2026-11-08",
		"Wed, 4th Nov 2026 09:00:00 GMT":  "2026-11-04",
		"last week":                       "",
		"31 Nov 2026":                     "",
	} {
		parsed, err := parse(context.Background(), []byte(item(date, "")), Feed{ID: "office"})
		switch {
		case err != nil || len(parsed.Records)+len(parsed.Faults) != 1:
			t.Errorf("%q: %+v, %v", date, parsed, err)
		case want == "" && len(parsed.Faults) != 1:
			t.Errorf("%q is %+v", date, parsed.Records)
		case want != "" &&
			(len(parsed.Records) != 1 || parsed.Records[0].(sources.Headline).Published.String() != want):
			t.Errorf("%q: %+v, want %s", date, parsed, want)
		}
	}
}

// A character that XML may not hold, and an encoding of its own, lose no feed.
func TestCharacters(t *testing.T) {
	wide, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(item("2026-11-10", " café"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"form feed": item("2026-11-10", "\x0c"),
		"NUL": item("2026-11-10", "\x00"), "reference": item("2026-11-10", "&#0;"),
		"Windows-1252": item("2026-11-10", "\x96"), "UTF-16": wide, "cut": item("2026-11-10", "\xf0\x9f\x98")} {
		if parsed, err := parse(context.Background(), []byte(text), Feed{ID: "office"}); err != nil ||
			len(parsed.Records) != 1 {
			t.Errorf("%s: %+v, %v", name, parsed, err)
		}
	}
}

// TestLinksToCite holds which addresses may stand behind a headline: of the web, with a host, and with
// nobody's name in them.
func TestLinksToCite(t *testing.T) {
	for link, want := range map[string]bool{
		"https://office.example/1": true, "http://office.example/1": true, "ftp://office.example/1": false,
		"https:///1": false, "/1": false, "": false, "https://user@office.example/1": false, "javascript:1": false,
		"https://office.example/%zz": false, "//office.example/1": false,
	} {
		_, err := headlineOf(&gofeed.Item{Published: "2026-11-10", GUID: "1", Link: link})
		if (err == nil) != want {
			t.Errorf("%q: %v", link, err)
		}
	}
}
