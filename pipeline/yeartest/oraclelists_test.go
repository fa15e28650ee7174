package yeartest

import (
	"cmp"
	"fmt"
	"strconv"
)

// regionNames returns the areas of the geography by code, as they are corrected.
func (k *known) regionNames() map[string]string {
	names := map[string]string{"E92000001": "England", "E12000007": "London", k.hackney: "Hackney"}
	for _, b := range []borough{boroughsAtFirst[0], boroughsAtFirst[2], haringey} {
		names[b.Code] = b.Name
	}
	if k.corrected {
		names[k.hackney] = correctedName
	}
	return names
}

// correctedName is the name of Hackney in a correction that the operator makes for a while.
const correctedName = "Hackney Borough"

// regions returns the areas with the codes that they had before.
func (k *known) regions() figures {
	table := figures{}
	for code, name := range k.regionNames() {
		kind, former := "council", "null"
		switch {
		case code == "E92000001":
			kind = "nation"
		case code == "E12000007":
			kind = "region"
		case code == k.hackney:
			former = cmp.Or(k.former, "null")
		}
		table[line(kind, code)] = line(name, former)
	}
	return table
}

// corrections returns what became of the operator's correction.
func (k *known) corrections() figures {
	if !k.corrected {
		return figures{}
	}
	return figures{line("ons_geography", "area", "council E09000012", "name"): line("Hackney", correctedName,
		"applied")}
}

// places returns what a place may be named.
func (k *known) places() (places, members figures) {
	places, members = figures{area: line("area", "")}, figures{}
	for _, b := range k.feed.Boroughs {
		places[b.Slug] = line("borough", b.Code)
	}
	for _, b := range areaMembers {
		members[line(area, b)] = ""
	}
	return places, members
}

// demand returns the rows of the statistic, with the change on the year before. "A figure has the
// official name of its area, and the name in its file only if no list of areas that is read has the
// code."
func (k *known) demand() figures {
	table := figures{}
	if k.courses == nil {
		return table
	}
	codes, names := map[string]string{"E92000001": "E92000001"}, map[string]string{"E92000001": "England"}
	for _, b := range boroughsAtFirst {
		codes[b.Code], names[b.Code] = b.Code, b.Name
	}
	if k.former != "" {
		codes[k.former] = k.hackney
	}
	official := k.regionNames()
	for was, is := range codes {
		name := cmp.Or(official[is], names[was])
		for _, subject := range subjects {
			for _, year := range k.courses.years {
				now, before := k.courses.value(was, subject, year), k.courses.value(was, subject, year-1)
				table[line(is, subject, fmt.Sprintf("%d-07-31", year))] = line(name, now, before,
					change1(now, before))
			}
		}
	}
	return table
}

// value returns a figure as it is shown: a number, "<5" for low, null for what is not published.
func (e *edition) value(code, subject string, year int) string {
	switch text := e.starts[key(code, subject, year)]; text {
	case "low":
		return "<5"
	case "c", "":
		return "null"
	default:
		return text
	}
}

// change1 is the change in per cent with one decimal; null when either is no number or the former is 0.
func change1(now, before string) string {
	n, err := strconv.ParseInt(now, 10, 64)
	b, err2 := strconv.ParseInt(before, 10, 64)
	if err != nil || err2 != nil || b == 0 {
		return "null"
	}
	twice := 2 * (n - b) * 1000
	if twice < 0 {
		return tenths((twice - b) / (2 * b))
	}
	return tenths((twice + b) / (2 * b))
}
