package verify

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// eventChecks: since version 2 the table has what is everybody's. "An application or an
// outcome is about a person: [it is shown] to the partner it belongs to and to nobody
// else."
func eventChecks(t snapshots.Table, m snapshots.Manifest) []rowCheck {
	if t.Name != "events" || m.FormatVersion == 1 {
		return nil
	}
	return []rowCheck{{"events", []string{"type", "partner"}, func(v []parquetio.Value) error {
		if v[1].Text != "" {
			return errors.New("it is an event of a partner")
		}
		if !(snapshots.EventsRow{Type: v[0].Text}).Visible() {
			return fmt.Errorf("%s is about a person", v[0].Text)
		}
		return nil
	}}}
}

// checkPartners looks at the events of partners, where the snapshot lies in a store that
// has them: the files are those that were sealed, each has the events of one partner, and
// nobody but their owner may read them.
func checkPartners(ctx context.Context, s *subject) error {
	if s.store == nil || filepath.Clean(s.store.Dir(s.manifest.ID)) != filepath.Clean(s.dir) {
		return nil
	}
	files, err := snapshots.PartnerFiles(s.dir, s.manifest)
	if err != nil && !errors.Is(err, snapshots.ErrNoPartnerFiles) {
		s.fault("partners", snapshots.PartnersName, WholeFile, "%v", err)
	}
	for _, f := range files {
		name := path.Join(snapshots.PartnersName, f.File)
		if open, err := snapshots.OpenToOthers(f.Path); err != nil || open {
			s.fault("partners", name, WholeFile, "others than its owner may read it %v", err)
		}
		err := s.scan(ctx, f.Path, name, []rowCheck{asOfCheck(s.manifest), {"partners", []string{"partner"}, func(v []parquetio.Value) error {
			if v[0].Text != f.Partner {
				return errors.New("it is an event of another partner")
			}
			return nil
		}}})
		if err != nil {
			return err
		}
	}
	return nil
}
