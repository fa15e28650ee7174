package verify

import (
	"errors"
	"fmt"
	"strings"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// recomputeChecks: what a table derives from its own printed figures is derived again. A snapshot
// has no score and no difference of two shares: they are computed from the printed shares on every
// call, so there is nothing of them to go wrong here.
func recomputeChecks(t snapshots.Table) []rowCheck {
	switch t.Name {
	case "course_demand":
		return []rowCheck{changeOnYearCheck(), earlierYearCheck()}
	case "trends":
		return []rowCheck{{"recomputed", []string{"vacancies", "previous_vacancies", "change_pct"}, func(v []parquetio.Value) error {
			return sameChange(v[2], &v[0].Int, &v[1].Int)
		}}}
	case "skills_gaps":
		return []rowCheck{{"recomputed", []string{"sources_agreeing", "pointing_sources"}, sourcesCounted}}
	case "outlook":
		return []rowCheck{{"recomputed", []string{"low_change_pct", "projected_change_pct", "high_change_pct"}, between},
			{"recomputed", []string{"signal", "sources_gap", "sources_no_gap"}, signalOf}}
	case "reach":
		return []rowCheck{{"recomputed", []string{"vacancies_placed_by_council", "vacancies"}, partOf}, reachCheck()}
	}
	return nil
}

// changeOf is the change on an earlier count in tenths of a per cent, half away from
// zero; nil when either is not a number or the earlier one is 0.
func changeOf(value, previous *int64) *figure.Tenths {
	if value == nil || previous == nil || *previous <= 0 {
		return nil
	}
	sign, by := int64(1), *value-*previous
	if by < 0 {
		sign, by = -1, -by
	}
	tenths := figure.ShareTenths(by, *previous)
	if tenths > figure.MaxTenths {
		return nil
	}
	tenths *= figure.Tenths(sign)
	return &tenths
}

func sameChange(printed parquetio.Value, value, previous *int64) error {
	want := changeOf(value, previous)
	switch {
	case want == nil && printed.Null:
		return nil
	case want == nil:
		return fmt.Errorf("change_pct is %s; there is nothing to compute it from", figure.AppendTenths(nil, figure.Tenths(printed.Int)))
	case printed.Null:
		return fmt.Errorf("change_pct is null; the printed values give %s", figure.AppendTenths(nil, *want))
	case figure.Tenths(printed.Int) != *want:
		return fmt.Errorf("change_pct is %s; the printed values give %s", figure.AppendTenths(nil, figure.Tenths(printed.Int)), figure.AppendTenths(nil, *want))
	}
	return nil
}

func number(v parquetio.Value) *int64 {
	if v.Null {
		return nil
	}
	n := v.Int
	return &n
}

// changeOnYearCheck: "null when either is not a number or the previous one is 0".
func changeOnYearCheck() rowCheck {
	return rowCheck{"recomputed", []string{"value", "previous_value", "change_pct"}, func(v []parquetio.Value) error {
		return sameChange(v[2], number(v[0]), number(v[1]))
	}}
}

// earlierYearCheck: the count of the same period one year before is the one that
// the row of that period prints, where the snapshot has that row from the same
// source and both print a number. The rows of one series follow each other by date.
func earlierYearCheck() rowCheck {
	type printed struct{ day, value int64 }
	var earlier []printed
	var key []parquetio.Value
	columns := []string{"source_key", "country", "region_code", "metric", "subject_area", "period_end", "value", "previous_value"}
	return rowCheck{"recomputed", columns, func(v []parquetio.Value) error {
		if key == nil || parquetio.CompareValues(key, v[:5]) != 0 {
			key, earlier = parquetio.KeepValues(key, v[:5]), earlier[:0]
		}
		day, before := v[5].Int, yearBefore(v[5].Int)
		if !v[6].Null {
			earlier = append(earlier, printed{day, v[6].Int})
		}
		if v[7].Null {
			return nil
		}
		for _, e := range earlier {
			if e.day == before && e.value != v[7].Int {
				return fmt.Errorf("previous_value is %d; the row of that period prints %d", v[7].Int, e.value)
			}
		}
		return nil
	}}
}

// yearBefore is the same calendar day one year before, in days since 1970; the 28th
// for a 29th of February.
func yearBefore(day int64) int64 {
	at := dayOf(day)
	before := at.AddDate(-1, 0, 0)
	if before.Month() != at.Month() {
		before = before.AddDate(0, 0, -1)
	}
	return before.Unix() / secondsPerDay
}

func sourcesCounted(v []parquetio.Value) error {
	n := int64(0)
	if v[1].Text != "" {
		n = int64(strings.Count(v[1].Text, ",")) + 1
	}
	if v[0].Int != n {
		return fmt.Errorf("sources_agreeing is %d; pointing_sources names %d", v[0].Int, n)
	}
	return nil
}

func between(v []parquetio.Value) error {
	if v[0].Int > v[1].Int || v[1].Int > v[2].Int {
		return errors.New("projected_change_pct is not between low_change_pct and high_change_pct")
	}
	return nil
}

// signalOf: "gap, no_gap, or none: what more of the sources point to".
func signalOf(v []parquetio.Value) error {
	want := "none"
	if v[1].Int > v[2].Int {
		want = "gap"
	} else if v[2].Int > v[1].Int {
		want = "no_gap"
	}
	if v[0].Text != want {
		return fmt.Errorf("signal is %q; %d sources point to a gap, %d to none", v[0].Text, v[1].Int, v[2].Int)
	}
	return nil
}

func partOf(v []parquetio.Value) error {
	if v[0].Int < 0 || v[0].Int > v[1].Int {
		return fmt.Errorf("vacancies_placed_by_council is %d of %d vacancies", v[0].Int, v[1].Int)
	}
	return nil
}

// reachCheck: "a longer one includes the shorter". Rows of a ward follow each other by distance.
func reachCheck() rowCheck {
	ward, before := "", int64(0)
	return rowCheck{"recomputed", []string{"ward_code", "vacancies"}, func(v []parquetio.Value) error {
		same, fewer := v[0].Text == ward, before
		ward, before = strings.Clone(v[0].Text), v[1].Int
		if same && v[1].Int < fewer {
			return fmt.Errorf("vacancies is %d; within a shorter distance there are %d", v[1].Int, fewer)
		}
		return nil
	}}
}
