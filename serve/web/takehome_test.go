package web_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/xml"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"labour/serve/api"
)

// TestWorkbookHasTheFiguresOfTheCSV: numbers are numbers that print as the interface does,
// codes and "<5" are text, null is empty, and the second sheet has every statement.
func TestWorkbookHasTheFiguresOfTheCSV(t *testing.T) {
	s := newSite(t)
	for path, csvPath := range map[string]string{
		"/xlsx/skills-unmet?place=camden&limit=3":            "/csv/skills-unmet?place=camden&limit=3",
		"/xlsx/whole/skills-unmet?place=camden":              "/csv/whole/skills-unmet?place=camden",
		"/xlsx/skills-unmet?skill=sql&by=place&window=24":    "/csv/skills-unmet?skill=sql&by=place&window=24",
		"/xlsx/course-demand?region=E09000007":               "/csv/course-demand?region=E09000007",
		"/xlsx/sources":                                      "/csv/sources",
		"/xlsx/skills-unmet?place=camden&sector=digital":     "/csv/skills-unmet?place=camden&sector=digital",
		"/xlsx/evidence?limit=2&snapshot=2026-11-19.1":       "/csv/evidence?limit=2&snapshot=2026-11-19.1",
		"/xlsx/skills-unmet?source=platform&soc=5&limit=200": "/csv/skills-unmet?source=platform&soc=5&limit=200",
	} {
		w := s.get(t, path)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: status %d", path, w.Code)
		}
		f, err := excelize.OpenReader(w.Body)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		compareSheet(t, path, f, lines(t, s, csvPath))
		about, err := f.GetRows("Sources")
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, row := range about {
			text += strings.Join(row, "\t") + "\n"
		}
		if people := "Figures about people\t2025-10-01 to 2026-09-30, rounded to multiples of 5\n"; strings.Contains(
			path, "skills-unmet") != strings.Contains(text, people) {
			t.Errorf("%s: the sheet of the sources does not tell of people:\n%s", path, text)
		}
		for _, want := range []string{"Snapshot\t2026-11-", api.AttributionNotice, "Contains ", "never zero"} {
			if !strings.Contains(text, want) && (want != "Contains " || !strings.Contains(path, "skills-unmet")) {
				t.Errorf("%s: the sheet of the sources has no %q:\n%s", path, want, text)
			}
		}
	}
	for path, want := range map[string]int{"/xlsx/jobs": http.StatusNotFound,
		"/xlsx/skills-unmet?place=nowhere": http.StatusBadRequest, "/xlsx/whole/jobs": http.StatusNotFound} {
		if w := s.get(t, path); w.Code != want {
			t.Errorf("%s: status %d, want %d", path, w.Code, want)
		}
	}
}

func lines(t *testing.T, s *site, path string) [][]string {
	t.Helper()
	w := s.get(t, path)
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: status %d, %v", path, w.Code, err)
	}
	return rows
}

// compareSheet compares the sheet of figures with a CSV, whose columns of statuses and
// statements it does without.
func compareSheet(t *testing.T, path string, f *excelize.File, want [][]string) {
	t.Helper()
	got, err := f.GetRows("Figures")
	if err != nil || len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d, %v", path, len(got), len(want), err)
	}
	numbers := 0
	for at, name := range want[0] {
		if strings.HasSuffix(name, "_status") || name == "attribution_statement" && !slices.Contains(got[0], name) {
			continue
		}
		column := slices.Index(got[0], name)
		if column < 0 {
			if slices.ContainsFunc(want[1:], func(row []string) bool { return row[at] != "" }) {
				t.Errorf("%s: no column %s in %v", path, name, got[0])
			}
			continue
		}
		for row := 1; row < len(want); row++ {
			cell, err := excelize.CoordinatesToCellName(column+1, row+1)
			if err != nil {
				t.Fatal(err)
			}
			shown, err := f.GetCellValue("Figures", cell)
			kind, kindErr := f.GetCellType("Figures", cell)
			if err != nil || kindErr != nil ||
				!strings.EqualFold(shown, strings.TrimSuffix(strings.TrimPrefix(want[row][at], "'"), ".0")) &&
					shown != want[row][at] {
				t.Errorf("%s, %s %s: %q, want %q (%v, %v)", path, cell, name, shown, want[row][at], err, kindErr)
			}
			_, err = strconv.ParseFloat(shown, 64)
			isCode := slices.Contains([]string{"bucket", "soc", "id"}, name) || strings.HasSuffix(name, "_code")
			if isNumber := kind == excelize.CellTypeUnset || kind == excelize.CellTypeNumber; shown != "" &&
				err == nil && !isCode {
				if numbers++; !isNumber {
					t.Errorf("%s, %s %s: the number %q is text", path, cell, name, shown)
				}
			} else if shown != "" && isNumber {
				t.Errorf("%s, %s %s: the text %q is a number", path, cell, name, shown)
			}
		}
	}
	if numbers == 0 && len(want) > 1 && !strings.Contains(path, "evidence") {
		t.Errorf("%s: no number", path)
	}
}

// TestZipHasTheReleasedTables: as they were sealed, with what proves and describes them, and
// no other table.
func TestZipHasTheReleasedTables(t *testing.T) {
	s := newSite(t)
	w := s.get(t, "/snapshots/2026-11-20.1/released.zip")
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil || w.Code != http.StatusOK {
		t.Fatalf("status %d, %v", w.Code, err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(f.Name, "labour-2026-11-20.1/")] = string(body)
	}
	tables := 0
	for name, body := range files {
		sum := sha256.Sum256([]byte(body))
		if name != "README.txt" && name != "SHA256SUMS" && !strings.Contains(files["SHA256SUMS"],
			hex.EncodeToString(sum[:])+"  "+name+"\n") {
			t.Errorf("%s is not what was sealed", name)
		}
		if strings.HasPrefix(name, "tables/") {
			tables++
		}
	}
	if tables != 12 || files["manifest.json"] == "" || files["datapackage.json"] == "" {
		t.Errorf("%d tables in %d files", tables, len(files))
	}
	for _, statement := range []string{"Contains public sector information", "Source: "} {
		if !strings.Contains(files["README.txt"], statement) {
			t.Errorf("the note has no %q: %s", statement, files["README.txt"])
		}
	}
	for _, path := range []string{"/snapshots/2020-01-01.1/released.zip", "/snapshots/2026-11-20.1/files/"} {
		if w := s.get(t, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
}

// TestChartsAreFilesOfTheirOwn: each chart is one well-formed drawing with its colours, its
// key and the statements of its sources.
func TestChartsAreFilesOfTheirOwn(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string][]string{
		"/skills/sql/chart.svg": {"by quarter", `class="band"`, `class="trace"`,
			"stroke: #0b5a62", "Source: ", "/skills/sql"},
		"/skills/sql/chart.svg?by=month&place=camden": {"Camden", "The grey line is all places", "Source: "},
		"/skills/sql/chart.svg?by=place&map=adverts": {"adverts asking by borough", `data-row="camden"`,
			"fill: #17757e", "OS data", "class=\"line\""},
		"/skills/sql/chart.svg?snapshot=2026-11-19.1":       {"snapshot 2026-11-19.1"},
		"/skills/sql/chart.svg?by=place&place=camden&map=x": nil,
		"/skills/nothing/chart.svg":                         nil,
		"/skills/sql/chart.svg?by=sector":                   nil,
	} {
		w := s.get(t, path)
		if want == nil {
			if w.Code != http.StatusNotFound && w.Code != http.StatusBadRequest {
				t.Errorf("%s: status %d", path, w.Code)
			}
			continue
		}
		body := w.Body.String()
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/svg+xml" ||
			strings.Contains(body, "var(") {
			t.Errorf("%s: status %d, %v", path, w.Code, w.Header())
		}
		d := xml.NewDecoder(strings.NewReader(body))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		for _, words := range want {
			if !strings.Contains(body, words) {
				t.Errorf("%s has no %q", path, words)
			}
		}
	}
}

// TestOnlyChartsMayBeFramed: and they bring their sources and the way back.
func TestOnlyChartsMayBeFramed(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/embed/skills/sql", "/embed/skills/sql?by=place",
		"/embed/skills/sql?place=camden&window=24"} {
		w := s.get(t, path)
		csp, body := w.Header().Get("Content-Security-Policy"), w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(csp, "frame-ancestors *") ||
			strings.Contains(csp, "script-src") || !strings.Contains(csp, "default-src 'none'") {
			t.Errorf("%s: status %d, %q", path, w.Code, csp)
		}
		for _, want := range []string{`<q class="statement">`, `href="/skills/sql`, "data as of 20 November 2026",
			"<svg"} {
			if !strings.Contains(body, want) {
				t.Errorf("%s has no %q", path, want)
			}
		}
		if strings.Contains(body, "<form") || strings.Contains(body, "<script") {
			t.Errorf("%s has a form or a script", path)
		}
	}
	for _, path := range []string{"/", "/skills/sql", "/skills/sql/chart.svg", "/embedded", "/nothing", "/csv/sources",
		"/static/style.css"} {
		if csp := s.get(t, path).Header().Get("Content-Security-Policy"); !strings.Contains(csp,
			"frame-ancestors 'none'") {
			t.Errorf("%s may be framed: %q", path, csp)
		}
	}
}
