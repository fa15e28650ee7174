package yeartest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// changeLists are the tables whose list of changes is compared: those that count adverts.
var changeLists = []string{"adverts", "adverts_total"}

// compareChanges compares the list of changes of a snapshot with the differences between what it and the
// snapshot before it must hold. It compares nothing if the snapshot before is not in p.kept:
// it is then the first of two that were made at once.
func (p *player) compareChanges(id snapshots.ID, e expected) {
	p.t.Helper()
	dir := p.store.SnapshotDir(id)
	previous, err := previousOf(dir)
	if err != nil {
		p.t.Fatal(err)
	}
	before, known := p.kept[previous]
	if !known {
		return
	}
	for _, l := range layouts {
		if !slices.Contains(changeLists, l.name) || e.tables[l.name] == nil {
			continue
		}
		want := l.changes(before.tables[l.name], e.tables[l.name])
		got, err := l.listedChanges(dir)
		if err != nil {
			p.differs("changes", difference{id.String(), "a list of changes", err.Error()})
		}
		p.tally.rows += max(len(want), len(got))
		for _, d := range compare(want, got, "") {
			p.differs("changes of "+l.name, d)
		}
	}
}

// previousOf returns the snapshot with which the snapshot in a directory is compared; empty if it is the first.
func previousOf(dir string) (snapshots.ID, error) {
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return "", err
	}
	var m struct {
		Previous struct{ ID snapshots.ID }
	}
	err = json.Unmarshal(b, &m)
	return m.Previous.ID, err
}

// changes returns what differs between two tables: for each row and column the kind of change, the old and the
// new value.
func (l layout) changes(before, after figures) figures {
	changes := figures{}
	for of, row := range before {
		old, kept := strings.Split(row, " | "), after[of]
		for i, column := range l.values {
			if kept == "" {
				changes[line(of, column)] = line("removed", old[i], "null")
			} else if now := strings.Split(kept, " | ")[i]; now != old[i] {
				changes[line(of, column)] = line("changed", old[i], now)
			}
		}
	}
	for of, row := range after {
		if _, was := before[of]; was {
			continue
		}
		for i, now := range strings.Split(row, " | ") {
			changes[line(of, l.values[i])] = line("added", "null", now)
		}
	}
	return changes
}

// listedChanges reads what a snapshot lists as changed in the table, as far as the columns are compared.
func (l layout) listedChanges(dir string) (figures, error) {
	listed := figures{}
	columns := []string{"table", "key", "change", "old", "new"}
	for row, err := range parquetio.ScanColumns(filepath.Join(dir, "changes.parquet"), columns) {
		if err != nil {
			return nil, err
		}
		if row[0].Text != l.name {
			continue
		}
		key, err := object(row[1])
		if err != nil {
			return nil, err
		}
		old, err := object(row[3])
		if err != nil {
			return nil, err
		}
		now, err := object(row[4])
		if err != nil {
			return nil, err
		}
		for _, column := range l.values {
			if old[column] != nil || now[column] != nil {
				of := append(named(key, l.keys...), column)
				listed[strings.Join(of, " | ")] = line(strings.Clone(row[2].Text), named(old, column)[0],
					named(now, column)[0])
			}
		}
	}
	return listed, nil
}

// object decodes the JSON object in a column; it is empty if the column is null.
func object(v parquetio.Value) (map[string]any, error) {
	fields := map[string]any{}
	if v.IsNull {
		return fields, nil
	}
	err := json.Unmarshal([]byte(v.Text), &fields)
	return fields, err
}

// named returns fields of an object as text; a field that it does not have is null.
func named(fields map[string]any, names ...string) []string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = "null"
		if value, ok := fields[name]; ok {
			texts[i] = fmt.Sprint(value)
		}
	}
	return texts
}
