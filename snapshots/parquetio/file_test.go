package parquetio

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"labour/snapshots"
	"labour/snapshots/figure"
)

func sumOf(t *testing.T, path string) [32]byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(b)
}

func TestSameRowsSameBytes(t *testing.T) {
	dir, rows := t.TempDir(), stagedRows(20_000)
	meta := map[string]string{"z": "1", "a": "2", "m": "3"}
	table := snapshots.Table{Name: "staged", Columns: append([]snapshots.Column{{Name: asOfName, Type: snapshots.TypeDay}},
		stagedColumns()...)}
	var first, firstImport [32]byte
	for i, processors := range []int{runtime.GOMAXPROCS(0), runtime.GOMAXPROCS(0), 1} {
		before := runtime.GOMAXPROCS(processors)
		path, imported := filepath.Join(dir, fmt.Sprint(i)), filepath.Join(dir, fmt.Sprint("imported", i))
		writeRows(t, path, stagedColumns(), meta, rows)
		_, err := ImportTable(imported, table, meta, asOfTest, path)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first, firstImport = sumOf(t, path), sumOf(t, imported)
		}
		if sumOf(t, path) != first || sumOf(t, imported) != firstImport {
			t.Errorf("run %d on %d processors has other bytes", i, processors)
		}
	}
}

// texts is a row of one long text.
type texts struct {
	Text string `col:"text"`
}

func TestRowGroupsAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.parquet")
	rows := stagedRows(RowGroupRows + 5)
	writeRows(t, path, stagedColumns(), nil, rows)
	if got := groupSizes(t, path); !slices.Equal(got, []int64{RowGroupRows, 5}) {
		t.Errorf("row groups of %v rows", got)
	}
	i := 0
	err := ForEachRow(path, func(r staged) error {
		if r.ID != rows[i].ID || (r.Level == nil) != (rows[i].Level == nil) || !r.Posted.Equal(rows[i].Posted) {
			return fmt.Errorf("row %d is %v, not %v", i, r, rows[i])
		}
		i++
		return nil
	})
	if err != nil || i != len(rows) {
		t.Errorf("%d rows, %v", i, err)
	}
	long := make([]texts, 40)
	for i := range long {
		long[i].Text = strings.Repeat(string(rune('a'+i%26)), 1<<20)
	}
	writeRows(t, path, []snapshots.Column{{Name: "text", Type: snapshots.TypeText}}, nil, long)
	if got := groupSizes(t, path); !slices.Equal(got, []int64{32, 8}) {
		t.Errorf("row groups of %v long texts", got)
	}
}

func groupSizes(t *testing.T, path string) []int64 {
	t.Helper()
	s, err := openSource(path, readRows)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	var sizes []int64
	for i := range s.in.NumRowGroups() {
		sizes = append(sizes, s.in.MetaData().RowGroup(i).NumRows())
	}
	return sizes
}

func TestStructsThatDoNotFitAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	column := func(name string, ct snapshots.Type, null bool) []snapshots.Column {
		return []snapshots.Column{{Name: name, Type: ct, Nullable: null}}
	}
	for name, err := range map[string]error{
		"no field":       create2[texts](path, column("other", snapshots.TypeText, false)),
		"field too many": create2[staged](path, stagedColumns()[:7]),
		"wrong type":     create2[texts](path, column("text", snapshots.TypeInt8, false)),
		"value for null": create2[texts](path, column("text", snapshots.TypeText, true)),
		"pointer": create2[struct {
			X *string `col:"x"`
		}](path, column("x", snapshots.TypeText, false)),
		"named pointer": create2[struct {
			X *figure.Status `col:"x"`
		}](path, column("x", snapshots.TypeText, true)),
		"tenths as int64": create2[struct {
			X figure.Tenths `col:"x"`
		}](path, column("x", snapshots.TypeInt64, false)),
		"twice": create2[texts](path, append(column("text", snapshots.TypeText, false),
			column("text", snapshots.TypeText, false)...)),
		"unknown type": create2[texts](path, column("text", "blob", false)),
	} {
		if !errors.Is(err, ErrSchema) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := create2[int](path, nil); err == nil {
		t.Error("a row that is no struct was taken")
	}
}

func create2[T any](path string, columns []snapshots.Column) error {
	_, err := CreateFile[T](path, columns, nil)
	return err
}

func TestReadRefusesAnotherSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	word := "x"
	writeRows(t, path, []snapshots.Column{{Name: "text", Type: snapshots.TypeText, Nullable: true}}, nil,
		[]struct {
			Text *string `col:"text"`
		}{{&word}, {nil}})
	if _, err := ReadAll[texts](path); !errors.Is(err, ErrSchema) {
		t.Errorf("null into a plain field: %v", err)
	}
	if _, err := ReadAll[struct {
		X int8 `col:"text"`
	}](path); !errors.Is(err, ErrSchema) {
		t.Errorf("text into a number: %v", err)
	}
	if _, err := ReadAll[struct {
		X string `col:"none"`
	}](path); !errors.Is(err, ErrSchema) {
		t.Errorf("a column that is not there: %v", err)
	}
	stop := errors.New("stop")
	err := ForEachRow(path, func(struct {
		Text *string `col:"text"`
	}) error {
		return stop
	})
	if !errors.Is(err, stop) {
		t.Errorf("the error of the function: %v", err)
	}
}

func TestWriterThatFailsLeavesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	type row struct {
		V figure.Tenths `col:"v"`
	}
	w, err := CreateFile[row](path, []snapshots.Column{{Name: "v", Type: snapshots.TypeDecimal1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(row{figure.MaxTenths}); err != nil {
		t.Fatal(err)
	}
	failed := w.Append(row{figure.MaxTenths + 1})
	if failed == nil || !errors.Is(w.Append(row{1}), failed) || w.Close() == nil {
		t.Errorf("a value that does not fit was taken: %v", failed)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}

// TestADeviceWithoutSpaceIsNoticed writes to a device that is always full, by a link that
// may be removed.
func TestADeviceWithoutSpaceIsNoticed(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.Symlink("/dev/full", path); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateFile[texts](path, []snapshots.Column{{Name: "text", Type: snapshots.TypeText}},
		nil); !errors.Is(err,
		syscall.ENOSPC) {
		t.Errorf("created a file on a full disk: %v", err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the name is still there: %v", err)
	}
}

// filling is a file on a disk that becomes full.
type filling struct {
	io.WriteCloser
	left int // bytes
}

func (f *filling) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, syscall.ENOSPC
	}
	return f.WriteCloser.Write(b)
}

func TestDiskThatFillsUpIsNoticed(t *testing.T) {
	rows := stagedRows(500)
	dir := t.TempDir()
	path := filepath.Join(dir, "whole.parquet")
	writeRows(t, path, stagedColumns(), nil, rows)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for left := 4; left < len(whole); left += len(whole) / 40 {
		path := filepath.Join(dir, "part.parquet")
		w, err := CreateFile[staged](path, stagedColumns(), nil)
		if err != nil {
			t.Fatal(err)
		}
		w.sink.file.file = &filling{w.sink.file.file, left - len("PAR1")}
		for _, r := range rows {
			err = cmp.Or(err, w.Append(r))
		}
		if err := cmp.Or(err, w.Close()); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("full after %d bytes of %d: %v", left, len(whole), err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("full after %d bytes: the file is there: %v", left, err)
		}
	}
}

// TestDamageIsAnErrorNotAPanic flips bits all over a file. The values read
// may be wrong (hashes find that), but reading must return.
func TestDamageIsAnErrorNotAPanic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	writeRows(t, path, stagedColumns(), map[string]string{"k": "v"}, stagedRows(300))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	failures := 0
	for at := 0; at < len(whole); at += 13 {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x55
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadAll[staged](path); err != nil {
			failures++
		}
	}
	if failures == 0 {
		t.Error("no damage was noticed")
	}
	for _, n := range []int{0, 3, 11, len(whole) / 2, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFooter(path); err == nil {
			t.Errorf("a file cut to %d bytes was opened", n)
		}
	}
}
