package skill

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func slugs(found []FoundSkill) []string {
	out := []string{}
	for _, f := range found {
		out = append(out, f.Skill)
	}
	return out
}

// pitfalls are texts that a plain search for words gets wrong.
var pitfalls = []struct{ name, text, want string }{
	{"C by itself", "Hepatitis C vaccination offered. Plan C. Series C round.", ""},
	{"C the language", "You know C and C++ for firmware.", "c-language c-plus-plus embedded-systems"},
	{"category C is a licence", "Must hold category C licence.", "hgv-cat-c"},
	{"R by itself", "Send it to J R Smith.", ""},
	{"R the language", "Analysis in R, SQL and Stata.", "r-language spss sql"},
	{"R&D is no R", "R&D uses Python.", "python"},
	{"go as a verb", "We want you to go the extra mile. Go to market with Python.", "python"},
	{"Go the language", "Services written in Go and Python.", "go-language python"},
	{"golang, and accents behind a full stop", "Experience of golang, .NÉT and nodé.jś.",
		"dotnet go-language javascript"},
	{"excel as a verb", "You will excel in this role. Excel at what you do with skills.", ""},
	{"Excel", "Good knowledge of Excel.", "excel"},
	{"Excel with Word", "Confident with Word, Excel and Outlook.", "excel microsoft-office"},
	{"swift as an adjective", "A swift response. Swift action. Swift payments.", "payments-banking"},
	{"Swift", "Apps for iOS in Swift and Kotlin.", "kotlin mobile-development swift-language"},
	{"access as a noun", "Access to a garden. You have access to Teams.", ""},
	{"Access", "Databases in Excel, Access and PowerPoint.", "excel microsoft-office powerpoint"},
	{"spark as a verb", "You spark ideas. Spark joy with SQL.", "sql"},
	{"Spark", "Pipelines in Spark and SQL at scale.", "apache-spark sql"},
	{"word", "Word of mouth matters. Spread the word.", ""},
	{"rust", "Rust removal and welding of panels.", "welding-fabrication"},
	{"Rust", "Systems code in Rust or Go.", "go-language rust-language"},
	{"sage", "Sage advice is welcome.", ""},
	{"Sage", "Purchase ledger in Sage and Excel with accounts software.", "bookkeeping excel"},
	{"teams", "Teams of five. Our Teams.", ""},
	{"lead", "You will lead the lead-free solder line. Lead time is short. Lead developer.", ""},
	{"lead generation", "Lead generation by phone.", "lead-generation"},
	{"react as a verb", "React to change quickly. You react to alarms.", ""},
	{"React", "React and TypeScript.", "react typescript"},
	{"React to write", "TypeScript and React to write our pages.", "react typescript"},
	{"polish as a verb", "Polish floors and French polishing of tables.", ""},
	{"Polish", "Polish speaker wanted.", "polish"},
	{"symbols", "C#, .NET, Node.js and CI/CD.", "c-sharp devops dotnet javascript"},
	{"fillers stand between", "You will keep very clear, detailed records.", "record-keeping"},
	{"too many fillers", "You will manage our own new full wide teams.", ""},
	{"and as a sign", "Moving & Handling required. Stocking &amp; cleaning duties.", "cleaning moving-and-handling"},
	{"a colleague's post", "You report with the project manager to the head.", ""},
	{"the post itself", "We are seeking a project manager.", "project-management"},
	{"A&E", "Nurses for our A&E department.", "emergency-care"},
	{"accents and case", "PYTHÓN, pythоn", "python"}, // the second has a Cyrillic o
	{"web address", "See https://x.example/python.html for more.", ""},
	{"no experience required", "No experience of Python required.", ""},
	{"no X needed", "No Excel skills needed.", ""},
	{"not needed", "A driving licence is not needed.", ""},
	{"not essential", "Knowledge of SQL is not essential.", ""},
	{"desirable but not essential", "SQL is desirable but not essential.", "sql"},
	{"needed, then not needed", "Python is essential, Java is not required.", "python"},
	{"no before but", "No degree required but Python is essential.", "python"},
	{"not only", "Not only Python but SQL.", "python sql"},
	{"taught", "We will teach you Python. Full training in SQL provided. You will learn plumbing and plastering.", ""},
	{"training follows", "Food hygiene training will be provided.", ""},
	{"we use", "We use Slack and Python.", ""},
	{"a colleague's post", "Reporting to the Director of Operations. Reporting to the Head Chef, drive a forklift.",
		"forklift"},
	{"the employer's work", "We work closely with Python. Our client provides welding. Please email or telephone.", ""},
	{"the applicant after the employer", "We are committed to dental care. The successful candidate will know welding.",
		"welding-fabrication"},
	{"no cue over a comma", "You excel in dental service, has plumbing experience.", "plumbing"},
	{"a shared last word", "Clinical and research skills. Personal and pastoral care.",
		"clinical-skills pastoral-care personal-care research-skills"},
	{"the description of a unit", "The ward has four endoscopy rooms. The unit provides vaccination clinics.", ""},
	{"benefits section", "Requirements\n- Plumbing\nBenefits\n- Dental care\n- Childcare experience", "plumbing"},
	{"asked again after benefits", "Benefits:\nDental care\nAbout you:\nBricklaying", "bricklaying"},
	{"employer's introduction", "Acme builds robotics.\nRequirements\nWelding", "welding-fabrication"},
	{"no heading, no introduction", "Acme builds robotics.", "robotics"},
	{"care", "Provide personal care and administer medication. Enhanced DBS.",
		"dbs-check medication-administration personal-care"},
	{"site", "CSCS card. Carpentry and second fix. SMSTS.", "carpentry-joinery cscs-card site-management"},
	{"kitchen", "Commis chef with Level 2 food hygiene.", "chef-experience food-hygiene"},
	{"door", "SIA licence and CCTV.", "cctv sia-licence"},
	{"warehouse", "Pick and pack, forklift (counterbalance).", "forklift warehouse-work"},
	{"nursery", "Early years practitioner, EYFS, paediatric first aid.", "childcare first-aid"},
	{"salon", "Barbering and skin fades.", "barbering"},
	{"empty", "", ""},
}

// TestPitfalls: each text must give exactly these skills.
func TestPitfalls(t *testing.T) {
	r := load(t)
	for _, c := range pitfalls {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.Fields(c.want), slugs(r.Recognise(c.text))); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

// headingsAndPosts maps texts to the skills that they require.
var headingsAndPosts = map[string]string{
	"Salary: £24,000\nYou need welding.": "welding-fabrication",
	// a requirement is no heading
	"Acme builds robotics.\nExperience of welding essential": "robotics welding-fabrication",
	// "benefits" neither begins nor ends it
	"You are\nKnowledge of welfare benefits (A)\nWelding": "welding-fabrication welfare-advice",
	"Handling complaints and conflict.":                   "conflict-resolution customer-complaints",
	// the apostrophe that Unicode has for a letter
	"ʼ A driverʼs licence ʼ is needed. ʼ": "driving-car-van",
	"Plumbing is handled by our electricians. The conveyancing and photography are outsourced. Not needed: welding, " +
		"Excel.": "",
	"Our payroll and bookkeeping are at head office. Other teams do welding. You get dental care. A full induction " +
		"covering first aid.": "",
	"We use Python. You know a till (we use Lightspeed), Excel and Canva.": "excel graphic-design " +
		"till-operation",
	"Acme is a maker of robotics.\nBricklaying and plastering.\nRequirements\nWelding": "bricklaying plastering " +
		"welding-fabrication",
	"Benefits\nDental care\nA DBS check is required":          "dbs-check",
	"Plumbing, no welding. Bricklaying, but no cold calling.": "bricklaying plumbing",
	"We train all staff in Excel. Studying for welding.\nFull driving licence and access to a car. French and German " +
		"handy, but not needed.": "driving-car-van driving-for-work french german",
	"You may be asked at any time to be a true team worker.": "team-working",
	"We are seeking a community nurse.":                      "community-nursing nursing",
	"We are seeking a dental nurse.":                         "dental",
	"Agents Danish/Norwegian/Swedish":                        "danish norwegian swedish",
	"Danish butter and furniture.":                           "",
	"The board sees plumbing. It has dental care. There is a welding team. Plumbing for the teams is outsourced.": "",
	"You join a company that does plumbing. You know agencies such as welders. We can offer you dental care.":     "",
	"Your opportunity to develop your welding. You follow the newly appointed plumber. Posts within bricklaying.": "",
	"You sit with a team of forklift people. The service will be led by dental care. We help you grow into " +
		"bricklaying. Acme is a major welding site.": "",
	"Non-EU applicants read of dental care. You are eligible as defined by forklift rules. You undergo training in " +
		"bricklaying.": "",
	"Join us in bricklaying. Plumbing and dental services are in York.": "",
	"The laboratory has dental care. The directorate is into forklifts. The practice focuses on plumbing. Pay teams " +
		"sit within bookkeeping. Today we already run dental care.": "",
	"They say that we have dental care. This means bricklaying. These include welding. Other services: dental care.": "",
	"Acme was established for plumbing. Opened in 2010 for dental care. Recent developments and plumbing. " +
		"Developments include welding. Sites will have a dental care team. A long history of bricklaying.": "",
	"This will enable staff with welding. Know the vision for dental care. Greenhill is a school for children in " +
		"childcare.": "",
	"We aim to offer applicants dental care. We ensure that we know welding, as required. Interviews will be held in " +
		"Excel. You see all interviews for welding. We will shortlist for the role of welding. I am really proud of " +
		"welding, I need it.": "",
	"Your role is in the Long Term Plan for dental care. I love your dental care. You have a range of benefits, " +
		"dental care. You have early access to dental care. You have study leave, dental care. You have annual leave, " +
		"dental care. You see opportunities for extra welding.": "",
	"These courses suit applicants in plumbing. Hill is a special school for those able in dental care. You join a " +
		"friendly team in plumbing. Do you want to work for a firm in plumbing? An exciting time to join your role in " +
		"welding.": "",
	"Are you looking to join a firm for plumbing? Their focus is welding, as required. Central to this vision is " +
		"your welding. Rated outstanding, applicants, for dental care. Your league table for welding. Ofsted found the " +
		"role in childcare.": "",
	"You know a team, truly multidisciplinary including welders and dental care. You meet staff including nurses and " +
		"dental care. Dental care is at the heart of what you do. Welding growth is encouraged. You find welding, a " +
		"pension scheme.": "",
	"Chance to broaden into welding. Opportunity to develop a broad welding role. Opportunity to develop within " +
		"welding. You choose to develop welding. You go by moving into welding. This role is far more than a plumbing " +
		"role.": "",
	"You plan as directed by the welder. In consultation with the dental team.": "",
	"We aim to recruit for welding.":                                            "welding-fabrication", // this asks
	"Now sites: schools that do dental care. Today they also provide dental care. We embrace your welding role. You " +
		"are to join a friendly team for dental care. Welding will be fully supported.": "",
	"Services offered\nDental care": "",
	"Courses available\nWelding":    "",
	"Further details\nWelding":      "",
	"Contact details\nWelding":      "",
	"For further talks\nWelding":    "",
	"It is plumbing that applicants do. The team has a need: welding.": "plumbing " +
		"welding-fabrication", // these ask
	"Bring your own PPE. Use of PPE with patients.": "infection-control",
	"We seek a cover supervisor.":                   "teaching-assistant",
	"We seek a door supervisor.":                    "security-guarding",
	"We seek a study supervisor.":                   "",
	"We seek a supervisor.":                         "staff-supervision",
	"Social Work England registration. Experienced social workers with SWE.": "social-work " +
		"social-work-registration",
	"SWE fees are paid. The SWE II will know Python. Social Work England fees apply.": "python",
	"You help with basic food preparation, fill shelves and are reliable and flexible.": "adaptability cooking " +
		"reliability retail-sales stock-control",
	"You follow fashion trends. You check tachographs. You control food costs.": "cost-control fashion-retail " +
		"food-costing transport-operations",
	"Experienced SEN teaching assistant. You follow colour coding and wear gloves. RMN.": "nmc-registration " +
		"psychiatry special-needs-education teaching-assistant",
	"You need\nCommitment to equality, diversity and inclusion.\nWelding": "equality-diversity " +
		"welding-fabrication",
	"Our commitment to equality, diversity and inclusion\nWelding":                         "",
	"We provide dental care — and plumbing. We provide dental care — you will do welding.": "welding-fabrication",
}

// TestHeadingsAndPosts: what is a heading and what is not, what others do, and posts and names in
// other words.
func TestHeadingsAndPosts(t *testing.T) {
	r := load(t)
	for text, want := range headingsAndPosts {
		if got := slugs(r.Recognise(text)); strings.Join(got, " ") != want {
			t.Errorf("%q: got %v, want %s", text, got, want)
		}
	}
}

// A title is never a heading, whatever words it holds.
func TestTitleIsNoHeading(t *testing.T) {
	got := slugs(load(t).AppendRequiredSkills(nil, &MatchBuffers{}, "Inclusion Administrator", "You need welding."))
	if want := []string{"administration", "welding-fabrication"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestOthersTasks: what other vacancies ask and what nobody has to do is not asked.
func TestOthersTasks(t *testing.T) {
	const text = "You lay bricks. You won't be asked to do any plumbing. We also have vacancies for welders and HGV " +
		"drivers. You'll not need to drive a van. You won't be selling insurance and there are no sales targets. You'll " +
		"get full " +
		"induction training, including first aid."
	if got := slugs(load(t).AppendRequiredSkills(nil, &MatchBuffers{}, "", text)); !slices.Equal(got,
		[]string{"bricklaying"}) {
		t.Errorf("got %v", got)
	}
}

// A telling word of the title tells for the whole text: a carer's NVQ is one in care.
func TestTitleTells(t *testing.T) {
	for title, want := range map[string][]string{
		"Care Assistant": {"adult-social-care", "care-qualification"}, "Plasterer": {"plastering"},
	} {
		if got := slugs(load(t).AppendRequiredSkills(nil, &MatchBuffers{}, title,
			"You have NVQ level 2 or more.")); !slices.Equal(got,
			want) {
			t.Errorf("%s: got %v, want %v", title, got, want)
		}
	}
}

// A post of one word counts in the title only: in the text a carer is a relative or a colleague.
func TestPostsOfTitles(t *testing.T) {
	for title, want := range map[string]string{
		"Carer": "adult-social-care", "Senior Carer - Nights": "adult-social-care", "Teacher of English": "teaching",
		"Veterinary Nurse": "veterinary-animal-care",
		"Tutor":            "tutoring", "Mechanic": "vehicle-repair", "Courier": "multi-drop-delivery", "Cleaner": "cleaning",
		"Picker": "warehouse-work", "Buyer": "buying-purchasing", "Vet": "veterinary-animal-care",
		"Parent Carer Forum Lead": "",
	} {
		const text = "You work with the carer, teacher, tutor, mechanic and courier."
		if got := strings.Join(slugs(load(t).AppendRequiredSkills(nil, &MatchBuffers{}, title, text)), " "); got != want {
			t.Errorf("%s: got %q, want %q", title, got, want)
		}
	}
}

func TestLevels(t *testing.T) {
	r := load(t)
	for _, c := range []struct {
		text  string
		skill string
		want  Level
	}{
		{"Python", "python", LevelUnknown},
		{"Exposure to Python", "python", LevelEntry},
		{"Basic Excel skills", "excel", LevelBasic},
		{"Some knowledge of SQL", "sql", LevelBasic},
		{"Working knowledge of SQL", "sql", LevelWorking},
		{"Good SQL", "sql", LevelWorking},
		{"Strong Python and SQL", "sql", LevelAdvanced},
		{"Excellent plumbing", "plumbing", LevelAdvanced},
		{"Expert in SQL", "sql", LevelExpert},
		{"5+ years of Python", "python", LevelAdvanced},
		{"1 year of Python", "python", LevelBasic},
		{"3-5 years of bricklaying", "bricklaying", LevelWorking},
		{"Ten years of bricklaying", "bricklaying", LevelExpert},
		{"French (fluent)", "french", LevelAdvanced},
		{"French to an advanced level", "french", LevelAdvanced},
		{"Basic Python. Later expert Python.", "python", LevelExpert},
		{"Strong team; Python", "python", LevelUnknown},
		{"Strong knowledge of CSCS", "cscs-card", LevelUnknown},
	} {
		checkLevel(t, r, c.text, c.skill, c.want)
	}
}
