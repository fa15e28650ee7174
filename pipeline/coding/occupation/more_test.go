package occupation

import (
	"reflect"
	"slices"
	"testing"

	"labour/sources"
)

func title(soc, words string) sources.OccupationTitle {
	return sources.OccupationTitle{SOC: soc, Title: words}
}

// TestTitlesWithOneCodeAreKept: once each; a title of one word counts only as a whole title, and one with
// several codes is left out and counted once.
func TestTitlesWithOneCodeAreKept(t *testing.T) {
	title := func(soc string, words ...string) phrase { return phrase{words: words, soc: soc} }
	got, ambiguous := distinct([]phrase{title("1111", "minder"), title("2222", "moon", "minder"), title("1111", "minder"),
		title("3333", "winder"), title("4444", "winder"), title("5555", "winder"), title("1111", "a", "b", "c")})
	want := []phrase{{[]string{"minder"}, "1111", true}, {[]string{"moon", "minder"}, "2222", false},
		{[]string{"a", "b", "c"}, "1111", false}}
	if !reflect.DeepEqual(got, want) || ambiguous != 1 {
		t.Errorf("%+v and %d with several codes, want %+v and 1", got, ambiguous, want)
	}
}

func TestWithTitles(t *testing.T) {
	reg := load(t)
	qualified := title("1112", "moon quaxer")
	qualified.Qualified = true
	grown, added := reg.WithTitles([]sources.OccupationTitle{
		title("5449", "chocolate welder"), title("5449", "Chocolate Welder"), title("5431", "data analyst"),
		title("8120", "widgeteer"), title("1111", "qloud zitterer"), title("1112", "qloud zitterer"), qualified,
		title("9999", "other thing"), title("5449", "-"),
	})
	if want := (TitleCounts{Added: 2, AlreadyKnown: 1, IndustrySpecific: 1, Ambiguous: 1, Uncoded: 2}); added != want {
		t.Errorf("added %+v, want %+v", added, want)
	}
	for title, want := range map[string]string{
		"Senior Chocolate Welder": "5449", "Data analyst": "3544", "Widgeteer": "8120",
		"Plum widgeteer": "", "Qloud zitterer": "", "Moon quaxer": "",
	} {
		if got := grown.CodeTitle(title).SOC; got != want {
			t.Errorf("CodeTitle(%q) = %q, want %q", title, got, want)
		}
	}
	if got := reg.CodeTitle("Widgeteer"); got.SOC != "" {
		t.Errorf("the first register was changed: %+v", got)
	}
}

func TestWithGroups(t *testing.T) {
	reg := load(t)
	was, _ := reg.GroupName("21")
	grown, unknown := reg.WithGroups([]sources.OccupationGroup{
		{SOC: "2134", Name: "Programmers of every kind"}, {SOC: "1", Name: "MANAGERS, DIRECTORS AND SENIOR OFFICIALS"},
		{SOC: "9999", Name: "New"}, {SOC: "9998", Name: "New"}, {SOC: "9999", Name: "New"},
	})
	if !slices.Equal(unknown, []string{"9998", "9999"}) || grown.IsGroup("9999") {
		t.Errorf("unknown %v", unknown)
	}
	for code, want := range map[string]string{"2134": "Programmers of every kind",
		"1": "Managers, directors and senior officials", "21": was} {
		if got, _ := grown.GroupName(code); got != want {
			t.Errorf("%s is %q, want %q", code, got, want)
		}
		if at := slices.IndexFunc(grown.Groups(),
			func(g Group) bool { return g.Code == code }); grown.Groups()[at].Name != want {
			t.Errorf("the list has another name for %s", code)
		}
	}
	if name, _ := reg.GroupName("2134"); name == "Programmers of every kind" {
		t.Error("the first register was changed")
	}
}

// relatedTitles is the recorded list of related titles of the office.
func relatedTitles(t *testing.T) []sources.OccupationTitle {
	t.Helper()
	var list []sources.OccupationTitle
	for _, row := range table(t, "G/soc2020-related-job-titles.csv") {
		list = append(list, title(row[0], row[2]))
	}
	return list
}

// The office's own titles are a second opinion on the embedded codes: those
// that both know must nearly all agree.
func TestEmbeddedTitlesAgreeWithTheOffice(t *testing.T) {
	office, reg := relatedTitles(t), load(t)
	grown, added := reg.WithTitles(office)
	if added.Added == 0 || len(grown.index.phrases) != len(reg.index.phrases)+added.Added {
		t.Fatalf("added %+v", added)
	}
	known, agree := 0, 0
	for _, o := range office {
		if soc, ok := reg.index.find(foldWords(o.Title)); ok {
			known++
			if soc == o.SOC {
				agree++
			}
		}
	}
	t.Logf("added %+v; %d titles known to both, %d agree", added, known, agree)
	if share(agree, known) < 0.9 {
		t.Errorf("%d of %d titles agree", agree, known)
	}
}
