package occupation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithTitles(t *testing.T) {
	reg := load(t)
	const file = "SOC_2020,INDEXOCC,ADD,IND,INDEXOCC_-_natural_word_order\n" +
		"5449,\"Welder, chocolate\",,,chocolate welder\n" +
		"5449,\"Welder, chocolate\",,,Chocolate Welder\n" +
		"5431,\"Analyst, data\",,,data analyst\n" +
		"8120,Widgeteer,,,widgeteer\n" +
		"1111,\"Sitter, cloud\",,,cloud sitter\n" +
		"1112,\"Sitter, cloud\",,,cloud sitter\n" +
		"1112,\"Minder, moon\",,space,moon minder\n" +
		"}}}},Thing,,,thing\n" +
		"9999,Other thing,,,other thing\n"
	grown, added, err := reg.WithTitles(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Added{Titles: 2, Known: 1, Qualified: 1, Ambiguous: 1, Uncoded: 2}); added != want {
		t.Errorf("added %+v, want %+v", added, want)
	}
	for title, want := range map[string]string{
		"Senior Chocolate Welder": "5449", "Data analyst": "3544", "Widgeteer": "8120",
		"Plum widgeteer": "", "Cloud sitter": "", "Moon minder": "",
	} {
		if got := grown.Code(title).SOC; got != want {
			t.Errorf("Code(%q) = %q, want %q", title, got, want)
		}
	}
	if got := reg.Code("Widgeteer"); got.SOC != "" {
		t.Errorf("the first register was changed: %+v", got)
	}
}

func TestWithTitlesRefusesOtherTables(t *testing.T) {
	reg := load(t)
	for _, file := range []string{"", "a,b\n1,2\n", "SOC_2020,name\n1111,x\n", "SOC_2020,INDEXOCC\n1111,\"x\n"} {
		if grown, _, err := reg.WithTitles(strings.NewReader(file)); err == nil || grown != nil {
			t.Errorf("the table %q was taken", file)
		}
	}
}

// The office's own titles are a second opinion on the embedded codes: those
// that both know must nearly all agree.
func TestEmbeddedTitlesAgreeWithTheOffice(t *testing.T) {
	path := filepath.Join(recorded, "..", "G", "soc2020-related-job-titles.csv")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Skip("the recorded list of related titles (../shared/data/G) is not there")
	}
	reg := load(t)
	grown, added, err := reg.WithTitles(strings.NewReader(string(raw)))
	if err != nil || added.Titles == 0 || grown.Titles() != reg.Titles()+added.Titles {
		t.Fatalf("added %+v: %v", added, err)
	}
	known, agree := 0, 0
	for _, line := range strings.Split(string(raw), "\n")[1:] {
		code, rest, _ := strings.Cut(line, ",")
		title := strings.Trim(strings.TrimSpace(rest[strings.LastIndex(rest, ",")+1:]), "\"")
		if soc, ok := reg.index.find(foldWords(title)); ok && !strings.Contains(title, "(") {
			known++
			if soc == code {
				agree++
			}
		}
	}
	t.Logf("added %+v; %d titles known to both, %d agree", added, known, agree)
	if share(agree, known) < 0.9 {
		t.Errorf("%d of %d titles agree", agree, known)
	}
}

func FuzzWithTitles(f *testing.F) {
	reg := load(f)
	small := &Register{groups: reg.groups, names: reg.names, index: newIndex(nil)}
	f.Add("SOC_2020,INDEXOCC\n1111,chief\n")
	f.Add("soc2020,related_job_title\n\"1111\",\"a \"\"b\"\"\"\n")
	f.Fuzz(func(t *testing.T, file string) {
		grown, added, err := small.WithTitles(strings.NewReader(file))
		if (grown == nil) != (err != nil) || err == nil && grown.Titles() != added.Titles {
			t.Fatalf("%+v, %v", added, err)
		}
	})
}
