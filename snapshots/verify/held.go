package verify

import (
	"fmt"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// fewestVacancies is the least count of vacancies that a held dataset may hold: "If
// fewer than 5 adverts, or fewer than 3 employers, remain", there is no row.
const fewestVacancies = 5

// floorChecks: a held dataset has no count of vacancies under the floor. Employers
// are not in the files and cannot be counted here.
func floorChecks(t snapshots.Table) []rowCheck {
	if _, held := snapshots.HeldNamed(t.Name); !held {
		return nil
	}
	var checks []rowCheck
	for _, name := range []string{"vacancies", "previous_vacancies"} {
		if _, has := t.Column(name); !has {
			continue
		}
		checks = append(checks, rowCheck{"floor", []string{name}, func(v []parquetio.Value) error {
			if v[0].Int < fewestVacancies {
				return fmt.Errorf("%s is %d; under %d there is no row", name, v[0].Int, fewestVacancies)
			}
			return nil
		}})
	}
	return checks
}
