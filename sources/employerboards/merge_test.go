package employerboards

import (
	"testing"

	"labour/sources"
)

// An advert whose rows differ is listed where any of its rows is, whichever comes first.
func TestListedByAnyRow(t *testing.T) {
	const listed = `{"id":"1","title":"Baker","isListed":true,"location":"Leeds"}`
	const direct = `{"id":"1","title":"Baker","isListed":false,"location":"York"}`
	for _, c := range []struct {
		name, rows string
		want       bool
	}{
		{"the first", listed + "," + direct, true},
		{"the second", direct + "," + listed, true},
		{"both", listed + "," + listed, true},
		{"neither", direct + "," + direct, false},
	} {
		found, faults := readOne(t, "ashby", "ashby/board", []byte(`{"jobs":[`+c.rows+`]}`))
		if len(found) != 1 || len(faults) != 0 {
			t.Fatalf("%s: %d adverts, faults %+v", c.name, len(found), faults)
		}
		if found[0].Listed != c.want {
			t.Errorf("%s is listed: the advert is listed %t", c.name, found[0].Listed)
		}
	}
}

// Two adverts with one id are not one: the second is a fault, and its place is not a place of the first.
func TestTwoAdvertsWithOneID(t *testing.T) {
	found, faults := readOne(t, "ashby", "ashby/board", []byte(`{"jobs":[`+
		`{"id":"1","title":"Baker","isListed":true,"location":"Leeds"},`+
		`{"id":"1","title":"Butcher","isListed":true,"location":"York"}]}`))
	if len(found) != 1 || found[0].Title != "Baker" || len(found[0].Locations) != 1 {
		t.Errorf("%+v", found)
	}
	if len(faults) != 1 || faults[0].Where != "row 2" || faults[0].Code != sources.FaultSchema {
		t.Errorf("%+v", faults)
	}
}
