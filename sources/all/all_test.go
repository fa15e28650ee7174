package all

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"labour/sources"
	"labour/sources/blsprojections"
	"labour/sources/platform"
	"labour/sources/skillsprojections"
)

// TestKeys: a block of the configuration is named as the key of its source, so that
// a figure leads to the place where its source is configured.
func TestKeys(t *testing.T) {
	publication := skillsprojections.Config{Publications: []skillsprojections.Publication{{ID: "p",
		URL:  "https://x.example/p.csv",
		Kind: skillsprojections.KindPriorityOccupations, Published: "2025-08-12",
		Region: skillsprojections.UnitedKingdomCode}}}
	for field, c := range map[string]Config{
		"SkillsEngland":        {SkillsEngland: &publication},
		"OccupationsInDemand":  {OccupationsInDemand: &publication},
		"SkillsImperative2035": {SkillsImperative2035: &publication},
		"BLSProjections": {BLSProjections: &blsprojections.Config{
			Projections: &blsprojections.Projections{Published: "2025-08-28"}}},
	} {
		list, err := ConfiguredSources(c, platform.Config{})
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %d sources, %v", field, len(list), err)
			continue
		}
		f, _ := reflect.TypeOf(c).FieldByName(field)
		if i := list[0].Info(); i.Key != f.Tag.Get("yaml") || i.Kind != sources.KindProjections || i.HasAdverts {
			t.Errorf("%s: block %s makes the source %+v", field, f.Tag.Get("yaml"), i)
		}
	}
}

// everySource configures one source of each kind, the last ones first.
const everySource = `
local_skills_plans: {plans: [{id: shire, file: "https://c.example/p.csv", title: Plan, publisher: Chamber,
  region: E69000039, published: 2025-08-01, licence: Its terms, attribution_statement: "Source: Chamber.",
  link: "https://c.example/plan"}]}
labour_market_news: {feeds: [{id: office, url: "https://o.example/rss", publisher: Office, licence: Its terms,
  attribution_statement: "Source: Office."}]}
bls_employment_projections: {projections: {published: 2025-08-28}}
skills_imperative_2035: {publications: [&p {id: p, url: "https://x.example/p.csv", kind: priority_occupations,
  published: 2025-08-12, region: K02000001}]}
dfe_occupations_in_demand: {publications: [*p]}
skills_england: {publications: [*p]}
ons_soc2020: {files: [{id: index, url: "https://o.example/i.csv", kind: coding_index}]}
ons_geography: {}
dfe_apprenticeships: {data_sets: [{id: 11111111-1111-4111-8111-111111111111, metric: apprenticeship_starts,
  covers: full_year, low_means: under_5}]}
find_an_apprenticeship: {}
employer_boards: {boards: [{vendor: ashby, token: acme, employer: Acme}]}
`

// TestOrderOfPrecedence: if two sources have an advert for the same vacancy, that of the earlier
// source is used. So the platform is first, then employers' own boards, whatever the order of the
// configuration is.
func TestOrderOfPrecedence(t *testing.T) {
	var c Config
	if err := yaml.Unmarshal([]byte(everySource), &c); err != nil {
		t.Fatal(err)
	}
	keys := func(p platform.Config) (keys []string) {
		list, err := ConfiguredSources(c, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			keys = append(keys, s.Info().Key)
		}
		return keys
	}
	want := []string{"employer_boards", "find_an_apprenticeship", "dfe_apprenticeships", "ons_geography", "ons_soc2020",
		"skills_england", "dfe_occupations_in_demand", "skills_imperative_2035", "bls_employment_projections",
		"news_office", "plan_shire"}
	if got := keys(platform.Config{}); !slices.Equal(got, want) {
		t.Errorf("without a feed: %q, want %q", got, want)
	}
	feed := platform.Config{Name: "Works", Link: "https://works.example", FeedAddress: "feed"}
	if got := keys(feed); !slices.Equal(got, append([]string{"platform"}, want...)) {
		t.Errorf("with a feed: %q", got)
	}
}

// marks returns the true fields of a struct of booleans, in order. It skips fields of other types.
func marks(of any) string {
	var names []string
	v := reflect.ValueOf(of)
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Bool && v.Field(i).Bool() {
			names = append(names, v.Type().Field(i).Name)
		}
	}
	return strings.Join(names, " ")
}

// The terms of a publisher that permits only a download, and of one that permits everything.
const fetch, open = "MayFetch", "MayFetch MayCount MayRepublish MaySummarise"

// described is what each source says of itself, in order of precedence.
var described = []struct {
	key       string
	kind      sources.Kind
	cadence   sources.Cadence
	statement sources.AttributionStatement // "" = not compared, because it depends on the publication
	terms     string
	marks     string
}{
	{"platform", sources.KindPlatform, sources.Daily, sources.StatementOwnFigures, "MayFetch MayCount MayRepublish",
		"HasAdverts"},
	{"employer_boards", sources.KindEmployerBoards, sources.Daily, sources.StatementOwnFigures, "MayFetch MayCount",
		"ListsLiveOnly HasAdverts"},
	{"find_an_apprenticeship", sources.KindApprenticeships, sources.Daily, sources.StatementOGL, open,
		"ListsLiveOnly HasAdverts"},
	{"dfe_apprenticeships", sources.KindStatistics, sources.Quarterly, sources.StatementOGL, open, ""},
	{"ons_geography", sources.KindGeography, sources.Annual, sources.StatementONS, open, "IsReference"},
	{"ons_soc2020", sources.KindStatistics, sources.Annual, sources.StatementOGL, open, "IsReference"},
	{"skills_england", sources.KindProjections, sources.Annual, "", fetch, ""},
	{"dfe_occupations_in_demand", sources.KindProjections, sources.Annual, "", fetch, ""},
	{"skills_imperative_2035", sources.KindProjections, sources.Annual, "", fetch, ""},
	{"bls_employment_projections", sources.KindProjections, sources.Annual, sources.StatementBLS, open, ""},
	{"news_office", sources.KindNews, sources.Weekly, "Source: Office.", fetch, "ListsLiveOnly"},
	{"plan_shire", sources.KindPlans, sources.Annual, "Source: Chamber.", fetch, ""},
}

// TestTermsOfEverySource: what a publisher permits, how it must be credited, and when the records
// are read.
func TestTermsOfEverySource(t *testing.T) {
	var c Config
	if err := yaml.Unmarshal([]byte(everySource), &c); err != nil {
		t.Fatal(err)
	}
	list, err := ConfiguredSources(c, platform.Config{Name: "Works", Link: "https://works.example", FeedAddress: "feed"})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range described {
		got := list[i].Info()
		isCredited := got.Statement == w.statement || w.statement == ""
		if got.Key != w.key || got.Kind != w.kind || got.Cadence != w.cadence || !isCredited {
			t.Errorf("%+v, want %+v", got, w)
		}
		if marks(got.Terms) != w.terms || marks(got) != w.marks {
			t.Errorf("%s: %q, %q, want %q, %q", w.key, marks(got.Terms), marks(got), w.terms, w.marks)
		}
	}
}

// TestMistakesInLists: a mistake in a list of feeds is reported, and that of a source's own
// description too.
func TestMistakesInLists(t *testing.T) {
	var c Config
	if err := yaml.Unmarshal([]byte("labour_market_news: {feeds: [{id: office, url: nowhere}]}"), &c); err != nil {
		t.Fatal(err)
	}
	if list, err := ConfiguredSources(c, platform.Config{}); err == nil || list != nil ||
		!strings.Contains(err.Error(), "labour_market_news") {
		t.Errorf("%d sources, %v", len(list), err)
	}
	unnamed := platform.Config{FeedAddress: "feed"} // the attribution statement needs the platform's name
	if list, err := ConfiguredSources(Config{}, unnamed); err == nil || list != nil {
		t.Errorf("a platform without a name: %d sources, %v", len(list), err)
	}
}

// TestFaultsTogether: the faults of all blocks are reported at once.
func TestFaultsTogether(t *testing.T) {
	_, err := ConfiguredSources(Config{SkillsEngland: &skillsprojections.Config{},
		BLSProjections: &blsprojections.Config{}},
		platform.Config{})
	if err == nil || !strings.Contains(err.Error(), "skills_england") ||
		!strings.Contains(err.Error(), "bls_employment_projections") {
		t.Errorf("%v", err)
	}
}
