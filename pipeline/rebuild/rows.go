package rebuild

import (
	"errors"
	"io/fs"
	"iter"
	"slices"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// onlyDescriptionsDiffer reports whether two files have the same columns and rows. rebuilt is the
// path of the rebuilt file, and sealed that of the sealed file. was is the SHA-256 of the sealed
// file in the manifest. The result is false if the sealed file is missing or has another hash.
func onlyDescriptionsDiffer(was, sealed, rebuilt string) (bool, error) {
	file, err := snapshots.HashFile(sealed)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || file.SHA256 != was {
		return false, err
	}
	return haveEqualRows(sealed, rebuilt)
}

// haveEqualRows reports whether two Parquet files have the same columns and the same rows in the same
// order. It returns false if a column has a type that this program does not know.
func haveEqualRows(sealed, rebuilt string) (bool, error) {
	columns, err := commonColumns(sealed, rebuilt)
	if errors.Is(err, parquetio.ErrSchema) {
		return false, nil
	}
	if err != nil || columns == nil {
		return false, err
	}
	next, stop := iter.Pull2(parquetio.ScanColumns(rebuilt, columns))
	defer stop()
	for row, err := range parquetio.ScanColumns(sealed, columns) {
		if err != nil {
			return false, err
		}
		other, err, found := next()
		if err != nil || !found || !slices.Equal(row, other) {
			return false, err
		}
	}
	_, err, found := next()
	return !found, err
}

// commonColumns returns the names of the columns of two Parquet files. It returns nil if the files
// differ in a column's name, type or place.
func commonColumns(sealed, rebuilt string) (names []string, err error) {
	before, err := parquetio.ReadFooter(sealed)
	if err != nil {
		return nil, err
	}
	after, err := parquetio.ReadFooter(rebuilt)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(before.Columns, after.Columns) {
		return nil, nil
	}
	for _, column := range before.Columns {
		names = append(names, column.Name)
	}
	return names, nil
}
