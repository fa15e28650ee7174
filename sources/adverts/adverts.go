// Package adverts cleans the fields of job adverts for the packages that read them from publishers.
// It parses dates, removes superfluous white space from texts, and masks email addresses and
// telephone numbers.
package adverts

import (
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"labour/sources"
	"labour/sources/dates"
	"labour/sources/plaintext"
)

const (
	// maxText is the size limit of an advert's text, in bytes. The longest known text has 60 KB.
	maxText = 1 << 20
	// maxLine is the size limit of every field of an advert except its text, in bytes.
	maxLine = 2000
	// maxPlaces is the maximum number of locations of an advert.
	maxPlaces = 500
)

// checkSizes returns a sources.FaultBadValue error if a field of the advert is too long or if it
// has too many locations.
func checkSizes(a *sources.Advert) error {
	longest := max(len(a.Title), len(a.Employer), len(a.Requisition), len(a.Department), len(a.Route),
		len(a.SalaryText), len(a.ID))
	for _, l := range a.Locations {
		longest = max(longest, len(l.Text), len(l.Country), len(l.Postcode), len(l.Slug))
	}
	for _, w := range a.Wanted {
		longest = max(longest, len(w.Skill))
	}
	if longest > maxLine || len(a.Text) > maxText || len(a.Locations) > maxPlaces {
		return sources.CodedErrorf(sources.FaultBadValue,
			"a field of the advert is longer than %d bytes, its text than %d, or it has more than %d places",
			maxLine, maxText, maxPlaces)
	}
	return nil
}

// CleanAdvert tidies an advert and masks email addresses and telephone numbers in its texts. It
// removes invalid links, and empty and repeated locations. It returns an error if the ID or title
// is missing, if a field is too long or if there are too many locations.
func CleanAdvert(a *sources.Advert) error {
	if err := checkSizes(a); err != nil {
		return err
	}
	a.Title, a.Employer = line(a.Title), line(a.Employer)
	a.Requisition, a.Department = line(a.Requisition), line(a.Department)
	a.Route, a.SalaryText = line(a.Route), line(a.SalaryText)
	a.Text = plaintext.MaskContacts(plaintext.CollapseSpace(plaintext.DecodeEntities(a.Text)))
	a.ApplyURL, a.Link = webPage(a.ApplyURL), webPage(a.Link)
	for i := range a.Wanted {
		a.Wanted[i].Skill = line(a.Wanted[i].Skill)
	}
	a.Locations = CleanLocations(a.Locations)
	switch {
	case strings.TrimSpace(a.ID) == "":
		return sources.CodedErrorf(sources.FaultSchema, "the advert has no id")
	case a.Title == "":
		return sources.CodedErrorf(sources.FaultSchema, "the advert has no title")
	}
	return nil
}

// line returns s as clean text on one line. It decodes HTML entities, and masks email addresses and
// telephone numbers.
func line(s string) string { return plaintext.MaskContacts(plaintext.CleanLine(s)) }

// webPage returns s if it is an http:// or https:// URL, and "" otherwise. It also returns "" if
// the URL contains contact details.
func webPage(s string) string {
	s = strings.TrimSpace(s)
	u, err := url.Parse(s)
	if err != nil || u.User != nil || !sources.IsWebAddress(s) {
		return ""
	}
	if plaintext.URLHasContacts(s) {
		return ""
	}
	return s
}

// CleanLocations tidies the texts of locations and removes empty and repeated ones. It keeps the
// order.
func CleanLocations(in []sources.Location) []sources.Location {
	var out []sources.Location
	seen := make(map[sources.Location]bool, len(in))
	for _, l := range in {
		l.Text, l.Country = line(l.Text), plaintext.CleanLine(l.Country)
		l.Postcode, l.Slug = plaintext.CleanLine(l.Postcode), plaintext.CleanLine(l.Slug)
		if l == (sources.Location{}) || seen[l] {
			continue
		}
		seen[l] = true
		out = append(out, l)
	}
	return out
}

// JoinPlaceNames joins place names with commas, for example "Leeds, England". It leaves out names
// that are empty or already in the result. Pass the smallest area first.
func JoinPlaceNames(parts ...string) string {
	text := ""
	for _, p := range parts {
		p = plaintext.CleanLine(p)
		if p == "" || strings.Contains(strings.ToLower(text), strings.ToLower(p)) {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += p
	}
	return text
}

// The first and last year that a date in an advert may have. Any other year is a publisher's
// mistake.
const firstYear, lastYear = 1995, 2100

// ParsePublishersDay parses a publisher's date: a text that dates.ParseDay reads, or milliseconds
// since 1970.
//
// If the date has a time zone, the result is the day in that zone. An empty text, "0" and
// 0001-01-01 give the zero Date, which means "not stated". For any other text, or a year outside
// 1995 to 2100, the error has sources.FaultBadValue. It names the field but does not quote the
// value.
func ParsePublishersDay(field, s string) (sources.Date, error) {
	s = strings.TrimSpace(s)
	if s == "" || s == "0" || strings.HasPrefix(s, "0001-01-01") {
		return sources.Date{}, nil
	}
	d, ok := dates.ParseDay(s)
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil && !ok {
		d, ok = sources.DateOf(time.UnixMilli(ms)), true
	}
	switch {
	case !ok:
		return sources.Date{}, sources.CodedErrorf(sources.FaultBadValue, "%s is not a date", field)
	case d.Year < firstYear || d.Year > lastYear:
		return sources.Date{}, sources.CodedErrorf(sources.FaultBadValue, "%s is in the year %d, outside %d to %d", field,
			d.Year, firstYear, lastYear)
	}
	return d, nil
}

// ParseCoordinates parses the latitude north and the longitude east, both in degrees. It returns 0, 0
// if either is invalid.
func ParseCoordinates(north, east string) (lat, lon float64) {
	lat, errLat := strconv.ParseFloat(north, 64)
	lon, errLon := strconv.ParseFloat(east, 64)
	areNumbers := errLat == nil && errLon == nil
	if areNumbers && math.Abs(lat) <= 90 && math.Abs(lon) <= 180 {
		return lat, lon
	}
	return 0, 0
}
