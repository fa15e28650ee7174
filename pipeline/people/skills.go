package people

import (
	"errors"
	"fmt"
	"iter"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources/platform"
)

// askableRow is a combination of a place and a filter for which the API returns counts of people.
// It matches enough adverts.
type askableRow struct {
	Place  string `col:"place"`
	Filter string `col:"filter"`
	Value  string `col:"value"`
}

// readAskable returns a function that reports whether the API returns counts of people for a cell,
// which is one combination of filters. The function ignores the filter by level, which does not
// apply to adverts. For a source other than the platform it returns false, because only the
// platform delivers applications.
func readAskable(file string) (func(disclosure.Cell) bool, error) {
	enough := map[askableRow]bool{}
	err := parquetio.ForEachRow(file, func(r askableRow) error {
		enough[r] = true
		return nil
	})
	return func(c disclosure.Cell) bool {
		filter, value := snapshots.WithoutPlaceFilter(c.Signature), c.Value
		switch {
		case filter == snapshots.FilteredBySource && value != platform.Key:
			return false
		case filter == snapshots.FilteredByLevel:
			filter, value = snapshots.Unfiltered, ""
		}
		return enough[askableRow{c.Place, filter, value}]
	}, err
}

// requirementRow is a combination of filter values. At least one advert with these values requires
// the skill in the field Skill.
type requirementRow struct {
	Skill  string `col:"skill"`
	Place  string `col:"place"`
	Sector string `col:"sector"`
	SOC    string `col:"soc"`
	Level  int8   `col:"level"`
	Source string `col:"source"`
}

// personRow is one application of a person who is counted for a skill. It has true data, which is
// never published.
type personRow struct {
	requirementRow
	Person   int32 `col:"person"`
	HadSkill bool  `col:"had"`
	Hired    bool  `col:"hired"` // true if the person was hired, false if turned down
	// true if no later application of the person, for a role that required the skill, had this
	// outcome
	IsLatest bool `col:"latest"`
	// true if the person was turned down for lack of the skill, and not again later
	IsLatestForSkill bool `col:"latest_for"`
}

// skillReader reads the people who count for each skill, and the filter values of the adverts that
// require it. The files with these data are sorted by skill, so that one skill at a time is in
// memory.
type skillReader struct {
	in               *Inputs
	keys             []disclosure.RoundingKey // of all people who may be counted, by their number
	requirements     *skillRows[requirementRow]
	people           *skillRows[personRow]
	sectors, sources register
}

func openSkills(in *Inputs, keys []disclosure.RoundingKey) (r *skillReader, err error) {
	r = &skillReader{in: in, keys: keys, sectors: newRegister(), sources: newRegister()}
	r.requirements, err = openSkillRows(in.QueryResults.RequiredCombinations,
		func(a *requirementRow) string { return a.Skill })
	if err == nil {
		r.people, err = openSkillRows(in.QueryResults.People, func(p *personRow) string { return p.Skill })
	}
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *skillReader) close() {
	r.requirements.close()
	r.people.close()
}

// skills yields the people and combinations of filter values for each skill in list. It stops after
// an error.
func (r *skillReader) skills(list []string) iter.Seq[skillPeople] {
	return func(yield func(skillPeople) bool) {
		for _, name := range list {
			s := r.skill(name)
			if !yield(s) || s.err != nil {
				return
			}
		}
	}
}

func (r *skillReader) skill(name string) skillPeople {
	s := skillPeople{skill: name, people: &disclosure.SkillCountInput{}}
	err := r.requirements.forEach(name, func(a *requirementRow) error {
		s.people.RequiredCombinations = append(s.people.RequiredCombinations, r.combination(a))
		return nil
	})
	err = errors.Join(err, r.people.forEach(name, func(p *personRow) error {
		r.appendPerson(&s, p)
		return nil
	}))
	s.people.FilterNames = disclosure.FilterNames{Sectors: r.sectors.texts, Sources: r.sources.texts}
	if err != nil {
		s.err = fmt.Errorf("count %s: %w", name, err)
	}
	return s
}

// appendPerson adds the person of the application p to s, once for each outcome of p that counts.
// An outcome counts only in the person's latest application with that outcome. The person may
// therefore be added twice, once or not at all.
func (r *skillReader) appendPerson(s *skillPeople, p *personRow) {
	one := disclosure.Person{FilterCombination: r.combination(&p.requirementRow),
		Outcome: disclosure.OutcomeTurnedDownAnyReason, HadSkill: p.HadSkill, Key: r.keys[p.Person]}
	if p.Hired {
		one.Outcome = disclosure.OutcomeHired
	}
	if p.IsLatest {
		s.people.People = append(s.people.People, one)
	}
	if one.Outcome = disclosure.OutcomeTurnedDownForLackOfSkill; p.IsLatestForSkill {
		s.people.People = append(s.people.People, one)
	}
}

func (r *skillReader) combination(a *requirementRow) disclosure.FilterCombination {
	return disclosure.FilterCombination{Borough: r.in.Places.BoroughNumber(a.Place),
		Sector: uint16(r.sectors.numberOf(a.Sector)),
		SOC:    disclosure.ParseSOC(a.SOC), Level: uint8(a.Level), Source: uint8(r.sources.numberOf(a.Source))}
}

// register numbers texts in the order of their first use, from 1. The empty text has the number 0.
type register struct {
	number map[string]int
	texts  []string
}

func newRegister() register { return register{number: map[string]int{"": 0}, texts: []string{""}} }

// numberOf returns the number of a text. A new text is added with the next number.
func (r *register) numberOf(text string) int {
	n, ok := r.number[text]
	if !ok {
		n = len(r.texts)
		r.number[text], r.texts = n, append(r.texts, text)
	}
	return n
}

// skillRows reads a file that is sorted by skill, one skill at a time.
type skillRows[Row any] struct {
	next  func() (Row, error, bool)
	stop  func()
	skill func(*Row) string
	row   Row // row that was read last and belongs to a later skill
	more  bool
}

func openSkillRows[Row any](file string, skill func(*Row) string) (*skillRows[Row], error) {
	r := &skillRows[Row]{skill: skill}
	r.next, r.stop = iter.Pull2(parquetio.Rows[Row](file))
	if err := r.advance(); err != nil {
		r.stop()
		return nil, err
	}
	return r, nil
}

func (r *skillRows[Row]) advance() (err error) {
	r.row, err, r.more = r.next()
	r.more = r.more && err == nil
	return err
}

// forEach calls fn with each row of a skill. The skills must be requested in the order of the file.
func (r *skillRows[Row]) forEach(skill string, fn func(*Row) error) error {
	for r.more && r.skill(&r.row) <= skill {
		if r.skill(&r.row) == skill {
			if err := fn(&r.row); err != nil {
				return err
			}
		}
		if err := r.advance(); err != nil {
			return err
		}
	}
	return nil
}

func (r *skillRows[Row]) close() {
	if r != nil {
		r.stop()
	}
}
