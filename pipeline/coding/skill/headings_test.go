package skill

import (
	"strings"
	"testing"
)

// TestUsualHeadings: under the usual headings of what is offered nothing is asked, until the usual
// headings of what is wanted.
func TestUsualHeadings(t *testing.T) {
	r := load(t)
	off := []string{"What's in it for you?", "Perks of the job", "Staff benefits", "Employee benefits include:",
		"In return you will receive", "Why work for us?",
		"Rewards and benefits", "About our school", "Who are we?", "Our benefits:", "What we offer you"}
	on := []string{"What you'll be doing", "Main duties of the job", "Person Specification", "Essential criteria",
		"The successful candidate will have", "Key duties",
		"Requirements:", "You will:", "Who are you?", "Who are we looking for?", "Our ideal candidate:",
		"The postholder will", "What we need from you"}
	for i := range max(len(off), len(on)) {
		text := off[i%len(off)] + "\nCounselling\nFree physiotherapy\n" + on[i%len(on)] + "\nWelding"
		if got := strings.Join(slugs(r.Recognise(text)), " "); got != "welding-fabrication" {
			t.Errorf("%q: got %s", text, got)
		}
	}
}

// TestOffersAndApplications: what the employer pays for is not asked, what applicants bring is.
func TestOffersAndApplications(t *testing.T) {
	r := load(t)
	for text, want := range map[string]string{
		"We will pay for your SIA licence. We also fund first aid.":                              "",
		"Applications from people with experience of plumbing are welcome.":                      "plumbing",
		"Applications are invited from qualified plumbers.":                                      "plumbing",
		"An enhanced DBS check, references and a medical. A chance to specialise in wound care.": "dbs-check",
		"You will listen to children read. Seeking a school cleaner.":                            "cleaning deep-cleaning",
		"Applications close before the interviews, which are on dental care day.":                "",
	} {
		if got := strings.Join(slugs(r.Recognise(text)), " "); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
