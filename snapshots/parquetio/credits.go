package parquetio

import "labour/snapshots"

// ReadCredits returns the keys of all sources that the rows of a table name. It reads them from the
// table's file at path. The result is empty if the table has no column with source keys.
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
