package embargoed

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/sources"
)

// horizonMonths are the horizons of the outlook: "6 months to 5 years".
func horizonMonths() []int { return []int{6, 12, 24, 36, 48, 60} }

// steepest is the largest projected change that is believed, per cent; more is an
// error of the publication.
const steepest = 10_000

// occupation is what an outlook is for: sources are compared only within one
// country, region and classification, and only under the same code.
type occupation struct{ country, class, soc, region string }

// Outlook blends what the sources project for each occupation and horizon.
//
// A projection from a base year to a horizon year is taken as steady growth: a change of c per cent
// over n years is (1 + c/100)^(h/12n) - 1 over h months. It is used only inside its own period,
// from the middle of the base year to the end of the horizon year, and never carried beyond. Of
// each source the projection that was published last counts among those that reach the horizon, and
// sources count alike: the figure is their mean, and the lowest and highest are shown beside it.
// Openings are spread evenly over the period, averaged over the sources that state them, and
// rounded to hundreds.
//
// The signal is what more of the sources point to whose evidence on the occupation is
// a gap, or that there is none. "A news headline is never counted."
func Outlook(evidence []sources.Evidence, asOf time.Time) []snapshots.OutlookRow {
	groups := map[occupation][]sources.Evidence{}
	for _, e := range evidence {
		if e.SOC != "" && e.Kind != "news" {
			k := occupation{e.Country, e.Class, e.SOC, e.RegionCode}
			groups[k] = append(groups[k], e)
		}
	}
	var rows []snapshots.OutlookRow
	for k, list := range groups {
		slices.SortFunc(list, func(a, b sources.Evidence) int {
			return cmp.Or(b.Published.Time().Compare(a.Published.Time()), strings.Compare(a.Source, b.Source), strings.Compare(a.ID, b.ID))
		})
		for _, months := range horizonMonths() {
			if row, ok := blend(list, asOf, months); ok {
				row.Country, row.Classification, row.SOC, row.RegionCode = k.country, k.class, k.soc, k.region
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// blend makes the row of one occupation and horizon; false when no projection
// reaches it. list is newest first.
func blend(list []sources.Evidence, asOf time.Time, months int) (snapshots.OutlookRow, bool) {
	taken := newest(list, asOf, months)
	if len(taken) == 0 {
		return snapshots.OutlookRow{}, false
	}
	row := snapshots.OutlookRow{Occupation: taken[0].Occupation, HorizonMonths: int16(months)}
	var sum float64
	gap, noGap := pointing(list, "gap"), pointing(list, "no_gap")
	used := slices.Concat(gap, noGap)
	for i, e := range taken {
		c := growth(e, months)
		sum += c
		t := tenths(c)
		if i == 0 || t < row.LowChangePct {
			row.LowChangePct = t
		}
		if i == 0 || t > row.HighChangePct {
			row.HighChangePct = t
		}
		used = append(used, e.Source)
	}
	row.ProjectedChangePct = tenths(sum / float64(len(taken)))
	row.ProjectedOpenings = openings(taken, months)
	row.SourcesGap, row.SourcesNoGap, row.Signal = int32(len(gap)), int32(len(noGap)), "none"
	switch {
	case len(gap) > len(noGap):
		row.Signal = "gap"
	case len(gap) < len(noGap):
		row.Signal = "no_gap"
	}
	row.SourceKeys = strings.Join(distinct(used), ",")
	return row, true
}

// newest takes of each source the newest projection that reaches the horizon, the
// sources in the order of their keys.
func newest(list []sources.Evidence, asOf time.Time, months int) []sources.Evidence {
	var taken []sources.Evidence
	for _, e := range list {
		if reaches(e, asOf, months) && !slices.ContainsFunc(taken, func(t sources.Evidence) bool { return t.Source == e.Source }) {
			taken = append(taken, e)
		}
	}
	slices.SortFunc(taken, func(a, b sources.Evidence) int { return strings.Compare(a.Source, b.Source) })
	return taken
}

// reaches says that the months after asOf lie inside the period of a projection.
func reaches(e sources.Evidence, asOf time.Time, months int) bool {
	if e.Kind != "projection" || e.ChangePct == nil || e.BaseYear <= 0 || e.HorizonYear <= e.BaseYear ||
		*e.ChangePct <= -100 || *e.ChangePct > steepest || math.IsNaN(*e.ChangePct) {
		return false
	}
	begin := time.Date(e.BaseYear, time.July, 1, 0, 0, 0, 0, time.UTC)
	end := time.Date(e.HorizonYear+1, time.January, 1, 0, 0, 0, 0, time.UTC)
	return !asOf.Before(begin) && asOf.AddDate(0, months, 0).Before(end)
}

// years is the length of a projection.
func years(e sources.Evidence) float64 { return float64(e.HorizonYear - e.BaseYear) }

// growth is the change of a projection over so many months, per cent.
func growth(e sources.Evidence, months int) float64 {
	return 100 * (math.Pow(1+*e.ChangePct/100, float64(months)/12/years(e)) - 1)
}

func tenths(percent float64) figure.Tenths { return figure.Tenths(math.Round(percent * 10)) }

// openings is the mean of the sources that state them, in hundreds; nil when none does.
func openings(taken []sources.Evidence, months int) *int64 {
	sum, n := 0.0, 0
	for _, e := range taken {
		if e.Openings != nil {
			sum += float64(*e.Openings) / years(e) * float64(months) / 12
			n++
		}
	}
	if n == 0 {
		return nil
	}
	hundreds := 100 * int64(math.Round(sum/float64(n)/100))
	return &hundreds
}

// pointing are the sources with evidence of that signal, sorted, each once.
func pointing(list []sources.Evidence, signal string) []string {
	var keys []string
	for _, e := range list {
		if e.Signal == signal {
			keys = append(keys, e.Source)
		}
	}
	return distinct(keys)
}

// distinct sorts keys, and leaves each there once.
func distinct(keys []string) []string { return slices.Compact(slices.Sorted(slices.Values(keys))) }
