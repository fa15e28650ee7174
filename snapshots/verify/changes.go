package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// checkChanges looks at changes.parquet, without which nobody could see what a
// snapshot changed: that it is there, compares with the snapshot that the manifest
// names as the previous one, and shows no small number.
func checkChanges(ctx context.Context, s *subject) error {
	const file = snapshots.ChangesName
	if !s.manifest.HasFile(file) {
		s.fault("changes", file, WholeFile, "is missing: nobody could see what changed since the snapshot before")
		return nil
	}
	path, table := snapshots.Within(s.dir, file), snapshots.ChangesTable()
	columns, err := parquetio.Schema(path)
	if err != nil || !slices.Equal(columns, snapshots.Bare(table.Columns)) {
		s.fault("changes", file, WholeFile, "cannot be read, or has other columns than its format version")
		return nil
	}
	meta, err := parquetio.Metadata(path)
	want := snapshots.Previous{}
	if s.manifest.Previous != nil {
		want = *s.manifest.Previous
	}
	if err != nil || meta[snapshots.MetaFrom] != string(want.ID) || meta[snapshots.MetaFromManifest] != want.ManifestSHA256 {
		s.fault("changes", file, WholeFile, "compares with %q, the manifest names %q as the previous snapshot", meta[snapshots.MetaFrom], want.ID)
	}
	checks := []rowCheck{asOfCheck(s.manifest), changeCheck(), changedPeopleCheck("old"), changedPeopleCheck("new")}
	return s.scan(ctx, path, file, checks)
}

// changeCheck: a row says of a known table what became of a key, or of how many.
func changeCheck() rowCheck {
	kinds := []string{string(snapshots.KeyAdded), string(snapshots.KeyRemoved), string(snapshots.KeyChanged)}
	reasons := []string{string(snapshots.ReasonSuppression), string(snapshots.ReasonPeriod), string(snapshots.ReasonRevision), string(snapshots.ReasonCorrection), string(snapshots.ReasonMethod)}
	last := ""
	return rowCheck{"changes", []string{"table", "change", "reason", "key", "old", "new", "keys"}, func(v []parquetio.Value) error {
		_, isTable := snapshots.TableNamed(v[0].Text)
		_, isHeld := snapshots.HeldTableNamed(v[0].Text)
		kind, counted := snapshots.ChangeKind(v[1].Text), v[3].Null
		after := last
		last = strings.Clone(v[0].Text)
		switch {
		case v[0].Text < after:
			return fmt.Errorf("table %q comes after %q", v[0].Text, after)
		case !isTable && !isHeld:
			return fmt.Errorf("table %q is unknown", v[0].Text)
		case !slices.Contains(kinds, v[1].Text) || !slices.Contains(reasons, v[2].Text):
			return fmt.Errorf("change %q for the reason %q is unknown", v[1].Text, v[2].Text)
		case v[6].Int < 0 || !counted && v[6].Int != 1:
			return fmt.Errorf("stands for %d keys", v[6].Int)
		case v[4].Null != (counted || kind == snapshots.KeyAdded) || v[5].Null != (counted || kind == snapshots.KeyRemoved):
			return fmt.Errorf("has old and new values that are not those of a key that was %s", kind)
		}
		return nil
	}}
}

// changedPeopleCheck: the small-number rule holds for the printed values of a change too.
func changedPeopleCheck(column string) rowCheck {
	return rowCheck{"small numbers", []string{"table", column}, func(v []parquetio.Value) error {
		table, held := snapshots.HeldTableNamed(v[0].Text)
		if !held {
			table, _ = snapshots.TableNamed(v[0].Text)
		}
		people := table.PeopleColumns()
		if v[1].Null || len(people) == 0 {
			return nil
		}
		var values map[string]json.RawMessage
		if err := json.NewDecoder(strings.NewReader(v[1].Text)).Decode(&values); err != nil {
			return fmt.Errorf("%s is not a JSON object: %w", column, err)
		}
		for _, p := range people {
			printed, there := values[p.Value]
			if !there {
				continue
			}
			var count figure.Count
			if err := count.UnmarshalJSON(printed); err != nil {
				return fmt.Errorf("%s, %s: %w", column, p.Value, err)
			}
		}
		return nil
	}}
}
