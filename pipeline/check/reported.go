package check

import (
	"fmt"

	"labour/pipeline/deliverychecks"
	"labour/snapshots"
)

// reported finds what the snapshot's own report says is wrong with its sources: faulty
// records, and what is past the floors and ceilings.
func reported(dir string, l Limits) ([]Fault, error) {
	report, err := snapshots.ReadReport[deliverychecks.Report](dir)
	if err != nil {
		return nil, fmt.Errorf("check the report: %w", err)
	}
	faults := breaches(deliverychecks.Floors(report.Sources, l.Sources))
	for _, s := range report.Sources {
		if s.Faults[Missing] > 0 {
			faults = append(faults, Fault{Check: Missing, Of: s.Key, What: "source " + s.Key + ": " + s.Details(Missing)})
		}
		var faulty int64
		for _, n := range s.Faults {
			faulty += n
		}
		if s.Records >= deliverychecks.From && faulty*100 > s.Records*int64(l.MaxFaultyPct) {
			faults = append(faults, Fault{Check: Faulty, Of: s.Key, What: fmt.Sprintf("source %s has %d faults in %d records, more than %d %%", s.Key, faulty, s.Records, l.MaxFaultyPct)})
		}
	}
	return faults, nil
}

// delivered finds which sources deliver far less, or far more, than they did.
func delivered(previousDir, nextDir string, l Limits) ([]Fault, error) {
	before, err := snapshots.ReadReport[deliverychecks.Report](previousDir)
	if err != nil {
		return nil, err
	}
	now, err := snapshots.ReadReport[deliverychecks.Report](nextDir)
	return breaches(deliverychecks.Changes(before.Sources, now.Sources, l.Sources)), err
}

func breaches(list []deliverychecks.Breach) []Fault {
	var faults []Fault
	for _, b := range list {
		faults = append(faults, Fault{Check: b.Check, Of: b.Of, What: b.What})
	}
	return faults
}
