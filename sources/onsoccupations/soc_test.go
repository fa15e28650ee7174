package onsoccupations

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/sourcetest"
)

// TestSuite puts the connector through everything that a publisher and an archive
// can do to it.
func TestSuite(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source {
			s, err := New(Config{Files: []FileConfig{
				{ID: "structure", Kind: KindStructure, URL: base + "/structure.csv"},
				{ID: "titles", Kind: KindRelatedTitles, URL: base + "/titles.csv"},
				{ID: "index", Kind: KindCodingIndex, URL: base + "/index.csv"},
			}})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Publisher: sourcetest.ServeBodies(map[string]string{"/structure.csv": sourcetest.ReadSample(t, "structure.csv"),
			"/titles.csv": sourcetest.ReadSample(t, "titles.csv"), "/index.csv": sourcetest.ReadSample(t, "index.csv")}),
		WantTerms: sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
		CheckRecords: func(t *testing.T, records []sources.Record) {
			title := func(soc, words string, qualified bool) sources.Record {
				return sources.OccupationTitle{Source: Key, SOC: soc, Title: words, Qualified: qualified}
			}
			group := func(soc, name string) sources.Record {
				return sources.OccupationGroup{Source: Key, SOC: soc, Name: name}
			}
			want := []sources.Record{
				group("2", "PROFESSIONAL OCCUPATIONS"),
				group("21", "SCIENCE, RESEARCH, ENGINEERING AND TECHNOLOGY PROFESSIONALS"),
				group("213", "Information Technology Professionals"),
				group("2134", "Programmers and software development professionals"),
				title("2134", "Analyst-programmer", false), title("2134", "Widget developer", false),
				title("8139", "widget winder", false), title("1112", "moon minder", true),
				title("2134", "lantern developer", true),
			}
			if diff := cmp.Diff(want, records); diff != "" {
				t.Errorf("(- want, + got):\n%s", diff)
			}
		},
	})
}

func TestRefusesOtherTables(t *testing.T) {
	for file, want := range map[string]sources.FaultCode{
		"a,b\n1,2\n":                    sources.FaultColumnMissing,
		"SOC_2020,INDEXOCC\nx,nobody\n": sources.FaultSuddenlyEmpty,
		"SOC_2020,name\n1111,x\n":       sources.FaultColumnMissing,
	} {
		if _, err := parse(context.Background(), []byte(file),
			FileConfig{ID: "x", Kind: KindCodingIndex}); sources.FaultCodeOf(
			err) != want {
			t.Errorf("%q: %v, want %s", file, err, want)
		}
	}
}

func TestConfigurationFaultsAreToldAtOnce(t *testing.T) {
	_, err := New(Config{Files: []FileConfig{{ID: "A", Kind: "list", URL: "x"},
		{ID: "A", Kind: KindStructure, URL: "file:///x.csv"}}})
	for _, part := range []string{"A is named twice", `kind "list"`, `url "x"`, `id "A"`} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not say %q", err, part)
		}
	}
	if _, err := New(Config{}); err == nil {
		t.Error("no file at all is taken")
	}
}

// TestRecorded reads the office's lists as others keep them.
func TestRecorded(t *testing.T) {
	for name, want := range map[string]struct {
		kind    string
		records int
	}{
		"soc2020-framework.csv":                {KindStructure, 551},
		"soc2020-structure.csv":                {KindStructure, 551},
		"soc2020-related-job-titles.csv":       {KindRelatedTitles, 2091},
		"soc2020-unit-groups-descriptions.csv": {KindRelatedTitles, 2091},
	} {
		b, err := os.ReadFile(filepath.Join("../../../shared/data/G", name))
		if err != nil {
			t.Skip("the recorded lists of SOC 2020 (../shared/data/G) are not there")
		}
		file, err := parse(context.Background(), b, FileConfig{ID: "x", Kind: want.kind})
		if err != nil || len(file.Records) != want.records {
			t.Errorf("%s: %d records, want %d: %v", name, len(file.Records), want.records, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for i, name := range []string{"structure.csv", "titles.csv", "index.csv"} {
		f.Add(sourcetest.ReadSample(f, name), i)
	}
	kinds := []string{KindStructure, KindRelatedTitles, KindCodingIndex}
	f.Fuzz(func(t *testing.T, file string, kind int) {
		parsed, err := parse(context.Background(), []byte(file), FileConfig{ID: "x", Kind: kinds[uint(kind)%3]})
		if (len(parsed.Records) == 0) != (err != nil) {
			t.Fatalf("%d records, %v", len(parsed.Records), err)
		}
	})
}
