package counting

import "testing"

func TestTalentPoolsAreNoRoles(t *testing.T) {
	pools := []string{"Talent Pool", "Join our Talent Community!", "Future opportunities - Engineering",
		"Speculative application", "General Application",
		"Expression of Interest", "Register your interest: Care Assistant", "Don't see the right role?",
		"Open Application (London)", "Talent pool: software engineers",
		"Spontaneous applications", "Future Vacancies", "Can't find what you are looking for? Talent network",
		"TALENT POOL", "Initiativbewerbung", "Send us your CV", "Talent pool: Manager", "Talent Pool - Nurse Manager"}
	for _, title := range pools {
		if !isPool(title) {
			t.Errorf("%q is a role", title)
		}
	}
	roles := []string{"Talent Partner", "Talent Acquisition Specialist", "Care Assistant", "Talent Community Manager",
		"Talent Pool Coordinator", "Swimming Pool Attendant",
		"Application Support Analyst", "General Manager", "Head of Opportunities", "Open Source Engineer",
		"Applications Engineer", "General Practitioner",
		"Equal Opportunities Officer", "Future Opportunities Lead", "Candidate Experience Manager",
		"Business Opportunity Analyst", "", "Interest Rate Trader"}
	for _, title := range roles {
		if isPool(title) {
			t.Errorf("%q is a talent pool", title)
		}
	}
}

func BenchmarkIsPool(b *testing.B) {
	for b.Loop() {
		isPool("Senior Software Engineer, Payments Platform")
	}
}
