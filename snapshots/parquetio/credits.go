package parquetio

import "labour/snapshots"

// ReadCredits returns the keys of all sources that the rows of a table name, from the table's file
// at path. The result is empty if the table has no column for keys of sources.
func ReadCredits(path string, table snapshots.Table) (snapshots.CreditedSourceKeys, error) {
	named := snapshots.CreditedSourceKeys{}
	columns := table.CreditColumns()
	if len(columns) == 0 {
		return named, nil
	}
	for values, err := range ScanColumns(path, columns) {
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			named.Add(v.Text)
		}
	}
	return named, nil
}
