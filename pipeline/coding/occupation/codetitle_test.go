package occupation

import (
	"slices"
	"strings"
	"testing"
)

func TestCodeTitle(t *testing.T) {
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
		{"Teacher", "231"},
		{"Year 4 Class Teacher", "2314"},
		{"Teaching Assistant - SEN", "6112"},
		{"Head Chef", "5434"},
		{"Head Teacher", "2321"},
		{"Head of Marketing", "1132"},
		{"VP, Marketing", "1132"},
		{"Director of Engineering", "1121"},
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
		{"Office Manager and Work Placement Coordinator", "4141"},
		{"Chief Paramedic & Quality Officer", "2255"},
		{"Painter and Decorator", "5323"},
		{"Level 5 Registered Nurse - Rehabilitation", "2237"},
	}
	for _, tt := range tests {
		got := reg.CodeTitle(tt.title)
		if got.SOC != tt.soc {
			t.Errorf("CodeTitle(%q) = %+v, want %q", tt.title, got, tt.soc)
		}
		if (got.SOC == "") != (got.MatchedBy == "") || (got.SOC == "") != (got.Confidence == 0) || got.Confidence > 1 {
			t.Errorf("CodeTitle(%q) = %+v is not whole", tt.title, got)
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
		name, ok := reg.GroupName(tt.code)
		if name != tt.name || ok != (tt.name != "") || ok != reg.IsGroup(tt.code) {
			t.Errorf("GroupName(%q) = %q, %v", tt.code, name, ok)
		}
	}
}

func BenchmarkCode(b *testing.B) {
	reg := load(b)
	titles := []string{
		"Senior Software Engineer - Payments (London)", "Care Assistant", "VP, Sales Operations",
		"HGV Class 2 Driver - Nights",
		"Regional Interim Programme Coordinator, Somewhere Else", "Teacher of Mathematics", "Kitchen Porter - 30 hours",
		"Principal Quantum Widget Engineer", "Marketing Manager (12 month FTC)", "Café Team Member",
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		reg.CodeTitle(titles[i%len(titles)])
	}
}

// Every title of the program's own list is coded as it stands there, unless the
// office gives it another unit group.
func TestEveryKnownTitleIsFound(t *testing.T) {
	reg := load(t)
	office, err := officeTitles()
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string][]string{}
	for _, p := range office {
		key := strings.Join(p.words, " ")
		codes[key] = append(codes[key], p.soc)
	}
	for _, row := range readTable(titlesTSV) {
		got := reg.CodeTitle(strings.ToUpper(row[1]))
		if got.MatchedBy != MatchWholeTitle || got.SOC != row[0] &&
			!slices.Contains(codes[strings.Join(foldWords(row[1]), " ")], got.SOC) {
			t.Errorf("CodeTitle(%q) = %+v, want %s", row[1], got, row[0])
		}
	}
}

// A title that says too little is coded to a wider group, or by what the advert says.
func TestCodeTitleInContext(t *testing.T) {
	reg := load(t)
	tests := []struct {
		title string
		in    AdvertContext
		want  string
	}{
		{"Teacher", AdvertContext{}, "231"},
		{"Manager", AdvertContext{}, ""},
		{"Kratom", AdvertContext{}, ""},
		{"Assistant Manager", AdvertContext{}, "12"},
		{"Assistant Manager",
			AdvertContext{Text: "We run a restaurant and catering business and look for a restaurant manager for our busy " +
				"restaurant kitchen.", Employer: "The Harbour Restaurant"}, "1222"},
	}
	for _, tt := range tests {
		if got := reg.CodeTitleInContext(tt.title, tt.in); got.SOC != tt.want {
			t.Errorf("CodeTitleInContext(%q, %+v) = %+v, want %q", tt.title, tt.in, got, tt.want)
		}
	}
}
