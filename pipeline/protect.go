package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"labour/pipeline/cells"
	"labour/pipeline/config"
	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/ledger"
	"labour/snapshots/parquetio"
)

// protection is what the counts of people of one quarter end are masked with, and
// what of them must be remembered.
type protection struct {
	disclosure.Rules
	kept audits
}

// protect asks for the rules of the quarter and opens the ledger, once. published
// says that figures of people were published before.
func (t *tables) protect(ctx context.Context, published bool) (*protection, error) {
	if t.protection != nil {
		return t.protection, nil
	}
	rules, err := t.rules(ctx)
	if err != nil {
		return nil, err
	}
	if rules.Book, err = ledger.Open(LedgerDir(t.o.Data), published); err != nil {
		return nil, err
	}
	if rules.Book.Lost() {
		t.o.Log.Warn("the ledger of printed numbers was lost: counts of people are printed for 12 months alone, and none of residents or of people employed")
	}
	quarter := PeopleAsOf(t.o.AsOf)
	rules.End = quarter.Year*12 + int(quarter.Month)
	t.protection = &protection{Rules: rules}
	return t.protection, nil
}

// remember writes what was found and printed of people, before anybody can see it:
// a run that is stopped after it has forgotten nothing.
func (t *tables) remember() error {
	if t.protection == nil {
		return nil // carried: nothing new is printed
	}
	return errors.Join(t.protection.kept.write(t.o), t.protection.Book.Append(PeopleAsOf(t.o.AsOf).String(), &t.protection.kept.page))
}

// volumeRow is a row of the public order.
type volumeRow struct {
	Dim     string `col:"dim"`
	Value   string `col:"value"`
	Adverts int64  `col:"adverts"`
}

// servedAreas are the configured areas as the place tree takes them.
func servedAreas(c *config.Config) []lattice.Area {
	var areas []lattice.Area
	for _, a := range c.ServedAreas {
		areas = append(areas, lattice.Area{Slug: a.Slug, Boroughs: a.Boroughs})
	}
	return areas
}

// AreaMessages says, before anything is run, which served areas of a configuration
// will have no counts of people and why: those that cut another.
func AreaMessages(c *config.Config) []string { return lattice.New(servedAreas(c), nil).Messages() }

// rules are the place tree and the public order, both known before any count of
// people is looked at.
func (t *tables) rules(ctx context.Context) (disclosure.Rules, error) {
	if _, err := t.countedAdverts(ctx); err != nil {
		return disclosure.Rules{}, err
	}
	file, err := t.ask(ctx, cells.PublicOrder)
	if err != nil {
		return disclosure.Rules{}, err
	}
	var volumes []lattice.Volume
	err = parquetio.Read(file, func(r volumeRow) error {
		volumes = append(volumes, lattice.Volume(r))
		return nil
	})
	if err != nil {
		return disclosure.Rules{}, fmt.Errorf("public order: %w", err)
	}
	l := lattice.New(servedAreas(t.o.Config), volumes)
	for _, m := range l.Messages() {
		t.o.Log.Warn(m)
	}
	return disclosure.Rules{Lattice: l, MinEmployers: t.o.Config.People.MinEmployers}, nil
}

// LedgerDir is where a data directory keeps the memory of every printed number.
func LedgerDir(data string) string { return filepath.Join(data, "protected", "ledger") }

// audits collects the reports of the audit: names of cells for the protected
// zone, totals for the report.
type audits struct {
	found    []auditOf
	withheld map[WithheldAt]int64 // Figures is 0 in the keys
	page     ledger.Page
}

type auditOf struct {
	Skill   string `json:"skill"`
	Measure int    `json:"measure"`
	gate.Report
}

// note counts the reports of a skill or breakdown and keeps those that say
// something, and puts what is printed of it on the ledger's page.
func (a *audits) note(r *Report, name string, kept disclosure.Kept) error {
	for m, g := range kept.Audits {
		r.Audit.Systems += int64(g.Systems)
		r.Audit.Groups += int64(g.Groups)
		r.Audit.Searched += int64(g.Searched)
		r.Audit.Unproven += int64(g.Unproven)
		r.Audit.NotAudited += int64(g.NotAudited)
		r.Audit.Withdrawn += int64(len(g.Exact))
		r.Audit.Errors += int64(len(g.Errors))
		if len(g.Exact)+len(g.Errors) > 0 {
			a.found = append(a.found, auditOf{name, m, g})
		}
	}
	return a.page.Add(name, kept.Entries)
}

// write puts the reports and the rules by place into the protected zone.
func (a *audits) write(o *Options) error {
	asOf := PeopleAsOf(o.AsOf).String()
	return errors.Join(writeProtected(o.protected("audit", asOf+".json"), a.found), writeProtected(ReasonsFile(o.Data, asOf), a.reasons()))
}

func writeProtected(file string, of any) error {
	b, err := json.MarshalIndent(of, "", " ")
	if err != nil {
		return fmt.Errorf("audit report: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("audit report: %w", err)
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return fmt.Errorf("audit report: %w", err)
	}
	return nil
}
