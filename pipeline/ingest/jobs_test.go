package ingest

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/report"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// configured are the sources of the tests in order of precedence. The terms of the last two permit
// counting only.
var configured = []sources.Info{
	{Key: "feed", Kind: sources.KindPlatform, Terms: sources.Terms{MayCount: true, MayRepublish: true}},
	{Key: "boards", Kind: sources.KindEmployerBoards, ListsLiveOnly: true, Terms: sources.Terms{MayCount: true,
		MayRepublish: true}},
	{Key: "service", Kind: sources.KindApprenticeships, Terms: sources.Terms{MayCount: true}},
	{Key: "counted", Kind: sources.KindPlatform, Terms: sources.Terms{MayCount: true}},
}

// stagerOf stages the newest and only extract of a configured source, fetched at noon of day 0.
func stagerOf(t *testing.T, source string) *stager {
	t.Helper()
	files, err := staging.Create(filepath.Join(t.TempDir(), "staging"))
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{files: files, reports: report.New(sources.DateOf(noon)),
		recodedFigures: map[figureKey]publishedFigure{},
		options:        Options{AsOf: dayOf(0), JobsDay: dayOf(0), SourceInfos: configured}}
	s := &stager{reader: r, report: r.reports.EnsureSource(source), fetchTime: noon}
	s.info = infoOf(source)
	s.history = extractHistory{isListing: s.info.ListsLiveOnly, newest: true, oldest: true}
	return s
}

// infoOf is the description of a configured source; without one it is empty.
func infoOf(source string) (info sources.Info) {
	if i := slices.IndexFunc(configured, func(i sources.Info) bool { return i.Key == source }); i >= 0 {
		return configured[i]
	}
	return info
}

func dayOf(n int) sources.Date { return sources.DateOf(day(n)) }

func midnight(n int) time.Time { return dayOf(n).Time() }

// rowsOf closes the staged files, unless they are closed, and returns the rows of one.
func rowsOf[T any](t *testing.T, s *stager, name string) []T {
	t.Helper()
	if err := errors.Join(s.writeError, s.reader.files.Close()); err != nil {
		t.Fatal(err)
	}
	s.reader.files = &staging.StagedFiles{Dir: s.reader.files.Dir} // without open files
	rows, err := parquetio.ReadAll[T](filepath.Join(s.reader.files.Dir, name+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// liveAdvert is an advert of the feed that is live on day 0.
func liveAdvert() sources.Advert {
	return sources.Advert{Source: "feed", ID: "17", Origin: sources.OriginPlatform, Listed: true, Employer: "Some Firm",
		Title: "Nurse", Kind: "job", Posted: dayOf(-3), Closes: dayOf(5), SalaryText: "£20 an hour",
		Link: "https://works.example/17"}
}

// A live advert is a job if it is listed, posted and not closed, its kind is published, and both
// the source that delivered it and the one whose terms apply permit publication.
func TestALiveAdvertIsAJob(t *testing.T) {
	change := func(f func(*sources.Advert)) sources.Advert {
		a := liveAdvert()
		f(&a)
		return a
	}
	cases := []struct {
		name   string
		source string
		advert sources.Advert
		older  bool // of an extract that is not the newest one
		want   bool
	}{
		{"live", "feed", liveAdvert(), false, true},
		{"an apprenticeship", "feed", change(func(a *sources.Advert) { a.Kind = "apprenticeship" }), false, true},
		{"a training", "feed", change(func(a *sources.Advert) { a.Kind = "training" }), false, true},
		{"another kind", "feed", change(func(a *sources.Advert) { a.Kind = "volunteering" }), false, false},
		{"not listed", "feed", change(func(a *sources.Advert) { a.Listed = false }), false, false},
		{"never posted", "feed", change(func(a *sources.Advert) { a.Posted = sources.Date{} }), false, false},
		{"posted today", "feed", change(func(a *sources.Advert) { a.Posted = dayOf(0) }), false, true},
		{"posted tomorrow", "feed", change(func(a *sources.Advert) { a.Posted = dayOf(1) }), false, false},
		{"closes today", "feed", change(func(a *sources.Advert) { a.Closes = dayOf(0) }), false, true},
		{"closed yesterday", "feed", change(func(a *sources.Advert) { a.Closes = dayOf(-1) }), false, false},
		{"without a closing day", "feed", change(func(a *sources.Advert) { a.Closes = sources.Date{} }), false, true},
		{"of an older extract of the feed", "feed", liveAdvert(), true, true},
		{"of the newest listing", "boards", liveAdvert(), false, true},
		{"of an older listing", "boards", liveAdvert(), true, false},
		{"delivered under terms that permit counting only", "counted", liveAdvert(), false, false},
		{"under terms that permit counting only", "feed",
			change(func(a *sources.Advert) { a.Origin = sources.OriginApprenticeship }), false, false},
		{"of an origin without known terms", "feed",
			change(func(a *sources.Advert) { a.Origin = sources.OriginAggregator }), false, false},
	}
	s := stagerOf(t, "feed")
	for i, c := range cases {
		s.info = infoOf(c.source)
		s.history = extractHistory{isListing: s.info.ListsLiveOnly, newest: !c.older}
		s.job(int32(i), &c.advert, &coding.CodedAdvert{})
	}
	staged := map[int32]bool{}
	for _, j := range rowsOf[staging.Job](t, s, "jobs") {
		staged[j.Ordinal] = true
	}
	for i, c := range cases {
		if got := staged[int32(i)]; got != c.want {
			t.Errorf("an advert %s: staged as a job %v, want %v", c.name, got, c.want)
		}
	}
}

// The fields of a job are those of its advert. A job that the previous snapshot has keeps its first
// day there.
func TestFieldsOfAJob(t *testing.T) {
	seen := day(-40).Truncate(time.Second)
	for _, c := range []struct {
		name      string
		change    func(*sources.Advert)
		firstSeen map[string]time.Time
		want      func(*staging.Job)
	}{
		{"a new one", func(*sources.Advert) {}, nil, func(*staging.Job) {}},
		{"a known one", func(*sources.Advert) {}, map[string]time.Time{"feed:17": seen, "17": day(-9)},
			func(j *staging.Job) { j.FirstSeen = seen }},
		{"a bare one", func(a *sources.Advert) { a.Closes, a.SalaryText, a.Link = sources.Date{}, "", "" }, nil,
			func(j *staging.Job) { j.ClosesOn, j.SalaryText, j.Link = nil, nil, nil }},
		{"an imported one", func(a *sources.Advert) { a.Origin = sources.OriginEmployerBoard }, nil,
			func(j *staging.Job) { j.SourceKey = "boards" }},
	} {
		s := stagerOf(t, "feed")
		s.reader.options.JobsFirstSeen = c.firstSeen
		s.fetchTime = noon.Add(7*time.Second + time.Millisecond)
		a := liveAdvert()
		c.change(&a)
		s.job(4, &a, &coding.CodedAdvert{Sector: "care", SOC: "2231"})
		want := staging.Job{Ordinal: 4, ID: "feed:17", Type: "job", Title: "Nurse", Employer: "Some Firm", Sector: "care",
			SOC: "2231", SalaryText: new("£20 an hour"), PostedAt: midnight(-3), FirstSeen: noon.Add(7 * time.Second),
			ClosesOn: new(midnight(5)), Link: new("https://works.example/17"), SourceKey: "feed"}
		c.want(&want)
		if got := rowsOf[staging.Job](t, s, "jobs"); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("%s: the job is %+v, want %+v", c.name, got, want)
		}
	}
	s := stagerOf(t, "boards")
	a := liveAdvert()
	s.job(0, &a, &coding.CodedAdvert{})
	if got := rowsOf[staging.Job](t, s, "jobs"); len(got) != 1 || got[0].Precedence != 1 {
		t.Errorf("the second configured source has the precedence 1: %+v", got)
	}
	if got := s.reader.precedence("another"); got != -1 {
		t.Errorf("a source that is not configured has the precedence %d, want -1", got)
	}
}

// An event of a later day, or later than the fetch of the feed, is left out.
func TestEventsAreStaged(t *testing.T) {
	cases := []struct {
		name    string
		at      time.Time
		fetched time.Time
		want    bool
	}{
		{"before the fetch", noon.Add(-time.Hour), noon, true},
		{"at the fetch", noon, noon, true},
		{"after the fetch", noon.Add(time.Second), noon, false},
		{"at the end of the day", midnight(1).Add(-time.Second), day(3), true},
		{"on the next day", midnight(1), day(3), false},
		{"on the next day in another zone", midnight(1).Add(-time.Hour).In(time.FixedZone("", 7200)), day(3), true},
	}
	s := stagerOf(t, "feed")
	for _, c := range cases {
		s.fetchTime = c.fetched
		s.event(&sources.Event{ID: c.name, OccurredAt: c.at})
	}
	staged := map[string]bool{}
	for _, e := range rowsOf[snapshots.EventsRow](t, s, "events") {
		staged[e.ID] = true
	}
	for _, c := range cases {
		if got := staged[c.name]; got != c.want {
			t.Errorf("an event %s: staged %v, want %v", c.name, got, c.want)
		}
	}
	s = stagerOf(t, "feed")
	at := noon.Add(-time.Hour).In(time.FixedZone("", 3600))
	s.event(&sources.Event{ID: "e1", Type: "outcome.recorded", OccurredAt: at.Add(time.Millisecond), Partner: "p",
		Advert: "17", Borough: "camden", Outcome: sources.OutcomeHired})
	s.event(&sources.Event{ID: "e2", Type: "click.recorded", OccurredAt: at})
	want := []snapshots.EventsRow{
		{ID: "e1", Type: "outcome.recorded", OccurredAt: noon.Add(-time.Hour), Partner: "p", Advert: new("17"),
			Borough: new("camden"), Outcome: new("hired")},
		{ID: "e2", Type: "click.recorded", OccurredAt: noon.Add(-time.Hour)}}
	if got := rowsOf[snapshots.EventsRow](t, s, "events"); !reflect.DeepEqual(got, want) {
		t.Errorf("the events are %+v, want %+v", got, want)
	}
}

// An advert that may be republished is live from its posting to its closing day, the date of the
// data or, in a listing that no longer shows it, the last day on which it was shown.
func TestDaysOfAShareableAdvert(t *testing.T) {
	never := sources.Date{}
	cases := []struct {
		name    string
		source  string
		older   bool
		fetched int
		posted  sources.Date
		closes  sources.Date
		want    sources.Date // the last day; zero = it is not staged
	}{
		{"open", "feed", false, 0, dayOf(-3), never, dayOf(0)},
		{"closed", "feed", false, 0, dayOf(-3), dayOf(-1), dayOf(-1)},
		{"that closes later", "feed", false, 0, dayOf(-3), dayOf(5), dayOf(5)},
		{"never posted", "feed", false, 0, never, dayOf(5), never},
		{"posted on the date of the data", "feed", false, 0, dayOf(0), never, dayOf(0)},
		{"posted after it", "feed", false, 0, dayOf(1), never, never},
		{"in the newest listing", "boards", false, 0, dayOf(-3), dayOf(5), dayOf(5)},
		{"last shown days ago", "boards", true, -2, dayOf(-3), never, dayOf(-2)},
		{"last shown on the date of the data", "boards", true, 0, dayOf(-3), never, dayOf(-1)},
		{"last shown days ago that closes later", "boards", true, -2, dayOf(-3), dayOf(5), dayOf(-2)},
		{"that closed before it was last shown", "boards", true, -2, dayOf(-9), dayOf(-4), dayOf(-4)},
		{"last shown on the day of posting", "boards", true, -2, dayOf(-2), never, dayOf(-2)},
		{"last shown before it was posted", "boards", true, -2, dayOf(-1), never, never},
		{"in an older extract of the feed", "feed", true, -2, dayOf(-3), dayOf(5), dayOf(5)},
		{"delivered under terms that permit counting only", "counted", false, 0, dayOf(-3), never, never},
	}
	s := stagerOf(t, "feed")
	var want []staging.ShareableAdvert
	var places []staging.ShareablePlace
	for i, c := range cases {
		s.info, s.fetchTime = infoOf(c.source), day(c.fetched)
		s.history = extractHistory{isListing: s.info.ListsLiveOnly, newest: !c.older}
		a := liveAdvert()
		a.Posted, a.Closes = c.posted, c.closes
		s.shareable(int32(i), &a, &coding.CodedAdvert{Place: place.Coding{Councils: []string{"E09000007"}}})
		if !c.want.IsZero() {
			want = append(want, staging.ShareableAdvert{Ordinal: int32(i), Precedence: s.reader.precedence(c.source),
				SourceKey: "feed", Posted: c.posted.Time(), LiveUntil: c.want.Time()})
			places = append(places, staging.ShareablePlace{Ordinal: int32(i), CouncilCode: "E09000007"})
		}
	}
	got := rowsOf[staging.ShareableAdvert](t, s, "shared")
	for i, c := range cases {
		of := func(r staging.ShareableAdvert) bool { return r.Ordinal != int32(i) }
		got, want := slices.DeleteFunc(slices.Clone(got), of), slices.DeleteFunc(slices.Clone(want), of)
		if !slices.Equal(got, want) {
			t.Errorf("an advert %s: %+v, want %+v", c.name, got, want)
		}
	}
	if got := rowsOf[staging.ShareablePlace](t, s, "shared_places"); !slices.Equal(got, places) {
		t.Errorf("the places are %+v, want %+v", got, places)
	}
	for name, change := range map[string]func(*sources.Advert){
		"not listed":            func(a *sources.Advert) { a.Listed = false },
		"of an unknown licence": func(a *sources.Advert) { a.Origin = sources.OriginJobBoard },
	} {
		s := stagerOf(t, "feed")
		a := liveAdvert()
		change(&a)
		s.shareable(0, &a, &coding.CodedAdvert{})
		if got := rowsOf[staging.ShareableAdvert](t, s, "shared"); len(got) != 0 {
			t.Errorf("an advert %s is not shareable: %+v", name, got)
		}
	}
}

// The places of an advert are its points if each location has one in the United Kingdom, and else
// its councils.
func TestPlacesOfAShareableAdvert(t *testing.T) {
	at := func(latitude, longitude float64) sources.Location {
		return sources.Location{Text: "Camden", Latitude: latitude, Longitude: longitude}
	}
	point := func(latitude, longitude float64) staging.ShareablePlace {
		return staging.ShareablePlace{Latitude: latitude, Longitude: longitude}
	}
	councils := []staging.ShareablePlace{{CouncilCode: "E09000007"}, {CouncilCode: "E09000019"}}
	for _, c := range []struct {
		name      string
		locations []sources.Location
		want      []staging.ShareablePlace
	}{
		{"none", nil, councils},
		{"two points", []sources.Location{at(51.5, -0.1), at(55, 1)},
			[]staging.ShareablePlace{point(51.5, -0.1), point(55, 1)}},
		{"a point and nothing", []sources.Location{at(51.5, -0.1), {}}, []staging.ShareablePlace{point(51.5, -0.1)}},
		{"a point and a text", []sources.Location{at(51.5, -0.1), {Text: "Leeds"}}, councils},
		{"a point and a slug", []sources.Location{{Slug: "leeds"}, at(51.5, -0.1)}, councils},
		{"a point and a postcode", []sources.Location{at(51.5, -0.1), {Postcode: "LS1"}}, councils},
		{"at the southern bound", []sources.Location{at(45, 0)}, councils},
		{"within the southern bound", []sources.Location{at(45.01, 0)}, []staging.ShareablePlace{point(45.01, 0)}},
		{"at the northern bound", []sources.Location{at(65, 0)}, councils},
		{"within the northern bound", []sources.Location{at(64.99, 0)}, []staging.ShareablePlace{point(64.99, 0)}},
		{"at the western bound", []sources.Location{at(55, -20)}, councils},
		{"within the western bound", []sources.Location{at(55, -19.99)}, []staging.ShareablePlace{point(55, -19.99)}},
		{"at the eastern bound", []sources.Location{at(55, 10)}, councils},
		{"within the eastern bound", []sources.Location{at(55, 9.99)}, []staging.ShareablePlace{point(55, 9.99)}},
	} {
		got := placesOf(&sources.Advert{Locations: c.locations},
			&coding.CodedAdvert{Place: place.Coding{Councils: []string{"E09000007", "E09000019"}}})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the places are %+v, want %+v", c.name, got, c.want)
		}
	}
}
