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

// askableRow is a combination of place and filter that matches enough adverts for the API to
// return counts of people.
type askableRow struct {
	Place  string `col:"place"`
	Filter string `col:"filter"`
	Value  string `col:"value"`
}

// readAskable returns a function that reports whether the API returns counts of people for a cell
// (one combination of filters). The levels of adverts are ignored, since they do not filter
// adverts. The function returns false for every source but the platform, since only the platform
// delivers applications.
func readAskable(file string) (func(disclosure.Cell) bool, error) {
	enough := map[askableRow]bool{}
	err := parquetio.ForEachRow(file, func(r askableRow) error {
		enough[r] = true
		return nil
	})
	return func(c disclosure.Cell) bool {
		filter, value := snapshots.SignatureWithoutPlace(c.Signature), c.Value
		switch {
		case filter == snapshots.SignatureSource && value != platform.Key:
			return false
		case filter == snapshots.SignatureLevel:
			filter, value = snapshots.SignatureNone, ""
		}
		return enough[askableRow{c.Place, filter, value}]
	}, err
}

// requirementRow is a combination of filter values under which at least one advert requires the
// skill.
type requirementRow struct {
	Skill  string `col:"skill"`
	Place  string `col:"place"`
	Sector string `col:"sector"`
	SOC    string `col:"soc"`
	Level  int8   `col:"level"`
	Source string `col:"source"`
}

// personRow is one application through which a person is counted for a skill. It contains true
// data, which is never published.
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

// skillReader reads two files that are sorted by skill, one skill at a time: the people who are
// counted, and the combinations of filters in which adverts require the skill.
type skillReader struct {
	in               *Inputs
	ids              []string // pseudonyms of all people who may be counted, by their number
	requirements     *skillRows[requirementRow]
	people           *skillRows[personRow]
	sectors, sources register
}

func openSkills(in *Inputs, ids []string) (r *skillReader, err error) {
	r = &skillReader{in: in, ids: ids, sectors: newRegister(), sources: newRegister()}
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

// skills yields the people and combinations of each skill in list. It stops after an error.
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
	s := skillPeople{skill: name, people: &disclosure.SkillPeople{}}
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

// appendPerson appends a person to s once for each outcome for which the application p is the
// person's latest. Most applications are the latest for one outcome. Some are for none, and some
// for two.
func (r *skillReader) appendPerson(s *skillPeople, p *personRow) {
	one := disclosure.Person{FilterCombination: r.combination(&p.requirementRow), Outcome: disclosure.OutcomeTurnedDown,
		HadSkill: p.HadSkill}
	if p.Hired {
		one.Outcome = disclosure.OutcomeHired
	}
	if p.IsLatest {
		s.people.People, s.who = append(s.people.People, one), append(s.who, p.Person)
	}
	if one.Outcome = disclosure.OutcomeTurnedDownForSkill; p.IsLatestForSkill {
		s.people.People, s.who = append(s.people.People, one), append(s.who, p.Person)
	}
}

// key sets the rounding key of each person who is counted for a skill. The key depends on the
// skill and the person's pseudonym.
func (r *skillReader) key(skill string, people *disclosure.SkillPeople, who []int32) {
	keys := r.in.Secret.NewRoundingKeys()
	for i, person := range who {
		people.People[i].Key = keys.KeyOf(skill, r.ids[person])
	}
}

func (r *skillReader) combination(a *requirementRow) disclosure.FilterCombination {
	return disclosure.FilterCombination{Borough: r.in.Places.BoroughNumber(a.Place),
		Sector: uint16(r.sectors.of(a.Sector)),
		SOC:    disclosure.ParseSOC(a.SOC), Level: uint8(a.Level), Source: uint8(r.sources.of(a.Source))}
}

// register gives numbers to different texts, in the order of their first use. Number 0 is the
// empty text.
type register struct {
	number map[string]int
	texts  []string
}

func newRegister() register { return register{number: map[string]int{"": 0}, texts: []string{""}} }

// of returns the number of a text. A new text gets the next number.
func (r *register) of(text string) int {
	n, ok := r.number[text]
	if !ok {
		n = len(r.texts)
		r.number[text], r.texts = n, append(r.texts, text)
	}
	return n
}

// skillRows reads the rows of a file that is sorted by skill, one skill at a time.
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

// forEach calls fn with each row of a skill. Calls must be in the order of the skills in the file.
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
