package counting

import (
	"strings"
	"testing"
)

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

// TestEveryPhraseOfAPoolIsSeen: each form of each phrase is found, whatever other words the title has.
func TestEveryPhraseOfAPoolIsSeen(t *testing.T) {
	phrases := []string{"work with us", "initiativbewerbung", "candidature spontanée", "send us your cv",
		"register your interest", "register my interest", "register an interest", "expression of interest",
		"expressions of interest", "don't see a role", "don’t find the job", "dont see your perfect fit",
		"do not see an opportunity", "didn't find what you", "can't see the right position", "cannot find a dream vacancy",
		"not seeing a suitable role", "not finding the job"}
	for _, who := range []string{"talent", "candidate", "applicant"} {
		for _, what := range []string{"pool", "community", "network", "banks", "pipeline"} {
			phrases = append(phrases, who+" "+what, who+"-"+what)
		}
	}
	for _, when := range []string{"future", "upcoming", "potential", "other", "general"} {
		for _, what := range []string{"opportunity", "job opportunities", "career vacancy", "employment vacancies",
			"work opening", "openings", "roles"} {
			phrases = append(phrases, when+" "+what)
		}
	}
	for _, how := range []string{"speculative", "spontaneous", "unsolicited", "general", "open", "prospective",
		"initiative"} {
		for _, what := range []string{"application", "job applications", "applicant", "cv", "cvs", "candidate", "candidates",
			"candidature", "submission"} {
			phrases = append(phrases, how+" "+what)
		}
	}
	for _, do := range []string{"join", "keep in touch with", "stay connected with", "stay in touch with",
		"connect with"} {
		phrases = append(phrases, do+" our talent", do+" our team for future growth")
	}
	for _, title := range phrases {
		if !isPool(title) || !isPool("Kent: "+strings.ToUpper(title)) {
			t.Errorf("%q is a role", title)
		}
	}
}

func BenchmarkIsPool(b *testing.B) {
	for b.Loop() {
		isPool("Senior Software Engineer, Payments Platform")
	}
}
