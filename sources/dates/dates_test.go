package dates

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDay(t *testing.T) {
	for in, want := range map[string]string{
		"2026-11-10":                            "2026-11-10",
		"2026-11-09 08:30:00":                   "2026-11-09",
		"2026-08-01T00:30:00+01:00":             "2026-08-01",
		"2026-07-31T23:30:00Z":                  "2026-07-31",
		"2026-07-14T22:45:50.123-04:00":         "2026-07-14",
		"2026-07-14T22:45:50-0400":              "2026-07-14",
		"2026-08-05 09:41:37 UTC":               "2026-08-05",
		"2026-08-05T09:41":                      "2026-08-05",
		"2026/8/5":                              "2026-08-05",
		"20260805T094100Z":                      "2026-08-05",
		"Sun, 15 Nov 2026 12:15:00 GMT":         "2026-11-15",
		"Sat, 14 Nov 2026 12:15 PM":             "2026-11-14",
		"Thu, 12 Nov 2026 20:0:0 Z":             "2026-11-12",
		"Sat, 01 Aug 2026 00:30:00 BST":         "2026-08-01",
		"Sat, 01 Aug 2026 00:30:00 +0100":       "2026-08-01",
		"Sat, 01 Aug 2026 00:30:00 +0100 (BST)": "2026-08-01",
		"Wed, 4th Nov 2026 09:00:00 GMT":        "2026-11-04",
		"4 November 2026":                       "2026-11-04",
		"1st of Sept 2026":                      "2026-09-01",
		"04-Nov-26 09:00:00 UTC":                "2026-11-04",
		"Tuesday, November 3, 2026 9:00 a.m.":   "2026-11-03",
		"Nov 3, 2026 at 9:00 AM":                "2026-11-03",
		"Tue Nov 03 09:00:00 GMT 2026":          "2026-11-03",
		"29 Feb 2024":                           "2024-02-29",

		"":                              "",
		"soon":                          "",
		"2026-13-01":                    "",
		"2026-00-01":                    "",
		"2026-01-00":                    "",
		"2026-01-32":                    "",
		"2026-01-99":                    "",
		"2025-02-29":                    "",
		"2026-02-30":                    "",
		"29 Feb 2026":                   "",
		"20266-01-01":                   "",
		"2026-11-10 tomorrow":           "",
		"2026-11-10T25:00:00Z":          "",
		"Sat, 32 Aug 2026 00:30:00 BST": "",
		"Sat, 01 Foo 2026 00:30:00 BST": "",
		"08/11/2026":                    "",
		"1793982000000":                 "",
	} {
		if d, ok := ParseDay(in); d.String() != want || ok != (want != "") {
			t.Errorf("Day(%q) = %s, %v; want %q", in, d, ok, want)
		}
	}
	for in, want := range map[string]string{"08/11/2026 09:00": "2026-11-08", "8.11.2026": "2026-11-08",
		"Sun 08/11/2026": "2026-11-08",
		"11/13/2026":     "", "2026-11-10": "2026-11-10", "08/11/26": ""} {
		if d, ok := ParseDayFirst(in); d.String() != want || ok != (want != "") {
			t.Errorf("ParseDayFirst(%q) = %s, %v; want %q", in, d, ok, want)
		}
	}
}

// Whatever the zone, the day is the one that is printed.
func TestDayIsThePrintedOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := time.FixedZone("", rapid.IntRange(-14*4, 14*4).Draw(t, "quarters of an hour")*900)
		at := time.Unix(rapid.Int64Range(820454400, 3155587200).Draw(t, "unix"), 0).In(zone)
		want := at.Format(time.DateOnly)
		for _, layout := range []string{time.RFC3339, time.RFC1123Z, time.RFC822Z, "Mon, 2 January 2006 3:04 PM -07:00",
			"2006-01-02 15:04:05Z0700"} {
			if d, ok := ParseDay(at.Format(layout)); !ok || d.String() != want {
				t.Fatalf("Day(%q) = %s, %v; want %s", at.Format(layout), d, ok, want)
			}
		}
	})
}

func ExampleParseDay() {
	d, _ := ParseDay("Sat, 01 Aug 2026 00:30:00 BST")
	fmt.Println(d)
	// Output: 2026-08-01
}
