// Package people makes the four tables with counts of people once a quarter: people, residents,
// candidates and s106_people. Its input is the true counts of package cells, which are never
// published. Its output is protected by package disclosure, and may be published.
package people

import (
	"context"
	"errors"
	"fmt"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/parallel"
)

// Inputs holds the inputs of the figures of people of a quarter.
type Inputs struct {
	Protection   disclosure.Protection
	Secret       disclosure.Secret
	Places       *disclosure.Places
	Skills       []string // slugs, sorted
	Sectors      []string // slugs
	Answers      Answers
	Developments []sources.Development
	Threads      int // 0 = every core
	// Progress is called with the number of skills printed; nil for no calls.
	Progress func(done, of int)
}

// Answers holds the paths of the results of the queries with the same names in package cells.
type Answers struct{ People, Asked, Askable, Applicants, Held string }

// Tables holds the printed rows of a quarter, except those of the table people.
type Tables struct {
	Residents  []snapshots.ResidentsRow
	Candidates []snapshots.CandidatesRow
	S106       []snapshots.S106PeopleRow
	Tally      disclosure.Tally // tally of the table people
}

// printedAhead is how many printed skills may wait for an earlier one; each takes less than a
// megabyte.
const printedAhead = 64

// Build prints the figures of a quarter. It passes each row of the table people to emit, skill by
// skill, since the rows may not fit into memory. The rows are not in the order of the table.
func Build(ctx context.Context, in Inputs, emit func(snapshots.PeopleRow) error) (Tables, error) {
	everybody, err := readApplicants(in.Answers.Applicants, in.Places, in.Secret)
	if err != nil {
		return Tables{}, fmt.Errorf("read who may count: %w", err)
	}
	askable, err := readAskable(in.Answers.Askable)
	if err != nil {
		return Tables{}, fmt.Errorf("read which filters can be asked for: %w", err)
	}
	rules := &disclosure.Rules{Protection: in.Protection, Places: in.Places, Askable: askable}
	tables := Tables{Candidates: candidates(rules.Protection, everybody.counted, breakdowns(&in)),
		S106: s106(rules, &in)}
	if tables.Tally, err = turnedDown(ctx, &in, rules, everybody.ids, emit); err != nil {
		return Tables{}, fmt.Errorf("people: %w", err)
	}
	if tables.Residents, err = residents(&in, rules, everybody.residents); err != nil {
		return Tables{}, fmt.Errorf("residents: %w", err)
	}
	return tables, nil
}

// turnedDown prints the figures of people skill by skill, several skills in parallel since they are
// independent. Only the true counts of these skills are in memory.
func turnedDown(ctx context.Context, in *Inputs, rules *disclosure.Rules, ids []string,
	emit func(snapshots.PeopleRow) error) (tally disclosure.Tally, err error) {
	reader, err := openSkills(in, ids)
	if err != nil {
		return tally, err
	}
	defer reader.close()
	print := func(s skillPeople) printedSkill {
		if s.err != nil {
			return printedSkill{err: s.err}
		}
		reader.key(s.skill, s.people, s.who)
		rows, tally := rules.Print(s.people)
		return printedSkill{skill: s.skill, rows: rows, tally: tally}
	}
	done := 0
	for p := range parallel.Map(ctx, in.Threads, printedAhead, reader.skills(in.Skills), print) {
		if err = errors.Join(p.err, emitSkill(p, emit)); err != nil {
			break
		}
		tally.Add(p.tally)
		if done++; in.Progress != nil {
			in.Progress(done, len(in.Skills))
		}
	}
	return tally, errors.Join(err, ctx.Err())
}

// skillPeople is one skill with its people and the texts of their numbered values.
type skillPeople struct {
	skill  string
	people *disclosure.Skill
	who    []int32
	err    error
}

// printedSkill holds the printed figures of one skill.
type printedSkill struct {
	skill string
	rows  []disclosure.PrintedCell
	tally disclosure.Tally
	err   error
}

func emitSkill(p printedSkill, emit func(snapshots.PeopleRow) error) error {
	for _, r := range p.rows {
		row := snapshots.PeopleRow{Signature: r.Signature, Place: r.Place, Value: r.Value, Skill: p.skill,
			HiredWithSkillPct: r.HiredWith, TurnedDownWithSkillPct: r.TurnedDownWith}
		row.SetTurnedDown(r.TurnedDown)
		if err := emit(row); err != nil {
			return err
		}
	}
	return nil
}
