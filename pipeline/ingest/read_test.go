package ingest

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/coding"
	"labour/pipeline/corrections"
	"labour/pipeline/report"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/sourcetest"
)

// recorded is a source that emits the given records of each object.
type recorded struct {
	sources.Source
	info    sources.Info
	objects map[string][]sources.Record
	faults  map[string]sources.FaultCode // by object
	err     error                        // after the records
	read    *[]string                    // the objects that were read; nil = they are not noted
}

func (r recorded) Info() sources.Info { return r.info }

func (r recorded) Read(ctx context.Context, x sources.Extract, _ sources.Opener, out sources.RecordSink) error {
	for _, o := range x.Objects {
		if r.read != nil {
			*r.read = append(*r.read, o.Name+o.SHA256)
		}
		for _, one := range r.objects[o.Name+o.SHA256] {
			if err := out.Emit(one); err != nil {
				return err
			}
		}
		if code := r.faults[o.Name+o.SHA256]; code != "" {
			out.Fault(sources.Fault{Source: r.info.Key, Object: o.Name, Code: code})
		}
	}
	return r.err
}

// extractOf is an extract with objects that are named as name and version, such as "list" and "1".
func extractOf(source string, days int, objects ...string) sources.Extract {
	x := sources.Extract{Source: source, FetchedAt: day(days)}
	for _, o := range objects {
		x.Objects = append(x.Objects, sources.ArchivedObject{Name: o[:len(o)-1], SHA256: o[len(o)-1:]})
	}
	return x
}

// optionsOf are the settings of a run for day 0 whose progress goes to steps.
func optionsOf(t *testing.T, steps *[]string) Options {
	t.Helper()
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	return Options{AsOf: dayOf(0), JobsDay: dayOf(0), Registers: registers, Corrections: corrections.NewSet(nil),
		StagingDir: filepath.Join(t.TempDir(), "staging"), Threads: 1, Log: slog.New(slog.DiscardHandler),
		OnStep: func(name string) { *steps = append(*steps, name) }, OnDetail: func(string, ...any) {}}
}

// stagedRows returns the rows of a staged file of a run.
func stagedRows[T any](t *testing.T, dir, name string) []T {
	t.Helper()
	rows, err := parquetio.ReadAll[T](filepath.Join(dir, name+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func ids(list []staging.Advert) (ids []string) {
	for _, a := range list {
		ids = append(ids, a.Source+" "+a.ID)
	}
	return ids
}

func camden() sources.Borough {
	return sources.Borough{Slug: "camden", Name: "Camden", Code: "E09000007"}
}

// advertOf is a vacancy of its own in Camden, posted on day -3.
func advertOf(source, id string) sources.Advert {
	return sources.Advert{Source: source, ID: id, Origin: sources.OriginPlatform, Listed: true, Employer: "Firm " + id,
		Title: "Nurse", Kind: "job", Posted: dayOf(-3), Locations: []sources.Location{{Slug: "camden"}}}
}

// Reference data is read first, then the platform, then the other sources, in the order of the
// configuration.
func TestOrderOfReading(t *testing.T) {
	var list []SourceWithExtracts
	for _, i := range []sources.Info{{Key: "boards", Kind: sources.KindEmployerBoards},
		{Key: "feed", Kind: sources.KindPlatform}, {Key: "geography", IsReference: true},
		{Key: "platform reference", Kind: sources.KindPlatform, IsReference: true}, {Key: "statistics"}} {
		list = append(list, SourceWithExtracts{recorded{info: i}, []sources.Extract{extractOf(i.Key, 0, "all1")}})
	}
	var steps, extracts []string
	got, err := Read(t.Context(), sourcetest.OpenArchive(t), list, optionsOf(t, &steps), report.New(dayOf(0)))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range got.Extracts {
		extracts = append(extracts, x.Source)
	}
	want := []string{"geography", "platform reference", "feed", "boards", "statistics"}
	if !slices.Equal(extracts, want) {
		t.Errorf("the order is %q, want %q", extracts, want)
	}
	for i, key := range want {
		if steps[i] != "read "+key {
			t.Errorf("step %d is %q, want to read %s", i, steps[i], key)
		}
	}
}

// Of a listing each advert is staged once, as the newest extract has it. An object that a newer
// extract has is not read again.
func TestTheNewestVersionOfAnAdvertIsStaged(t *testing.T) {
	changed := advertOf("boards", "b")
	changed.Employer = "An Older Name"
	var read, steps []string
	boards := recorded{read: &read, info: sources.Info{Key: "boards", Kind: sources.KindEmployerBoards,
		ListsLiveOnly: true},
		objects: map[string][]sources.Record{
			"x1": {advertOf("boards", "a")},
			"y1": {advertOf("boards", "b"), advertOf("boards", "b")},
			"y2": {changed, advertOf("boards", "c")},
			"y3": {advertOf("boards", "d"), changed, advertOf("boards", "c"), advertOf("boards", "a")},
		}}
	feed := recorded{info: sources.Info{Key: "feed", Kind: sources.KindPlatform},
		objects: map[string][]sources.Record{"all1": {camden()}}}
	to, options := report.New(dayOf(0)), optionsOf(t, &steps)
	got, err := Read(t.Context(), sourcetest.OpenArchive(t), []SourceWithExtracts{
		{feed, []sources.Extract{extractOf("feed", 0, "all1")}},
		{boards, []sources.Extract{extractOf("boards", 0, "x1", "y1"), extractOf("boards", -1, "x1", "y2"),
			extractOf("boards", -2, "y3")}},
	}, options, to)
	if err != nil {
		t.Fatal(err)
	}
	adverts := stagedRows[staging.Advert](t, options.StagingDir, "adverts")
	want := []string{"boards a", "boards b", "boards b", "boards c", "boards d"}
	if !slices.Equal(ids(adverts), want) || got.Adverts != 5 {
		t.Errorf("staged are %q (%d), want %q", ids(adverts), got.Adverts, want)
	}
	for i, a := range adverts {
		if a.Ordinal != int32(i) || a.Employer != "firm "+a.ID {
			t.Errorf("advert %d is %+v; it has its own number and the newest employer", i, a)
		}
	}
	if want := []string{"x1", "y1", "y2", "y3"}; !slices.Equal(read, want) {
		t.Errorf("the objects %q are read, want %q", read, want)
	}
	if want := []string{"read feed", "read boards", "apply the counting rules"}; !slices.Equal(steps, want) {
		t.Errorf("the steps are %q, want %q", steps, want)
	}
	of := to.EnsureSource("boards")
	if of.Records != 5 || of.Adverts.Read != 5 || of.Adverts.Listed != 3 {
		t.Errorf("the report has %d records, %d adverts read, %d listed; want 5, 5, 3", of.Records, of.Adverts.Read,
			of.Adverts.Listed)
	}
	if len(of.Samples) != 0 {
		t.Errorf("there are faults: %+v", of.Samples)
	}
}

// The precedence of the counting rules is the order of the configured sources whose adverts may be
// counted.
func TestOneVacancyOfTwoSourcesIsCountedOnce(t *testing.T) {
	same := func(source string) sources.Advert {
		a := advertOf(source, "1")
		a.Employer, a.ApplyURL = "Firm", "https://firm.example/jobs/17"
		return a
	}
	terms := sources.Terms{MayCount: true}
	a := sources.Info{Key: "a", Kind: sources.KindPlatform, HasAdverts: true, Terms: terms}
	b := sources.Info{Key: "b", Kind: sources.KindEmployerBoards, HasAdverts: true, Terms: terms}
	uncounted, without := a, a
	uncounted.Terms.MayCount, without.HasAdverts = false, false
	for _, c := range []struct {
		name  string
		infos []sources.Info
		want  []staging.AdvertVacancy
	}{
		{"a before b", []sources.Info{a, b}, []staging.AdvertVacancy{{Ordinal: 0}, {Ordinal: 1}}},
		{"b before a", []sources.Info{b, a}, []staging.AdvertVacancy{{CountedAs: 1, AppliedAs: 1},
			{Ordinal: 1, CountedAs: 1, AppliedAs: 1}}},
		{"a may not be counted", []sources.Info{uncounted, b}, []staging.AdvertVacancy{
			{CountedAs: -1, AppliedAs: -1}, {Ordinal: 1, CountedAs: 1, AppliedAs: 1}}},
		{"a has no adverts", []sources.Info{without, b}, []staging.AdvertVacancy{
			{CountedAs: -1, AppliedAs: -1}, {Ordinal: 1, CountedAs: 1, AppliedAs: 1}}},
	} {
		var steps []string
		options := optionsOf(t, &steps)
		options.SourceInfos = c.infos
		objects := func(r ...sources.Record) map[string][]sources.Record {
			return map[string][]sources.Record{"all1": r}
		}
		to := report.New(dayOf(0))
		_, err := Read(t.Context(), sourcetest.OpenArchive(t), []SourceWithExtracts{
			{recorded{info: a, objects: objects(camden(), same("a"))}, []sources.Extract{extractOf("a", 0, "all1")}},
			{recorded{info: b, objects: objects(same("b"))}, []sources.Extract{extractOf("b", 0, "all1")}},
		}, options, to)
		if err != nil {
			t.Fatal(err)
		}
		if got := stagedRows[staging.AdvertVacancy](t, options.StagingDir, "advert_vacancies"); !slices.Equal(got, c.want) {
			t.Errorf("%s: the verdicts are %+v, want %+v", c.name, got, c.want)
		}
		if counted := to.EnsureSource("a").Adverts.Counted + to.EnsureSource("b").Adverts.Counted; counted != 1 {
			t.Errorf("%s: %d adverts are counted in the report, want 1", c.name, counted)
		}
	}
}

// Each type of record goes to its list. An unknown type and a source that fails are faults of that
// source only.
func TestRecordsGoToTheirLists(t *testing.T) {
	type unknown struct{ sources.Record }
	var steps []string
	to, options := report.New(dayOf(0)), optionsOf(t, &steps)
	options.Corrections = corrections.NewSet([]corrections.Correction{{Source: "feed", Kind: "area", Record: "council E1",
		Field: "name", Old: "Camdem", New: "Camden"}})
	records := []sources.Record{sources.Area{Kind: "council", Code: "E1", Name: "Camdem"},
		sources.AreaCodeChange{From: "E1", To: "E2"},
		sources.Boundary{Code: "K2"}, sources.Evidence{ID: "K3"}, sources.Pathway{}, sources.S106Development{ID: "K4"},
		sources.Ward{}, sources.Headline{}, sources.PlanPriority{}, camden(), sources.Resident{ID: "r"},
		sources.Application{ID: "p", Outcome: sources.OutcomePending}, sources.Event{ID: "e", OccurredAt: noon},
		sources.Statistic{Metric: "m"}}
	feed := recorded{info: sources.Info{Key: "feed", Kind: sources.KindPlatform},
		objects: map[string][]sources.Record{"all1": records}}
	odd := recorded{info: sources.Info{Key: "odd"},
		objects: map[string][]sources.Record{"all1": {unknown{}, sources.Area{Code: "not reached"}}}}
	broken := recorded{info: sources.Info{Key: "broken"}, err: sources.CodedErrorf(sources.FaultTruncated,
		"it ends early")}
	got, err := Read(t.Context(), sourcetest.OpenArchive(t), []SourceWithExtracts{
		{feed, []sources.Extract{extractOf("feed", 0, "all1")}}, {odd, []sources.Extract{extractOf("odd", 0, "all1")}},
		{broken, []sources.Extract{extractOf("broken", 0, "all1")}}}, options, to)
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]int{"areas": len(got.Areas), "code changes": len(got.changes),
		"boundaries": len(got.Boundaries), "evidence": len(got.Evidence), "pathways": len(got.Pathways),
		"developments": len(got.Developments), "wards": len(got.Wards), "headlines": len(got.Headlines),
		"priorities": len(got.Priorities), "boroughs": len(got.Boroughs), "residents": int(got.Residents),
		"events":  len(stagedRows[snapshots.EventsRow](t, options.StagingDir, "events")),
		"figures": len(stagedRows[staging.Statistic](t, options.StagingDir, "statistics"))} {
		if n != 1 {
			t.Errorf("there are %d %s, want 1", n, name)
		}
	}
	if got.Areas[0].Name != "Camden" {
		t.Errorf("the correction is not applied: %+v", got.Areas[0])
	}
	if of := to.EnsureSource("feed"); of.Records != 11 || of.ReceivedRecords() != 14 {
		t.Errorf("%d records and %d with those about people are counted, want 11 and 14", of.Records, of.ReceivedRecords())
	}
	for key, want := range map[string]sources.FaultCode{"odd": sources.FaultUnavailable,
		"broken": sources.FaultTruncated} {
		if f := to.EnsureSource(key).Faults; !maps.Equal(f, map[sources.FaultCode]int64{want: 1}) {
			t.Errorf("the faults of %s are %v, want one %s", key, f, want)
		}
	}
	if s := to.EnsureSource("odd").Samples; len(s) != 1 || !strings.Contains(s[0].Detail, "has no place to go") {
		t.Errorf("the fault of a record of an unknown type is %+v", s)
	}
}

// A cancelled run ends with an error that names the source. A directory that exists is not written to.
func TestReadingStops(t *testing.T) {
	var steps []string
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	src := recorded{info: sources.Info{Key: "feed"}, err: errors.New("stopped")}
	list := []SourceWithExtracts{{src, []sources.Extract{extractOf("feed", 0, "all1")}}}
	options := optionsOf(t, &steps)
	_, err := Read(cancelled, sourcetest.OpenArchive(t), list, options, report.New(dayOf(0)))
	if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "read feed: ") {
		t.Errorf("a cancelled run ends with %v", err)
	}
	if _, err = Read(t.Context(), sourcetest.OpenArchive(t), list, options, report.New(dayOf(0))); err == nil {
		t.Error("the rows of another run are overwritten")
	}
}

// An advert of a borough that the feed does not list is a fault that names it.
func TestAdvertsOfUnknownBoroughsAreFaults(t *testing.T) {
	var steps []string
	a := advertOf("feed", "17")
	a.Locations = []sources.Location{{Slug: "atlantis"}}
	feed := recorded{info: sources.Info{Key: "feed", Kind: sources.KindPlatform},
		objects: map[string][]sources.Record{"all1": {camden(), a, advertOf("feed", "18")}}}
	to := report.New(dayOf(0))
	if _, err := Read(t.Context(), sourcetest.OpenArchive(t),
		[]SourceWithExtracts{{feed, []sources.Extract{extractOf("feed", 0, "all1")}}}, optionsOf(t, &steps), to); err != nil {
		t.Fatal(err)
	}
	want := []sources.Fault{{Source: "feed", Where: "advert 17", Code: sources.FaultUnknownReference,
		Detail: `borough "atlantis" is not in the feed's boroughs; the advert is counted in no borough`}}
	if got := to.EnsureSource("feed").Samples; !slices.Equal(got, want) {
		t.Errorf("the faults are %+v, want %+v", got, want)
	}
}

// A borough of the feed whose code is that of no council is a fault of the feed; the others are used.
func TestBoroughsOfUnknownCodesAreFaults(t *testing.T) {
	var steps []string
	geography := recorded{info: sources.Info{Key: "geography", IsReference: true},
		objects: map[string][]sources.Record{"all1": {sources.Area{Kind: "council", Code: "E09000007", Name: "Camden"}}}}
	feed := recorded{info: sources.Info{Key: "feed", Kind: sources.KindPlatform}, objects: map[string][]sources.Record{
		"all1": {camden(), sources.Borough{Slug: "atlantis", Name: "Atlantis", Code: "X1"}, advertOf("feed", "17")}}}
	to, options := report.New(dayOf(0)), optionsOf(t, &steps)
	if _, err := Read(t.Context(), sourcetest.OpenArchive(t), []SourceWithExtracts{
		{geography, []sources.Extract{extractOf("geography", 0, "all1")}},
		{feed, []sources.Extract{extractOf("feed", 0, "all1")}}}, options, to); err != nil {
		t.Fatal(err)
	}
	f := to.EnsureSource("platform").Samples
	if len(f) != 1 || f[0].Source != "platform" || f[0].Code != sources.FaultUnknownPlace ||
		!strings.Contains(f[0].Detail, "X1") {
		t.Errorf("the faults are %+v, want one on the code X1", f)
	}
	places := stagedRows[staging.AdvertPlace](t, options.StagingDir, "advert_places")
	if !slices.Equal(places, []staging.AdvertPlace{{CouncilCode: "E09000007", IsCertain: true}}) {
		t.Errorf("the places are %+v, want Camden", places)
	}
}
