package dates

import "testing"

// TestYearsOfTwoDigits: below 70 of this century, from 70 on of the last, as RFC 822 has them.
func TestYearsOfTwoDigits(t *testing.T) {
	for in, want := range map[string]string{"04-Nov-00": "2000-11-04", "04-Nov-69": "2069-11-04",
		"04-Nov-70": "1970-11-04",
		"04-Nov-99": "1999-11-04", "04-Nov-0026": "0026-11-04"} {
		if d, ok := ParseDay(in); !ok || d.String() != want {
			t.Errorf("Day(%q) = %s, %t; want %s", in, d, ok, want)
		}
	}
}

// TestMonthsByTheirNames, whole or cut to three letters, in any case; September has a third form.
func TestMonthsByTheirNames(t *testing.T) {
	for name, want := range map[string]string{"January": "1", "jan": "1", "MAY": "5", "June": "6", "Sept": "9",
		"sep":       "9",
		"September": "9", "Dec": "12", "December": "12", "Octo": "", "Janu": "", "Monday": ""} {
		if got := monthOf(name); got != want {
			t.Errorf("the month %s is %q, want %q", name, got, want)
		}
	}
	for in, want := range map[string]string{"2026-00-10": "", "2026-01-00": "", "2026-12-31": "2026-12-31",
		"2026-04-31": ""} {
		if d, ok := ParseDay(in); d.String() != want || ok != (want != "") {
			t.Errorf("Day(%q) = %s, %t; want %q", in, d, ok, want)
		}
	}
}
