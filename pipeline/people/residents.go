package people

import (
	"strconv"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// applicantRow is one resident or applicant who may be counted. It has true data, which is never
// published.
type applicantRow struct {
	// number of the person, from 0; residents have the first numbers
	Person   int32  `col:"person"`
	Resident string `col:"resident"`
	// true if the person is a resident: registered with the platform
	IsResident   bool   `col:"registered"`
	Borough      string `col:"borough"`
	HighestLevel int8   `col:"level"` // highest level, 1 to 5, of any skill on record; 0 = none
	SeekingWork  bool   `col:"seeking_work"`
	SectorSought string `col:"sector_sought"`
}

// population holds the residents and applicants who may be counted. Its field counts has the true
// number of residents in each group of the table candidates.
type population struct {
	keys      []disclosure.RoundingKey // rounding keys of all people, by their number
	residents []resident               // borough and rounding key of each resident, by the person's number
	counts    map[candidateCell]disclosure.TrueCount
}

type resident struct {
	borough uint16
	key     disclosure.RoundingKey
}

func readApplicants(file string, places *disclosure.Places, secret disclosure.RoundingSecret) (e population,
	err error) {
	e.counts = map[candidateCell]disclosure.TrueCount{}
	keys := secret.NewRoundingKeys()
	err = parquetio.ForEachRow(file, func(r applicantRow) error {
		key := keys.KeyOf(disclosure.PeopleKeyScope, r.Resident)
		e.keys = append(e.keys, key)
		if r.IsResident {
			e.residents = append(e.residents, resident{places.BoroughNumber(r.Borough), key})
			for _, cell := range candidateCells(&r) {
				c := e.counts[cell]
				c.Add(disclosure.TrueCount{People: 1, Key: key})
				e.counts[cell] = c
			}
		}
		return nil
	})
	return e, err
}

// skillHolderRow is one recorded skill of a resident. It has true data, which is never published.
type skillHolderRow struct {
	Skill  string `col:"skill"`
	Person int32  `col:"person"`
	Level  int8   `col:"level"`
}

// residents returns the rows of the table residents. Each row has the share of residents below a
// level of a skill in a place, in per cent. list has all residents, by the person's number.
func residents(in *Inputs, rules *disclosure.Rules, list []resident) (rows []snapshots.ResidentsRow, err error) {
	held, err := openSkillRows(in.QueryResults.ResidentSkills, func(r *skillHolderRow) string { return r.Skill })
	if err != nil {
		return nil, err
	}
	defer held.close()
	without := make(disclosure.ResidentCounts, in.Places.BoroughCount()+1) // as if no resident had a skill on record
	for _, r := range list {
		without[r.borough][0].Add(disclosure.TrueCount{People: 1, Key: r.key})
	}
	for _, skill := range in.Skills {
		of := append(disclosure.ResidentCounts(nil), without...)
		err := held.forEach(skill, func(r *skillHolderRow) error {
			one := list[r.Person]
			of[one.borough][0].Add(disclosure.TrueCount{People: -1, Key: -one.key})
			of[one.borough][r.Level].Add(disclosure.TrueCount{People: 1, Key: one.key})
			return nil
		})
		if err != nil {
			return nil, err
		}
		rows = appendResidents(rows, skill, in.Places, rules.PublishedResidentShares(of))
	}
	return rows, nil
}

func appendResidents(rows []snapshots.ResidentsRow, skill string, places *disclosure.Places,
	shares [][disclosure.LevelCount]*figure.Tenths) []snapshots.ResidentsRow {
	for place, levels := range shares {
		for l, share := range levels {
			rows = append(rows, snapshots.ResidentsRow{Place: places.Slug(place), Skill: skill, Level: int8(l + 1),
				PeopleBelowSharePct: share})
		}
	}
	return rows
}

// candidateCell is one group of residents in the table candidates, such as one borough. value is
// the slug of the borough or sector, or the level.
type candidateCell struct{ dimension, value string }

// candidateCells returns the groups in which the table `candidates` counts a resident: all
// residents, the resident's borough and the highest recorded level. A resident who seeks work also
// counts in two more groups: those who seek work, and the sector sought.
func candidateCells(r *applicantRow) []candidateCell {
	cells := []candidateCell{{snapshots.CandidatesTotal, ""}, {snapshots.CandidatesByBorough, r.Borough}}
	if r.HighestLevel > 0 {
		cells = append(cells, candidateCell{snapshots.CandidatesByLevel, strconv.Itoa(int(r.HighestLevel))})
	}
	if r.SeekingWork {
		cells = append(cells, candidateCell{snapshots.CandidatesSeekingWork, ""})
		if r.SectorSought != "" {
			cells = append(cells, candidateCell{snapshots.CandidatesBySector, r.SectorSought})
		}
	}
	return cells
}

// breakdowns returns a group of the table candidates for each borough, level and sector, even if it
// has no residents.
func breakdowns(in *Inputs) (cells []candidateCell) {
	for borough := range in.Places.BoroughCount() {
		cells = append(cells, candidateCell{snapshots.CandidatesByBorough, in.Places.Slug(borough + 1)})
	}
	for l := range disclosure.LevelCount {
		cells = append(cells, candidateCell{snapshots.CandidatesByLevel, strconv.Itoa(l + 1)})
	}
	for _, s := range in.Sectors {
		cells = append(cells, candidateCell{snapshots.CandidatesBySector, s})
	}
	return cells
}

// candidates returns the rows of the table candidates, rounded and suppressed. truth has the true
// number of residents in each group, and list has the groups in the order of the rows. For
// suppression, each group is a part of all residents. Groups by sector are also parts of the
// residents who seek work.
func candidates(p disclosure.Protection, truth map[candidateCell]disclosure.TrueCount,
	list []candidateCell) []snapshots.CandidatesRow {
	const all, seeking = 0, 1
	cells := append([]candidateCell{{snapshots.CandidatesTotal, ""}, {snapshots.CandidatesSeekingWork, ""}}, list...)
	counts := make([]disclosure.TrueCount, len(cells))
	for i, c := range cells {
		counts[i] = truth[c]
	}
	printed := p.PublishedCounts(counts, func(i int) []int32 {
		switch {
		case i == all:
			return nil
		case cells[i].dimension == snapshots.CandidatesBySector:
			return []int32{all, seeking}
		}
		return []int32{all}
	})
	rows := make([]snapshots.CandidatesRow, len(cells))
	for i, c := range cells {
		rows[i] = snapshots.CandidatesRow{Dimension: c.dimension, Value: c.value}
		rows[i].SetResidents(printed[i])
	}
	return rows
}
