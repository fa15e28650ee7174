package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"

	"labour/pipeline/cells"
	"labour/pipeline/coding/skill"
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// skillReader reads skill by skill what figures of people are made of: who counts, what can
// be asked for, and what the releases of earlier months print.
type skillReader struct {
	month            disclosure.Month
	places           *disclosure.Places
	asked            *skillRows[askedRow]
	people           *skillRows[personRow]
	past             []pastRelease // the oldest first
	sectors, sources register
}

// askedRow is a combination in which adverts ask for a skill.
type askedRow struct {
	Skill  string `col:"skill"`
	Place  string `col:"place"`
	Sector string `col:"sector"`
	SOC    string `col:"soc"`
	Level  int8   `col:"level"`
	Source string `col:"source"`
}

// personRow is an event by which a person counts for a skill. True, in the protected zone.
type personRow struct {
	askedRow
	Employer  int32 `col:"employer"`
	Age       int8  `col:"age"`
	Had       bool  `col:"had"`
	Hired     bool  `col:"hired"`      // else turned down
	Latest    bool  `col:"latest"`     // the person's most recent event of being hired, or of being turned down
	LatestFor bool  `col:"latest_for"` // the most recent of being turned down for the skill
}

// pastRelease is what an earlier month's release prints.
type pastRelease struct {
	month disclosure.Month
	rows  *skillRows[snapshots.PeopleRow]
}

// openSkills has the people counted, and opens what is known of them.
func (t *tables) openSkills(ctx context.Context, p *protector) (*skillReader, error) {
	r := &skillReader{month: p.Month, places: p.Places, sectors: newRegister(), sources: newRegister()}
	if err := r.open(ctx, t, p); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *skillReader) open(ctx context.Context, t *tables, p *protector) (err error) {
	if p.Askable, err = t.askable(ctx); err != nil {
		return err
	}
	if r.asked, err = askSkills(ctx, t, cells.Asked, func(a *askedRow) string { return a.Skill }); err != nil {
		return err
	}
	if r.people, err = askSkills(ctx, t, cells.People, func(p *personRow) string { return p.Skill }); err != nil {
		return err
	}
	return r.openPast(ctx, t)
}

// openPast opens what the months before print. A file that is missing is made again of a
// snapshot that was published; one that is older than the audit looks back is deleted.
func (r *skillReader) openPast(ctx context.Context, t *tables) error {
	if err := t.restorePrinted(ctx, r.month); err != nil {
		return fmt.Errorf("restore what was printed of people: %w", err)
	}
	for m := r.month - disclosure.KeptReleases; m < r.month; m++ {
		rows, err := openSkillRows(printedFile(t.build.o.Data, m), func(p *snapshots.PeopleRow) string { return p.Skill })
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		r.past = append(r.past, pastRelease{m, rows})
	}
	return removeOlder(t.build.o.Data, r.month-disclosure.KeptReleases)
}

// skills yields what is known of each skill, in their order.
func (r *skillReader) skills(list []skill.Skill) iter.Seq[skillFigures] {
	return func(yield func(skillFigures) bool) {
		for _, s := range list {
			people, err := r.skill(s.Slug)
			if !yield(skillFigures{name: s.Slug, people: people, err: err}) || err != nil {
				return
			}
		}
	}
}

func (r *skillReader) skill(name string) (*disclosure.Skill, error) {
	s := &disclosure.Skill{Month: r.month}
	err := r.asked.take(name, func(a *askedRow) error {
		s.Asked = append(s.Asked, r.combination(a))
		return nil
	})
	err = errors.Join(err, r.people.take(name, func(p *personRow) error {
		s.People = r.appendPerson(s.People, p)
		return nil
	}))
	s.Names = disclosure.Names{Sectors: r.sectors.texts, Sources: r.sources.texts}
	for _, p := range r.past {
		release := disclosure.Release{Month: p.month, Counts: map[disclosure.Cell]figure.Count{}}
		err = errors.Join(err, p.rows.take(name, func(row *snapshots.PeopleRow) (err error) {
			cell := disclosure.Cell{Signature: row.Signature, Place: row.Place, Value: row.Value, Window: int(row.WindowMonths)}
			release.Counts[cell], err = row.Count()
			return err
		}))
		s.Past = append(s.Past, release)
	}
	if err != nil {
		return nil, fmt.Errorf("count %s: %w", name, err)
	}
	return s, nil
}

// appendPerson appends the person once for each kind for which the event counts.
func (r *skillReader) appendPerson(list []disclosure.Person, p *personRow) []disclosure.Person {
	one := disclosure.Person{Combination: r.combination(&p.askedRow), Kind: disclosure.TurnedDown, Had: p.Had, Age: uint8(p.Age), Employer: uint32(p.Employer)}
	if p.Hired {
		one.Kind = disclosure.Hired
	}
	if p.Latest {
		list = append(list, one)
	}
	if one.Kind = disclosure.TurnedDownFor; p.LatestFor {
		list = append(list, one)
	}
	return list
}

func (r *skillReader) combination(a *askedRow) disclosure.Combination {
	return disclosure.Combination{Borough: r.places.Borough(a.Place), Sector: uint16(r.sectors.of(a.Sector)),
		SOC: disclosure.ParseSOC(a.SOC), Level: uint8(a.Level), Source: uint8(r.sources.of(a.Source))}
}

func (r *skillReader) close() {
	r.asked.close()
	r.people.close()
	for _, p := range r.past {
		p.rows.close()
	}
}

// register numbers texts. Number 0 is the empty text.
type register struct {
	number map[string]int
	texts  []string
}

func newRegister() register { return register{number: map[string]int{"": 0}, texts: []string{""}} }

// of returns the number of a text, a new one if need be.
func (r *register) of(text string) int {
	n, ok := r.number[text]
	if !ok {
		n = len(r.texts)
		r.number[text], r.texts = n, append(r.texts, text)
	}
	return n
}

// skillRows reads the rows of a file that is in the order of the skills.
type skillRows[Row any] struct {
	next  func() (Row, error, bool)
	stop  func()
	skill func(*Row) string
	row   Row // that was read and not yet taken
	more  bool
}

// askSkills opens the answer to a question.
func askSkills[Row any](ctx context.Context, t *tables, q cells.Question, skill func(*Row) string) (*skillRows[Row], error) {
	file, err := t.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return openSkillRows(file, skill)
}

func openSkillRows[Row any](file string, skill func(*Row) string) (*skillRows[Row], error) {
	r := &skillRows[Row]{skill: skill}
	r.next, r.stop = iter.Pull2(parquetio.Each[Row](file))
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

// take hands the rows of a skill to fn. Skills are asked for in their order.
func (r *skillRows[Row]) take(skill string, fn func(*Row) error) error {
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
