package people

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/disclosure"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/snapshots/periods"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
	"labour/sources/sourcetest"
)

func moment(month time.Month, day, hour int) time.Time {
	return time.Date(2026, month, day, hour, 0, 0, 0, time.UTC)
}

// feedOf archives a fetch of the feed whose index states until when it is complete.
func feedOf(t *testing.T, a *archive.Archive, at time.Time, index string, kept bool) {
	t.Helper()
	x := sources.Extract{Source: platform.Key, FetchedAt: at}
	own := fmt.Sprintf("adverts-%d.ndjson", at.Month()) // a file that no other fetch has, so that it can be damaged
	for name, text := range map[string]string{platform.IndexObjectName: index, "residents.ndjson": "{}",
		"applications.ndjson": "{}", own: own} {
		sha, n, err := a.PutBody(platform.Key, strings.NewReader(text), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		x.Objects = append(x.Objects, sources.ArchivedObject{Name: name, SHA256: sha, Bytes: n, FetchedAt: at,
			Kept: kept && name != platform.IndexObjectName})
	}
	if err := a.AppendExtract(x); err != nil {
		t.Fatal(err)
	}
}

// The figures describe the newest quarter for which the newest fetch of people is complete, and
// never an earlier one than is published. Without such a quarter there are none.
func TestNewestPeriodOfTheFeed(t *testing.T) {
	june, september := yearTo(6, 30), yearTo(9, 30)
	asOf := sources.Date{Year: 2026, Month: 11, Day: 20}
	none := func() ([]*previous.Snapshot, error) { return nil, nil }
	printed := func() ([]*previous.Snapshot, error) { return []*previous.Snapshot{figuresTo(september)}, nil }
	failing := func() ([]*previous.Snapshot, error) { return nil, errors.New("no index") }
	complete := func(until string) string { return `{"complete_until": "` + until + `", "files": []}` }
	misses := func(until string) string {
		return `{"complete_until": "` + until + `", "files": ["adverts-0.ndjson"]}`
	}
	type fetch struct {
		at    time.Time
		index string
		kept  bool
	}
	for _, c := range []struct {
		name      string
		fetches   []fetch
		published func() ([]*previous.Snapshot, error)
		want      calendar.Period
		fails     bool
	}{
		{"no feed", nil, none, calendar.Period{}, false},
		{"no feed any more", nil, printed, september, false},
		{"complete to September", []fetch{{moment(11, 1, 0), complete("2026-10-01T00:00:00Z"), false}}, none, september,
			false},
		{"complete to August", []fetch{{moment(11, 1, 0), complete("2026-09-01T00:00:00Z"), false}}, none, june, false},
		{"complete to August, September is published",
			[]fetch{{moment(11, 1, 0), complete("2026-09-01T00:00:00Z"), false}}, printed, september, false},
		{"the newer fetch kept the files",
			[]fetch{{moment(10, 1, 0), complete("2026-09-01T00:00:00Z"), false},
				{moment(11, 1, 0), complete("2026-10-01T00:00:00Z"), true}}, none, june, false},
		{"the newer fetch has them",
			[]fetch{{moment(10, 1, 0), complete("2026-09-01T00:00:00Z"), false},
				{moment(11, 1, 0), complete("2026-10-01T00:00:00Z"), false}}, none, september, false},
		{"a fetch that was not known",
			[]fetch{{moment(10, 1, 0), complete("2026-09-01T00:00:00Z"), false},
				{moment(12, 1, 0), complete("2026-10-01T00:00:00Z"), false}}, none, june, false},
		{"an unreadable time is a fault of the feed", []fetch{{moment(11, 1, 0), complete("soon"), false}}, none,
			september, false},
		{"an index that is not JSON is one too", []fetch{{moment(11, 1, 0), "<html>", false}}, none, september, false},
		{"what is published cannot be read", []fetch{{moment(11, 1, 0), complete("2026-10-01T00:00:00Z"), false}}, failing,
			calendar.Period{}, true},
		{"the first fetch misses a file", []fetch{{moment(11, 1, 0), misses("2026-10-01T00:00:00Z"), false}}, none,
			calendar.Period{}, false},
		{"a fetch misses a file, September is published",
			[]fetch{{moment(11, 1, 0), misses("2026-10-01T00:00:00Z"), false}}, printed, september, false},
		{"the newest fetch misses a file, and it is the one that is read",
			[]fetch{{moment(10, 1, 0), complete("2026-10-01T00:00:00Z"), false},
				{moment(11, 1, 0), misses("2026-10-01T00:00:00Z"), false}}, none, calendar.Period{}, false},
		{"the first fetch misses a file, and a light run kept the others",
			[]fetch{{moment(10, 1, 0), misses("2026-10-01T00:00:00Z"), false},
				{moment(11, 1, 0), misses("2026-10-01T00:00:00Z"), true}}, none, calendar.Period{}, false},
	} {
		a := sourcetest.OpenArchive(t)
		for _, f := range c.fetches {
			feedOf(t, a, f.at, f.index, f.kept)
		}
		known := func(x sources.Extract) bool { return x.FetchedAt.Before(moment(11, 20, 0)) }
		got, err := NewestPeriod(a, known, c.published, nil, asOf)
		if (err != nil) != c.fails || got.To != c.want.To {
			t.Errorf("%s: the quarter to %s, %v; want that to %s", c.name, got.To, err, c.want.To)
		}
	}
}

// A quarter is made of a fetch that is complete for it and undamaged in the archive. If the newest is
// damaged, an older one decides, as it is the one that is read. A quarter that is published needs none.
func TestAQuarterNeedsAnUndamagedFetch(t *testing.T) {
	june, september := yearTo(6, 30), yearTo(9, 30)
	asOf := sources.Date{Year: 2026, Month: 11, Day: 20}
	for _, c := range []struct {
		name      string
		damaged   int // how many of the newest fetches
		published []*previous.Snapshot
		want      calendar.Period
	}{
		{"none is damaged", 0, nil, september},
		{"the newest is damaged", 1, nil, june},
		{"the newest is damaged, June is published", 1, []*previous.Snapshot{figuresTo(june)}, june},
		{"all are damaged", 2, nil, calendar.Period{}},
		{"all are damaged, June is published", 2, []*previous.Snapshot{figuresTo(june)}, june},
		{"all are damaged, September is published", 2, []*previous.Snapshot{figuresTo(september)}, september},
	} {
		a := sourcetest.OpenArchive(t)
		feedOf(t, a, moment(10, 1, 0), `{"complete_until": "2026-07-01T00:00:00Z", "files": []}`, false)
		feedOf(t, a, moment(11, 1, 0), `{"complete_until": "2026-10-01T00:00:00Z", "files": []}`, false)
		n := 0
		for x, err := range a.ExtractsNewestFirst(platform.Key) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n > c.damaged {
				break
			}
			o, _ := x.Object(fmt.Sprintf("adverts-%d.ndjson", x.FetchedAt.Month()))
			if err := os.Remove(a.BodyPath(o.SHA256)); err != nil {
				t.Fatal(err)
			}
		}
		published := func() ([]*previous.Snapshot, error) { return c.published, nil }
		if got, err := NewestPeriod(a, archive.AllExtracts, published, nil, asOf); err != nil || got.To != c.want.To {
			t.Errorf("%s: the quarter to %s, %v; want that to %s", c.name, got.To, err, c.want.To)
		}
	}
}

// A quarter that was made too early is left out, and an older fetch gives the quarter before, unless that is published.
func TestAQuarterMadeTooEarlyIsLeftOut(t *testing.T) {
	june := yearTo(6, 30)
	early := store.EarlyQuarters{"2026-09-30": "2026-09-29.1"}
	a := sourcetest.OpenArchive(t)
	feedOf(t, a, moment(10, 1, 0), `{"complete_until": "2026-07-01T00:00:00Z", "files": []}`, false)
	feedOf(t, a, moment(11, 1, 0), `{"complete_until": "2026-10-01T00:00:00Z", "files": []}`, false)
	for _, all := range [][]*previous.Snapshot{nil, {figuresTo(june)}, {figuresTo(yearTo(9, 30)), figuresTo(june)}} {
		published := func() ([]*previous.Snapshot, error) { return all, nil }
		got, err := NewestPeriod(a, archive.AllExtracts, published, early, sources.Date{Year: 2026, Month: 11, Day: 20})
		if err != nil || got.To != june.To {
			t.Errorf("with %d published: the quarter to %s, %v; want that to %s", len(all), got.To, err, june.To)
		}
	}
}

// An archived index that is damaged stops the run.
func TestDamagedIndexIsAnError(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	if err := a.AppendExtract(sources.Extract{Source: platform.Key, FetchedAt: moment(11, 1, 0),
		Objects: []sources.ArchivedObject{
			{Name: platform.IndexObjectName, SHA256: strings.Repeat("0", 64)}, {Name: "residents.ndjson"},
			{Name: "applications.ndjson"}}}); err != nil {
		t.Fatal(err)
	}
	none := func() ([]*previous.Snapshot, error) { return nil, nil }
	asOf := sources.Date{Year: 2026, Month: 11, Day: 20}
	if got, err := NewestPeriod(a, archive.AllExtracts, none, nil, asOf); err == nil {
		t.Errorf("an index that is missing gives the quarter to %s", got.To)
	}
}

// A journal of extracts that cannot be read stops the run.
func TestDamagedExtractsAreAnError(t *testing.T) {
	dir := t.TempDir()
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.AppendExtract(sources.Extract{Source: platform.Key, FetchedAt: moment(11, 1, 0)}); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(dir, "extracts", platform.Key+".ndjson")
	if err := errors.Join(a.Close(), os.WriteFile(journal, []byte("{]\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	none := func() ([]*previous.Snapshot, error) { return nil, nil }
	day := sources.Date{Year: 2026, Month: 11, Day: 20}
	if _, err := NewestPeriod(a, archive.AllExtracts, none, nil, day); !errors.Is(err, sources.ErrDamaged) {
		t.Errorf("%v", err)
	}
}

// Figures are overdue three days after they were due, and the remark names both quarters. Figures that
// are not there yet are remarked on each day.
func TestOverdueFiguresAreRemarkedOn(t *testing.T) {
	june, september := yearTo(6, 30), yearTo(9, 30)
	early := store.EarlyQuarters{"2026-09-30": "2026-10-02.1"}
	for _, c := range []struct {
		name    string
		day     int
		figures calendar.Period
		early   store.EarlyQuarters
		has     string
	}{
		{"on the first day", 1, june, nil, ""},
		{"overdue", 20, june, nil,
			"describe the time to 2026-06-30: no extract of the feed is known to contain everything to 2026-09-30"},
		{"of the newest quarter", 20, september, nil, ""},
		{"none", 1, calendar.Period{}, nil, "there are no figures of people yet: no fetch of the feed is complete"},
		{"made too early", 20, june, early,
			"no figures of people to 2026-09-30: snapshot 2026-10-02.1 made them before that day, while the clock was ahead"},
		{"none, and made too early", 20, calendar.Period{}, early, "2026-10-02.1 made them before that day"},
		{"due after one made too early", 2, yearTo(3, 31), store.EarlyQuarters{"2026-06-30": "2026-07-01.1"}, ""},
		{"overdue after one made too early", 4, yearTo(3, 31), store.EarlyQuarters{"2026-06-30": "2026-07-01.1"},
			"no extract of the feed"},
		{"another made too early", 20, june, store.EarlyQuarters{"2026-06-30": "2026-07-01.1"}, "no extract of the feed"},
	} {
		got, day := "", sources.Date{Year: 2026, Month: 10, Day: c.day}
		if (Counts{Period: c.figures}).MayBeOverdue(day) {
			got = OverdueRemark(day, c.figures, c.early)
		}
		if (got == "") != (c.has == "") || !strings.Contains(got, c.has) {
			t.Errorf("%s: the remark is %q, want it with %q", c.name, got, c.has)
		}
	}
}

// The pages of the server and the remark announce the quarter that a run on that day would count.
func TestAnnouncedQuarterIsTheOneThatIsMade(t *testing.T) {
	june := yearTo(6, 30)
	day := sources.Date{Year: 2026, Month: 10, Day: 1}
	for ; day.Year < 2029; day = day.AddDays(1) {
		made := calendar.YearToLastQuarter(day).To.Time()
		if got := periods.NextPeopleQuarterEnd(day.Time(), june.To.Time()); !got.Equal(made) {
			t.Fatalf("on %s the next figures are announced to %s, and made to %s", day, got, made)
		}
	}
}

// The manifest states the quarter, the protection and the newest fetch of the feed.
func TestManifestEntryOfFigures(t *testing.T) {
	secret := disclosure.RoundingSecret{7}
	extracts := []sources.Extract{{Source: platform.Key, FetchedAt: moment(10, 1, 6)},
		{Source: platform.Key, FetchedAt: moment(10, 2, 6).Add(time.Millisecond).In(time.FixedZone("", 3600))},
		{Source: platform.Key, FetchedAt: moment(9, 2, 6)}, {Source: "boards", FetchedAt: moment(10, 9, 6)}}
	in := Inputs{Protection: disclosure.ProtectionRounded, Secret: secret}
	got := ManifestEntry(yearTo(9, 30), in, "2026-11-20.1", extracts)
	want := snapshots.People{From: snapshots.DateOf(yearTo(9, 30).From.Time()),
		To: snapshots.DateOf(yearTo(9, 30).To.Time()), Protection: "rounded", SecretSHA256: secret.SHA256(),
		FirstSnapshot: "2026-11-20.1", FeedFetchedAt: moment(10, 2, 6)}
	if *got != want {
		t.Errorf("the entry is %+v, want %+v", *got, want)
	}
	if of := PeriodOf(got); of != yearTo(9, 30) {
		t.Errorf("the quarter of the entry is %v, want %v", of, yearTo(9, 30))
	}
}
