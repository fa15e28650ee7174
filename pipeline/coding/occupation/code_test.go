package occupation

import (
	"strings"
	"testing"
)

func TestCode(t *testing.T) {
	reg := load(t)
	tests := []struct{ title, soc string }{
		{"Data analyst", "3544"},
		{"Software developer", "2134"},
		{"IT support technician", "3132"},
		{"Senior Data Analyst (12 month FTC) - London", "3544"},
		{"Engineer, Software", "2134"},
		{"Driver, Bus", "8212"},
		{"Driver", "8219"},
		{"HGV Class 1 Driver - Nights", "8211"},
		{"Sr. Back-End Engineer (m/f/d)", "2134"},
		{"Care Assistants", "6135"},
		{"Senior Care Assistant", "6136"},
		{"Healthcare Assistant – Bank, Part-Time", "6131"},
		{"Registered Nurse (RGN)", "2237"},
		{"Registered Mental Health Nurse", "2235"},
		{"Dental Nurse", "6133"},
		{"Veterinary Nurse", "3240"},
		{"Teacher of Mathematics", "2313"},
		{"Teacher", ""},
		{"Year 4 Class Teacher", "2314"},
		{"Teaching Assistant - SEN", "6112"},
		{"Head Chef", "5434"},
		{"Head Teacher", "2321"},
		{"Head of Marketing", "1132"},
		{"VP, Marketing", "1132"},
		{"Director of Engineering", "1137"},
		{"Marketing Manager", "2432"},
		{"Marketing Executive", "3554"},
		{"Finance Director", "1131"},
		{"Restaurant Manager, Leeds", "1222"},
		{"Assistant Store Manager", "1150"},
		{"Sales Assistant", "7111"},
		{"Sales Executive", "3552"},
		{"Sales Manager", "3556"},
		{"Sales Director", "1132"},
		{"Car Sales Executive", "7115"},
		{"Administrative Assistant", "4159"},
		{"Apprentice Electrician", "5241"},
		{"Chef de Partie", "5434"},
		{"Crème pâtissier", ""},
		{"Manager", ""},
		{"Associate", ""},
		{"", ""},
		{"()- ,", ""},
		{"REQ-10293 Warehouse Operative £12.50 per hour", "9252"},
		{"Cleaner - 10 hours per week - Manchester", "9223"},
		{"SIA Door Supervisor", "9231"},
	}
	for _, tt := range tests {
		got := reg.Code(tt.title)
		if got.SOC != tt.soc {
			t.Errorf("Code(%q) = %+v, want %q", tt.title, got, tt.soc)
		}
		if (got.SOC == "") != (got.MatchedBy == "") || (got.SOC == "") != (got.Confidence == 0) || got.Confidence > 1 {
			t.Errorf("Code(%q) = %+v is not whole", tt.title, got)
		}
	}
}

func TestNames(t *testing.T) {
	reg := load(t)
	tests := []struct{ code, name string }{
		{"3544", "Data analysts"},
		{"2", "Professional occupations"},
		{"9999", ""},
		{"", ""},
		{"35444", ""},
	}
	for _, tt := range tests {
		name, ok := reg.Name(tt.code)
		if name != tt.name || ok != (tt.name != "") || ok != reg.Valid(tt.code) {
			t.Errorf("Name(%q) = %q, %v", tt.code, name, ok)
		}
	}
}

func BenchmarkCode(b *testing.B) {
	reg := load(b)
	titles := []string{
		"Senior Software Engineer - Payments (London)", "Care Assistant", "VP, Sales Operations", "HGV Class 2 Driver - Nights",
		"Regional Interim Programme Coordinator, Somewhere Else", "Teacher of Mathematics", "Kitchen Porter - 30 hours",
		"Principal Quantum Widget Engineer", "Marketing Manager (12 month FTC)", "Café Team Member",
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		reg.Code(titles[i%len(titles)])
	}
}

// The embedded titles must all be found again as they stand.
func TestEveryKnownTitleIsFound(t *testing.T) {
	reg := load(t)
	rows, faults := readTable("titles.tsv")
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, row := range rows {
		if got := reg.Code(strings.ToUpper(row[1])); got.SOC != row[0] || got.MatchedBy != ByTitle {
			t.Errorf("Code(%q) = %+v, want %s", row[1], got, row[0])
		}
	}
}
