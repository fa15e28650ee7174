package snaptest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"testing"
	"text/template"
	"time"

	"labour/snapshots"
	"labour/snapshots/periods"
)

// defaultRows is a template for the JSON of a Content. It has the rows of DefaultContent for the
// tables that are not counted from adverts. Functions in the template insert dates.
//
//go:embed default.json
var defaultRows string

// DefaultContent returns realistic content for a snapshot with the given date (YYYY-MM-DD). It has
// boroughs, sectors, skills, adverts over 14 months, and counts of people. Every table has rows.
// Figures of all sorts occur, such as "<5" and null.
func DefaultContent(t testing.TB, asOf string) Content {
	t.Helper()
	date, err := snapshots.ParseDate(asOf)
	if err != nil {
		t.Fatal(err)
	}
	list := adverts(date.Time)
	c := Content{PlatformName: "London Works", PeopleAsOf: quarterEnd(date).String(), Adverts: countAdverts(list),
		AdvertsTotal: countTotals(list),
		People:       people(), Residents: residents(), Events: events(date.Time), Jobs: jobs(date.Time)}
	var text bytes.Buffer
	rows := template.New("").Funcs(template.FuncMap{
		"year": func(years int) int { return date.Year() + years },
		"on":   func(years, months, days int) string { return date.AddDate(years, months, days).Format(time.DateOnly) },
	})
	if err := errors.Join(template.Must(rows.Parse(defaultRows)).Execute(&text, nil),
		json.Unmarshal(text.Bytes(), &c)); err != nil {
		t.Fatal(err)
	}
	return c
}

// quarterEnd returns the last day of the last quarter that ended before the quarter of d.
func quarterEnd(d snapshots.Date) snapshots.Date {
	return snapshots.DateOf(periods.QuarterStart(d.Time).AddDate(0, 0, -1))
}
