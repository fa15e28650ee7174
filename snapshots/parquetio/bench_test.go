package parquetio

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"labour/snapshots"
)

// staged is like a coded row of the protected zone.
type staged struct {
	ID     string    `col:"id"`
	Source string    `col:"source"`
	Place  string    `col:"place"`
	SOC    string    `col:"soc"`
	Skill  string    `col:"skill"`
	Level  *int8     `col:"level"`
	Posted time.Time `col:"posted"`
	Score  float64   `col:"score"`
}

func stagedColumns() []snapshots.Column {
	text := func(name string) snapshots.Column { return snapshots.Column{Name: name, Type: snapshots.TypeText} }
	return []snapshots.Column{text("id"), text("source"), text("place"), text("soc"), text("skill"),
		{Name: "level", Type: snapshots.TypeInt8, Nullable: true}, {Name: "posted", Type: snapshots.TypeDay},
		{Name: "score", Type: snapshots.TypeFloat64}}
}

func stagedRows(n int) []staged {
	rows := make([]staged, n)
	for i := range rows {
		level := int8(i % 5)
		rows[i] = staged{ID: fmt.Sprintf("advert-%09d", i*7919), Source: "employer_boards",
			Place: fmt.Sprint("borough-", i%33),
			SOC:   fmt.Sprint(1111 + i%412), Skill: fmt.Sprint("skill-", i%900), Level: &level,
			Posted: time.Unix(int64(19000+i%730)*secondsPerDay, 0), Score: float64(i%1000) / 7}
		if i%3 == 0 {
			rows[i].Level = nil
		}
	}
	return rows
}

func BenchmarkAppend(b *testing.B) {
	rows := stagedRows(RowGroupRows)
	path := filepath.Join(b.TempDir(), "staged.parquet")
	w, err := CreateFile[staged](path, stagedColumns(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if err := w.Append(rows[i%len(rows)]); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkRead(b *testing.B) {
	const n = 2 * RowGroupRows
	path := filepath.Join(b.TempDir(), "staged.parquet")
	writeRows(b, path, stagedColumns(), nil, stagedRows(n))
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		rows := 0
		if err := ForEachRow(path, func(staged) error { rows++; return nil }); err != nil || rows != n {
			b.Fatal(rows, err)
		}
	}
	b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkImport(b *testing.B) {
	const n = 2 * RowGroupRows
	dir := b.TempDir()
	src := filepath.Join(dir, "src.parquet")
	table := snapshots.Table{Name: "staged", Columns: append([]snapshots.Column{{Name: asOfName, Type: snapshots.TypeDay}},
		stagedColumns()...)}
	writeRows(b, src, stagedColumns(), nil, stagedRows(n))
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if _, err := ImportTable(filepath.Join(dir, "dst.parquet"), table, nil, time.Unix(1.7e9, 0), src); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkScan(b *testing.B) {
	const n = 2 * RowGroupRows
	path := filepath.Join(b.TempDir(), "staged.parquet")
	writeRows(b, path, stagedColumns(), nil, stagedRows(n))
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		for _, err := range ScanColumns(path, []string{"place", "soc", "skill", "level"}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "rows/s")
}
