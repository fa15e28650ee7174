package verify

import (
	"fmt"
	"strings"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// peopleChecks: a printed count of people is 0, at least 5, "<5" or not
// published. "A count of people from 1 to 4 is never a number and never 0." Where counts
// are rounded, it is a multiple of 5.
func peopleChecks(t snapshots.Table, rounded bool) []rowCheck {
	var checks []rowCheck
	for _, p := range t.PeopleColumns() {
		checks = append(checks, rowCheck{"small numbers", []string{p.Value, p.Status}, func(v []parquetio.Value) error {
			var n *int64
			if !v[0].Null {
				n = &v[0].Int
			}
			c, err := figure.Parse(n, figure.Status(v[1].Text))
			if err != nil {
				return fmt.Errorf("%s: %w", p.Value, err)
			}
			if rounded && !c.IsRounded() {
				return fmt.Errorf("%s is %v, which is not rounded to %d", p.Value, c, figure.RoundedTo)
			}
			return nil
		}})
	}
	return checks
}

// percentChecks: a share of people is between 0 and 100 %. A change or a
// projection may be anything.
func percentChecks(t snapshots.Table) []rowCheck {
	const whole = 1000 // tenths
	var checks []rowCheck
	for _, c := range t.Columns {
		if c.Type != snapshots.Decimal1 || strings.Contains(c.Name, "change") {
			continue
		}
		checks = append(checks, rowCheck{"percent", []string{c.Name}, func(v []parquetio.Value) error {
			if !v[0].Null && (v[0].Int < 0 || v[0].Int > whole) {
				return fmt.Errorf("%s is %s %%", c.Name, figure.AppendTenths(nil, figure.Tenths(v[0].Int)))
			}
			return nil
		}})
	}
	return checks
}
