// Package people makes the four tables with counts of people: people, residents, candidates and
// s106_people. They are made once a quarter, from true counts, which are never published. Package
// disclosure rounds and suppresses them before they are written.
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

// Inputs holds what is needed to make a quarter's counts of people: query results, lists and
// settings.
type Inputs struct {
	Protection   disclosure.Protection
	Secret       disclosure.RoundingSecret
	Places       *disclosure.Places
	Skills       []string // slugs of all skills, sorted
	Sectors      []string // slugs of all sectors
	QueryResults QueryFiles
	Developments []sources.S106Development
	Threads      int // number of skills that are computed at the same time; 0 = one for each core
	// OnSkillDone is called each time that a skill is finished; nil for no calls. done is the
	// number of finished skills, and of is the number of all skills.
	OnSkillDone func(done, of int)
}

// QueryFiles holds the paths of files with query results. Each field has the name of its query.
type QueryFiles struct{ People, RequiredCombinations, AnswerableFilters, Applicants, ResidentSkills string }

// Tables holds the rounded and suppressed counts of people of a quarter, except the table people,
// which may not fit into memory.
type Tables struct {
	Residents  []snapshots.ResidentsRow
	Candidates []snapshots.CandidatesRow
	S106       []snapshots.S106PeopleRow
	// how many values of each kind (number, "<5", null) the table people has
	PeopleTally disclosure.ValueTally
}

// printedAhead is the largest number of skills whose counts of people wait in memory until they are
// written. Each skill takes less than a megabyte.
const printedAhead = 64

// BuildTables rounds and suppresses a quarter's counts of people. It calls emit with each row of
// the table people, skill by skill, in no fixed order within a skill. It returns the rows of the
// other tables.
func BuildTables(ctx context.Context, in Inputs, emit func(snapshots.PeopleRow) error) (Tables, error) {
	everybody, err := readApplicants(in.QueryResults.Applicants, in.Places, in.Secret)
	if err != nil {
		return Tables{}, fmt.Errorf("read the applicants: %w", err)
	}
	askable, err := readAskable(in.QueryResults.AnswerableFilters)
	if err != nil {
		return Tables{}, fmt.Errorf("read the answerable filters: %w", err)
	}
	rules := &disclosure.Rules{Protection: in.Protection, Places: in.Places, IsAnswerable: askable}
	tables := Tables{Candidates: candidates(rules.Protection, everybody.counts, breakdowns(&in)),
		S106: s106(rules, &in)}
	if tables.PeopleTally, err = turnedDown(ctx, &in, rules, everybody.keys, emit); err != nil {
		return Tables{}, fmt.Errorf("people: %w", err)
	}
	if tables.Residents, err = residents(&in, rules, everybody.residents); err != nil {
		return Tables{}, fmt.Errorf("residents: %w", err)
	}
	return tables, nil
}

// turnedDown calls emit with the rounded and suppressed rows of the table people. rules rounds and
// suppresses, and keys has the rounding key of each person, by the person's number. turnedDown
// computes several skills at the same time, and keeps only their true counts in memory.
func turnedDown(ctx context.Context, in *Inputs, rules *disclosure.Rules, keys []disclosure.RoundingKey,
	emit func(snapshots.PeopleRow) error) (tally disclosure.ValueTally, err error) {
	reader, err := openSkills(in, keys)
	if err != nil {
		return tally, err
	}
	defer reader.close()
	printSkill := func(s skillPeople) printedSkill {
		if s.err != nil {
			return printedSkill{err: s.err}
		}
		rows, tally := rules.PublishedSkillCells(s.people)
		return printedSkill{skill: s.skill, rows: rows, tally: tally}
	}
	done := 0
	for p := range parallel.Map(ctx, in.Threads, printedAhead, reader.skills(in.Skills), printSkill) {
		if err = errors.Join(p.err, emitSkill(p, emit)); err != nil {
			break
		}
		tally.Add(p.tally)
		if done++; in.OnSkillDone != nil {
			in.OnSkillDone(done, len(in.Skills))
		}
	}
	return tally, errors.Join(err, ctx.Err())
}

// skillPeople holds the people who are counted for one skill, or the error of reading them.
type skillPeople struct {
	skill  string
	people *disclosure.SkillCountInput
	err    error
}

// printedSkill holds the rounded and suppressed counts of people for one skill, or an error.
type printedSkill struct {
	skill string
	rows  []disclosure.PublishedCell
	tally disclosure.ValueTally
	err   error
}

func emitSkill(p printedSkill, emit func(snapshots.PeopleRow) error) error {
	for _, r := range p.rows {
		row := snapshots.PeopleRow{Signature: r.Signature, Place: r.Place, Value: r.Value, Skill: p.skill,
			HiredWithSkillPct: r.HiredWithSkillPct, TurnedDownWithSkillPct: r.TurnedDownWithSkillPct}
		row.SetTurnedDown(r.TurnedDown)
		if err := emit(row); err != nil {
			return err
		}
	}
	return nil
}
