package cells

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/staging"
	"labour/snapshots"
)

// TestMonthsInWhichAVacancyCounts: a vacancy that is advertised every month counts in each of them, so that
// a steady demand is not seen in the last month only. Adverts of one vacancy in two sources, a few
// days apart around the end of a month, count once.
func TestMonthsInWhichAVacancyCounts(t *testing.T) {
	for posted, want := range map[string]string{
		"2026-09-03":                                             "2026-09",
		"2026-09-03 2026-10-03 2026-11-03":                       "2026-09 2026-10 2026-11",
		"2026-11-03 2026-09-03 2026-10-03":                       "2026-09 2026-10 2026-11",
		"2026-09-03 2026-09-29 2026-09-30":                       "2026-09",
		"2026-09-28 2026-10-02":                                  "2026-09",
		"2026-09-28 2026-10-02 2026-11-01":                       "2026-09 2026-11",
		"2026-09-28 2026-10-11":                                  "2026-09",
		"2026-09-28 2026-10-12":                                  "2026-09 2026-10",
		"2026-09-24 2026-10-01 2026-10-08 2026-10-15 2026-10-22": "2026-09 2026-10",
		"2026-08-30 2026-09-05 2026-10-10":                       "2026-08 2026-10",
	} {
		r := raw{}
		for i, text := range strings.Fields(posted) {
			day, err := time.Parse(time.DateOnly, text)
			if err != nil {
				t.Fatal(err)
			}
			r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: fmt.Sprint("a", i), Source: "platform",
				FirstSource: "platform", Employer: "x", Posted: day, Readable: true})
			r.verdicts = append(r.verdicts, countedVacancy(i, 0))
		}
		dir := t.TempDir()
		e := r.stage(t, dir, nil)
		var got []string
		for _, row := range ask[snapshots.AdvertsTotalRow](t, e, dir, QueryAdvertsTotal) {
			got = append(got, row.Month.Format("2006-01"))
			if row.Adverts != 1 {
				t.Errorf("posted on %s: %d adverts count in %s, want 1", posted, row.Adverts, row.Month)
			}
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("posted on %s: it counts in %v, want %s", posted, got, want)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestAVacancyIsWhatItsAdvertsOfTheMonthSay: a vacancy that is advertised again for another place and
// sector is in each month what the adverts of the month say: of several, the first by day, in whatever order
// they were read.
func TestAVacancyIsWhatItsAdvertsOfTheMonthSay(t *testing.T) {
	posted := func(ordinal int32, month time.Month, sector string) staging.Advert {
		return staging.Advert{Ordinal: ordinal, ID: fmt.Sprint("a", ordinal), Source: "platform", FirstSource: "platform",
			Employer: "x", Posted: time.Date(2026, month, 5, 0, 0, 0, 0, time.UTC), Sector: sector, Readable: true}
	}
	place := func(ordinal int32, code string) staging.AdvertPlace {
		return staging.AdvertPlace{Ordinal: ordinal, CouncilCode: code, IsCertain: true}
	}
	late := posted(1, time.June, "retail")
	late.Posted = late.Posted.AddDate(0, 0, 20) // it was read before the first advert of June
	r := raw{adverts: []staging.Advert{posted(0, time.January, "digital"), late, posted(2, time.June, "care")},
		verdicts: []staging.AdvertVacancy{countedVacancy(0, 0), countedVacancy(1, 0), countedVacancy(2, 0)},
		places:   []staging.AdvertPlace{place(0, boroughs[0].Code), place(2, boroughs[1].Code)}}
	dir := t.TempDir()
	e := r.stage(t, dir, nil)
	var got []string
	for _, row := range ask[snapshots.AdvertsTotalRow](t, e, dir, QueryAdvertsTotal) {
		if row.AreaKind == "borough" {
			got = append(got, fmt.Sprint(row.Month.Format("2006-01"), " ", row.Place, " ", row.Sector))
		}
	}
	slices.Sort(got)
	want := []string{"2026-01 " + boroughs[0].Place + " digital", "2026-06 " + boroughs[1].Place + " care"}
	if !slices.Equal(got, want) {
		t.Errorf("it counts as %q, want %q", got, want)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// countedAdvert is an advert that stands for its vacancy in a month.
type countedAdvert struct {
	staging.Advert         // posted in the month
	adverts        []int32 // all adverts of the vacancy that count in the month, by ordinal
}

// counted returns the counted adverts. A vacancy counts once in each month in which an advert of it
// was posted. But adverts of a month that all follow those of earlier months by less than 14 days
// count in the month before.
func (r raw) counted() []countedAdvert {
	var out []countedAdvert
	for i, kept := range r.adverts {
		if r.verdicts[i].CountedAs != int32(i) {
			continue
		}
		adverts := r.advertsOf(int32(i))
		slices.SortStableFunc(adverts, func(x, y int32) int { return r.adverts[x].Posted.Compare(r.adverts[y].Posted) })
		var before time.Time // day of the last advert of the months before
		for len(adverts) > 0 {
			month := monthOf(r.adverts[adverts[0]].Posted)
			n := 1
			for n < len(adverts) && monthOf(r.adverts[adverts[n]].Posted) == month {
				n++
			}
			last := r.adverts[adverts[n-1]].Posted
			if before.IsZero() || last.Sub(before) >= 14*24*time.Hour {
				out = append(out, countedAdvert{Advert: staging.Advert{Posted: last}})
			}
			newest := &out[len(out)-1]
			newest.adverts = append(newest.adverts, adverts[:n]...)
			adverts, before = adverts[n:], last
		}
		r.chooseAdverts(out, kept)
	}
	return out
}

// chooseAdverts fills in the particulars of the counted adverts that do not have them yet: those of
// the advert that is kept for the vacancy, or else of the first by source, day and id.
func (r raw) chooseAdverts(list []countedAdvert, kept staging.Advert) {
	for i, c := range list {
		if c.ID != "" {
			continue
		}
		chosen := slices.MinFunc(c.adverts, func(x, y int32) int {
			a, b := r.adverts[x], r.adverts[y]
			return cmp.Or(cmp.Compare(a.Precedence, b.Precedence), a.Posted.Compare(b.Posted), cmp.Compare(a.ID, b.ID))
		})
		if slices.Contains(c.adverts, kept.Ordinal) {
			chosen = kept.Ordinal
		}
		list[i].Advert = r.adverts[chosen]
		list[i].Posted = c.Posted
		list[i].Employer = cmp.Or(r.adverts[chosen].Employer, "alone "+kept.ID)
	}
}

// advertsOf returns the counted adverts of a vacancy, by ordinal.
func (r raw) advertsOf(vacancy int32) (adverts []int32) {
	for j, v := range r.verdicts {
		if v.CountedAs == vacancy {
			adverts = append(adverts, int32(j))
		}
	}
	return adverts
}
