package onsgeography

import (
	"encoding/json"
	"strings"
	"testing"

	"labour/sources"
)

// TestColumnsOfAServiceAreNeeded: each that it takes something from, and the error names those that
// are missing.
func TestColumnsOfAServiceAreNeeded(t *testing.T) {
	for name, c := range map[string]struct {
		service Service
		fields  string
		says    []string // none = whole
	}{
		"a list": {Service{AreaKinds: []string{KindCouncil}}, "LAD25CD LAD25NM", nil},
		"a list without names": {Service{AreaKinds: []string{KindCouncil}}, "LAD25CD",
			[]string{"no field like LAD25NM for the names of council"}},
		"a list without codes": {Service{AreaKinds: []string{KindCouncil}}, "LAD25NM",
			[]string{"no field like LAD25CD for council among LAD25NM"}},
		"outlines need no names": {Service{BoundaryKind: KindCouncil}, "LAD25CD", nil},
		"changes need no names":  {Service{CodeChangeKind: KindCouncil}, "LAD24CD LAD25CD", nil},
		"changes need two years": {Service{CodeChangeKind: KindCouncil}, "LAD25CD",
			[]string{"no fields like LAD24CD and LAD25CD of two years"}},
		"wards": {Service{CentreKind: KindWard}, "WD25CD WD25NM LAD25CD LAD25NM LAT LONG", nil},
		"wards without names": {Service{CentreKind: KindWard}, "WD25CD LAD25CD LAD25NM LAT LONG",
			[]string{"no field like WD25NM"}},
		"wards without a longitude": {Service{CentreKind: KindWard}, "WD25CD WD25NM LAD25CD LAD25NM LAT",
			[]string{"no field LONG for the middle"}},
		"wards without a latitude": {Service{CentreKind: KindWard}, "WD25CD WD25NM LAD25CD LAD25NM LONG",
			[]string{"no field LAT for the middle"}},
		"nothing": {Service{AreaKinds: []string{KindCouncil}}, "OTHER", []string{"no field like LAD25CD",
			"no field like LAD25NM"}},
	} {
		var head answer
		fields := ""
		for f := range strings.FieldsSeq(c.fields) {
			fields += `,{"name":"` + f + `"}`
		}
		if err := json.Unmarshal([]byte(`{"objectIdFieldName":"FID","fields":[`+fields[1:]+`]}`), &head); err != nil {
			t.Fatal(err)
		}
		l, err := c.service.layout(head)
		if len(c.says) == 0 && (err != nil || l.objectID != "FID") || len(c.says) > 0 &&
			sources.FaultCodeOf(err) != sources.FaultColumnMissing {
			t.Errorf("%s: %+v, %v", name, l, err)
			continue
		}
		for _, says := range c.says {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v does not say %q", name, err, says)
			}
		}
		head.ObjectID = ""
		if _, err := c.service.layout(head); err == nil || !strings.Contains(err.Error(), "objectIdFieldName") {
			t.Errorf("%s without an object id: %v", name, err)
		}
	}
}

// TestConfigurationStaysTheCallers: the defaults are set in a copy; 50 outlines are asked for at
// once, and 1,000 rows.
func TestConfigurationStaysTheCallers(t *testing.T) {
	list := []Service{{ServiceName: "a", AreaKinds: []string{KindCouncil}}, {ServiceName: "b", BoundaryKind: KindCouncil},
		{ServiceName: "c", AreaKinds: []string{KindCouncil}, PageSize: 7}}
	s, err := New(Config{Services: list, WardService: "w"})
	if err != nil {
		t.Fatal(err)
	}
	if list[0].PageSize != 0 || list[1].PageSize != 0 {
		t.Errorf("the caller's list is %+v", list)
	}
	for i, want := range []int{1000, 50, 7, 1000} {
		if got := s.cfg.Services[i].PageSize; got != want {
			t.Errorf("service %d has pages of %d, want %d", i, got, want)
		}
	}
	if w := s.cfg.Services[3]; w.ServiceName != "w" || w.CentreKind != KindWard || s.usual {
		t.Errorf("the wards are %+v", w)
	}
	if s, err := New(Config{BaseURL: "https://example.org/x/"}); err != nil || !s.usual ||
		s.cfg.BaseURL != "https://example.org/x" {
		t.Errorf("%+v, %v", s, err)
	}
}
