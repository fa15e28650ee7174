package snaptest

import (
	"errors"
	"fmt"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// HeldContent is what the held datasets shall hold; they are written whether or not
// they are open, as the pipeline does.
type HeldContent struct {
	Demand     []snapshots.DemandRow
	Trends     []snapshots.TrendsRow
	Outlook    []snapshots.OutlookRow
	Reach      []snapshots.ReachRow
	Signals    []snapshots.SignalsRow
	Priorities []snapshots.PrioritiesRow
}

// writeHeld writes every held dataset and says how many rows each has.
func (c Content) writeHeld(w *snapshots.Writer, asOf time.Time) (map[string]int64, error) {
	rows := map[string]int64{}
	h := c.Held
	return rows, errors.Join(
		putHeld(w, c.Sources, asOf, rows, "demand", h.Demand), putHeld(w, c.Sources, asOf, rows, "trends", h.Trends),
		putHeld(w, c.Sources, asOf, rows, "outlook", h.Outlook), putHeld(w, c.Sources, asOf, rows, "reach", h.Reach),
		putHeld(w, c.Sources, asOf, rows, "signals", h.Signals), putHeld(w, c.Sources, asOf, rows, "priorities", h.Priorities))
}

func putHeld[T any](w *snapshots.Writer, sources []snapshots.SourcesRow, asOf time.Time, count map[string]int64, name string, rows []T) error {
	table, ok := snapshots.HeldTableNamed(name)
	if !ok {
		return fmt.Errorf("no held dataset %s", name)
	}
	count[name] = int64(len(rows))
	return parquetio.WriteTable(w.FilePath(snapshots.HeldFileName(name)), table, snapshots.TableMetadata(table, w.ID(), sources), asOf, Sorted(table, rows))
}

// held is a few rows of every held dataset.
func held(asOf time.Time) HeldContent {
	var h HeldContent
	for ago := range 3 {
		for i, soc := range []string{"2134", "6135"} {
			h.Demand = append(h.Demand, snapshots.DemandRow{Day: asOf.AddDate(0, 0, -ago), SOC: soc, Occupation: "Occupation " + soc,
				Vacancies: int32(40 + i - ago), SourceKeys: "find_an_apprenticeship,platform"})
		}
	}
	for rank, direction := range []string{"growing", "shrinking"} {
		h.Trends = append(h.Trends, snapshots.TrendsRow{Digits: 4, Direction: direction, Rank: 1, SOC: []string{"2134", "6135"}[rank], Occupation: "Occupation",
			Vacancies: 60, PreviousVacancies: 30, ChangePct: 1000, WindowFrom: asOf.AddDate(0, 0, -90), WindowTo: asOf,
			PreviousFrom: asOf.AddDate(0, 0, -454), PreviousTo: asOf.AddDate(0, 0, -364), SourceKeys: "platform"})
	}
	openings := int64(12_000)
	for _, months := range []int16{6, 60} {
		h.Outlook = append(h.Outlook, snapshots.OutlookRow{SOC: "2134", Occupation: "Programmers", Classification: "SOC2020", Country: "GB",
			HorizonMonths: months, Signal: "gap", SourcesGap: 1, ProjectedChangePct: 15, LowChangePct: 10, HighChangePct: 20,
			ProjectedOpenings: &openings, SourceKeys: "skills_imperative_2035"})
	}
	for _, km := range []int16{5, 10} {
		h.Reach = append(h.Reach, snapshots.ReachRow{WardCode: "E05000128", WardName: "A ward", CouncilCode: "E09000007", WithinKM: km,
			Vacancies: int32(km) * 10, VacanciesPlacedByCouncil: 20, SourceKeys: "ons_geography,platform"})
	}
	page := "12"
	h.Signals = []snapshots.SignalsRow{{ID: "skills_imperative_2035:0a", PublishedOn: asOf, Topics: "pay,vacancies", Summary: "A sentence of our own.",
		SourceKey: "skills_imperative_2035", Licence: "Open Government Licence v3.0", Link: "https://example.org/news"}}
	h.Priorities = []snapshots.PrioritiesRow{{RegionCode: "E69000039", Plan: "a-plan", Kind: "occupation", Code: "2134", Name: "Programmers",
		Summary: "A sentence of our own.", Page: &page, PublishedOn: asOf, SourceKey: "skills_imperative_2035", Licence: "Open Government Licence v3.0", Link: "https://example.org/plan"}}
	return h
}
