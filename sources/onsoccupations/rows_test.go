package onsoccupations

import (
	"context"
	"strings"
	"testing"

	"labour/sources"
)

// TestQualifiedTitlesAreOfTheIndex: those with a further word or an industry; related titles are never.
func TestQualifiedTitlesAreOfTheIndex(t *testing.T) {
	for name, c := range map[string]struct {
		kind, file, want string
	}{
		"plain":       {KindCodingIndex, "SOC_2020,INDEXOCC,ADD,IND\n1111,moon minder,,\n", "1111 moon minder"},
		"a word":      {KindCodingIndex, "SOC_2020,INDEXOCC,ADD,IND\n1111,moon minder,x,\n", "1111 moon minder*"},
		"an industry": {KindCodingIndex, "SOC_2020,INDEXOCC,ADD,IND\n1111,moon minder,,x\n", "1111 moon minder*"},
		"related":     {KindRelatedTitles, "SOC 2020,Related job titles,ADD\n1111,a | | b,x\n", "1111 a,1111 b"},
		"natural order": {KindCodingIndex, "SOC_2020,INDEXOCC,INDEXOCC natural\n1111,\"minder, moon\",moon minder\n",
			"1111 moon minder"},
		"uncoded":      {KindCodingIndex, "SOC_2020,INDEXOCC\n}},x\nn/a,y\n1111,z\n", "1111 z"},
		"a short code": {KindCodingIndex, "SOC_2020,INDEXOCC\n111,x\n1111,z\n", "1111 z"},
		"no name":      {KindCodingIndex, "SOC_2020,INDEXOCC\n1112,\n1111,z\n", "1111 z"},
	} {
		file, err := parse(context.Background(), []byte(c.file), File{ID: "x", Kind: c.kind})
		var got []string
		for _, r := range file.Records {
			o := r.(sources.OccupationTitle)
			got = append(got, o.SOC+" "+o.Title+map[bool]string{true: "*"}[o.Qualified])
		}
		if text := strings.Join(got, ","); err != nil || text != c.want || len(file.Faults) > 0 {
			t.Errorf("%s: %s, %+v, %v; want %s", name, text, file.Faults, err, c.want)
		}
	}
}

// TestCodesThatAreNone are faults of their rows, which name them.
func TestCodesThatAreNone(t *testing.T) {
	for code, ok := range map[string]bool{"1111": true, "11111": false, "11a1": false, "": true} {
		file, err := parse(context.Background(), []byte("SOC_2020,INDEXOCC\n2222,y\n"+code+",x\n"), File{ID: "x",
			Kind: KindCodingIndex})
		if err != nil || (len(file.Faults) == 0) != ok || !ok && (file.Faults[0].Code != sources.FaultBadValue ||
			!strings.Contains(file.Faults[0].Detail, code)) {
			t.Errorf("the code %q: %+v, %v", code, file.Faults, err)
		}
	}
}

// TestTermsOfTheClassification: adverts are coded with it, and its records may be used in every way.
func TestTermsOfTheClassification(t *testing.T) {
	if all := (sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true}); info.Terms != all ||
		!info.IsReference ||
		info.HasAdverts || info.ListsLiveOnly || info.Validate() != nil {
		t.Errorf("%+v, %v", info, info.Validate())
	}
}
