package tablewriter

import (
	"errors"
	"io/fs"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Credits returns the keys of the sources that must be credited, for each table and embargoed
// dataset. They are the sources that the rows name. Call it after all files have been written.
func (w *Writer) Credits() (map[string]snapshots.CreditedSourceKeys, error) {
	named := map[string]snapshots.CreditedSourceKeys{}
	for _, table := range append(snapshots.Tables(), snapshots.EmbargoedTables()...) {
		_, file, err := snapshots.FindFile(table.Name)
		if err != nil {
			return nil, err
		}
		of, err := parquetio.ReadCredits(w.Snapshot.FilePath(file), table)
		if errors.Is(err, fs.ErrNotExist) { // an embargoed dataset that was not built
			continue
		}
		if err != nil {
			return nil, err
		}
		named[table.Name] = of
	}
	return named, nil
}
