package onsoccupations

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

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
		file, err := parse(context.Background(), []byte(c.file), FileConfig{ID: "x", Kind: c.kind})
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
		file, err := parse(context.Background(), []byte("SOC_2020,INDEXOCC\n2222,y\n"+code+",x\n"), FileConfig{ID: "x",
			Kind: KindCodingIndex})
		if err != nil || (len(file.Faults) == 0) != ok || !ok && (file.Faults[0].Code != sources.FaultBadValue ||
			!strings.Contains(file.Faults[0].Detail, code)) {
			t.Errorf("the code %q: %+v, %v", code, file.Faults, err)
		}
	}
}

// TestHeadingsAreComparedByLettersAndDigits, from the first to the last of each.
func TestHeadingsAreComparedByLettersAndDigits(t *testing.T) {
	if got := squeeze("A z_Z-a 0.9é:{`/@["); got != "azza09" {
		t.Errorf("%q, want azza09", got)
	}
}

// TestBrokenRowsAreFaults: the rows around one are read.
func TestBrokenRowsAreFaults(t *testing.T) {
	file, err := parse(context.Background(), []byte("SOC_2020,INDEXOCC\n"+
		strings.Repeat("1111,x\n", 30)+"11\"1,y\n2222,z\n"),
		FileConfig{ID: "x", Kind: KindCodingIndex})
	if err != nil || len(file.Records) != 31 || len(file.Faults) != 1 || file.Faults[0].Where != "line 32" {
		t.Errorf("%d records, %+v, %v; want 31 and the broken line 32", len(file.Records), file.Faults, err)
	}
}

// TestFirstSheetWithTheColumnsIsRead: one before it may have notes, and those behind it are ignored.
func TestFirstSheetWithTheColumnsIsRead(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	for i, rows := range [][][]any{{{"Notes"}}, {{"SOC 2020", "Title"}, {"2", "PROFESSIONALS"}},
		{{"SOC 2020", "Title"}, {"1", "MANAGERS"}}} {
		name := "Sheet" + string(rune('1'+i))
		if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for n, row := range rows {
			if err := f.SetSheetRow(name, "A"+string(rune('1'+n)), &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	var book bytes.Buffer
	if err := f.Write(&book); err != nil {
		t.Fatal(err)
	}
	file, err := parse(context.Background(), book.Bytes(), FileConfig{ID: "x", Kind: KindStructure})
	want := sources.OccupationGroup{Source: Key, SOC: "2", Name: "PROFESSIONALS"}
	if err != nil || len(file.Records) != 1 || file.Records[0] != sources.Record(want) {
		t.Errorf("%+v, %v; want %+v", file.Records, err, want)
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
