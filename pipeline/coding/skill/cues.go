package skill

import "strings"

// cueKind says what a phrase around a match means for it.
type cueKind int32

const (
	cueNone      cueKind = iota // takes the place of a shorter cue that does not hold here
	cueNotAfter                 // what follows is not asked: "no experience of"
	cueNoBefore                 // what follows is not asked if a cueNeed comes later: "no ... needed"
	cueNeed                     // second half of cueNoBefore
	cueNotBefore                // what precedes is not asked: "not needed"
	cueWanted                   // takes the edge off cueNotBefore: "desirable but not essential"
	cueTrainIn                  // what follows is taught if a cueGiven comes later: "training in ... provided"
	cueGiven                    // second half of cueTrainIn
	cueTeach                    // what follows is taught: "we will teach you"
	cueTaught                   // what precedes is taught: "training provided"
	cueOwn                      // what follows is the employer's: "we use", "our customers"
	cueOpening                  // the same, but only as the first words of a sentence: "we are"
	cueColleague                // the post that follows is a colleague's: "reporting to"
	cueBreak                    // ends the reach of every cue: "but"
	cueOff                      // heading of a section that asks nothing: "benefits"
	cueOn                       // heading of a section that may ask
)

// anEmployer are the words at which the name of an employer ends: "Example NHS Trust
// provides" presents it.
const anEmployer = "{trust,hospital,hospitals,academy,school,schools,college,university,company,group,organisation,charity,council,firm,practice,home,hotel,restaurant,service,services,centre,business,ltd,limited,plc,partnership,federation,unit,ward,department}"

// cuePhrases lists the wordings. Braces are written out as in the register.
var cuePhrases = []struct {
	kind    cueKind
	phrases string
}{
	{cueNotAfter, "no {prior,previous,specific,formal,particular,relevant,,need,existing} {experience,knowledge,background,qualification,qualifications,training} {of,in,with,working,required,needed,necessary,}|" +
		"no {need,requirement} {for,to}|{not,dont,doesnt,wont} {need,require} {to,any,a,an,}|without {any,prior,needing,needing to} {experience,knowledge,have,know,}|" +
		"not {looking for,expecting,required to,expected to,necessary to}|not {a,an} {traditional,typical,pure}"},
	{cueNoBefore, "no|not|neither"},
	{cueNeed, "required|needed|necessary|essential|expected"},
	{cueNotBefore, "{not,isnt,arent} {a,be,strictly,always,} {required,needed,essential,necessary,requirement,must,mandatory,expected,prerequisite}|" +
		"no longer {required,needed}|is unnecessary|arent necessary"},
	{cueWanted, "desirable|advantage|advantageous|bonus|plus|preferred|beneficial|helpful|useful|ideal|ideally|nice|valued|welcome"},
	{cueTeach, "{teach,train,coach} you {in,on,to,how to,}|{you will,youll,will,opportunity to,chance to,want to,you can,can} {learn,be taught,be trained,be trained in,be trained on,gain,gain experience in,gain experience with,learn about,learn how to,develop skills in}|" +
		"{full,free,paid,ongoing} training {in,on}|we {provide,offer,give} {full,free,} training {in,on,}|funded {training,qualifications} {in,}|work towards {a,your,}|support you to {gain,achieve,obtain,undertake}|{you will,youll,will,and} {receive,benefit from,have access to,be supported by,be supported to,be given,be offered}|as well as an opportunity for|training will be {provided,given} {where required,where necessary,} including|way to gain|looking to {develop,gain}|{opportunity,opportunities,chance} to {move into,progress into,progress to}|training in order to"},
	{cueTrainIn, "{training,coaching,mentoring,tuition} {in,on,with}"},
	{cueGiven, "provided|given|available|offered|arranged"},
	{cueTaught, "{training,tuition} {is,will be,are,can be,} {provided,given,available,offered,arranged}|will be {taught,provided,trained}|{is,are} provided|can be taught|is taught|on the job training"},
	{cueOwn, "{we,our team,our teams} {all,mainly,mostly,currently,also,} use|we {also,} {offer,provide,deliver,conduct,serve,care for,employ,run,operate,specialise,treat,believe,pride,strive,promote,cover,educate,produce,supply,manufacture}|" +
		anEmployer + " {provides,offers,serves,caters,runs,operates,specialises,employs,comprises,delivers,treats,has}|" +
		anEmployer + " is {a,an,the,one,part,based,home,located,situated,proud,committed,designed,well,also,ranked,rated,known,made,building,developing,expanding,growing,working,undergoing,going,dedicated,purpose,equipped,ideally,renowned,set,recognised,rapidly}|{strives,strive,aims} to|{provider,supplier,distributor,manufacturer,producer} of|is one of {the,our} {largest,leading,biggest,most,best,few,busiest,top,only,uks}|{,which,that} {specialises,specialising} in|market {leader,leaders} in|we work {with,closely,collaboratively,in partnership,together}|we benefit from|we are {committed,proud,dedicated,passionate}|share our {passion,values,vision,commitment}|{our,my} client {provides,offers,supplies,delivers,is a,is an,are a,are an}|please {contact,email,call,telephone,phone,visit}|how we {champion,support,work}|in return|regardless of|{without regard to,irrespective of}|equal {opportunity,opportunities} employer|reasonable accommodation{,s}|access to {our,a}|" +
		"our {clients include,customers include,backers,investors}|backed by|{including,such as} companies"},
	{cueOpening, "we are|were|weve|we have|our {mission,vision,platform,product,products,customers,clients,company,technology,ai,culture,software,models,founders,solution,solutions,people}|{our,my} client{,s}|they {are,pride,operate,have,offer}|the {trust,hotel,hospital,group,firm,restaurant,school,college,department,practice,pub,home} {is,has,offers,provides,prides,operates}|benefits include|founded|since|at|trusted by|headquartered|having raised|the {company,platform,product}|as well as {a large,large,having}|" +
		"our {focus,aim,aims,ethos,approach,goal,service,services,team,teams,trust,school,hospital,ward,unit,department,wards,staff,patients,pupils,students,children}|the {unit,ward,service,department,wider team,immediate team,overall team,clinic,centre,site} {has,have,offers,provides,covers,assesses,responds,serves,cares,supports,comprises,consists,includes,delivers,sees,runs,operates,treats,specialises,takes}|" +
		"{we,they} currently {have,run,operate}|there are {currently,over,also,approximately,excellent,many,several}|benefits|over {recent,the last,the past} {years,year}"},
	{cueColleague, "{reporting,report,reports} {directly,} to|{accountable,responsible} to|{led,managed,supervised} by|under {the,} {direction,supervision} of"},
	{cueNone, anEmployer + " is {an advantage,an asset,a must,a plus,a bonus,an essential,the ideal,a requirement}|" + anEmployer + " has {an,a}|" +
		"{our,my} client{,s} {is,are} {looking for,seeking,currently seeking,currently looking for,recruiting,now looking for,currently recruiting,searching for,looking to recruit,looking to appoint}|{our,my} client{,s} {require,requires,seeks,needs,wants}|they are {now,currently,} {looking for,seeking,recruiting}|{we are,were} {looking for,seeking,hiring,searching for,after,recruiting,looking,now looking for,currently looking for,seeking to,not looking for}|at {least,ease,a minimum,the core,the heart}|{we have,weve} {an opening,a vacancy,an opportunity,an exciting}|not {only,just,necessarily}|no {matter,later,problem,doubt}|plus {you,a}"},
	{cueBreak, "but|{opportunity,vacancy,opening,position} for|however|though|although|{is,are} {now,currently,} {looking for,seeking,recruiting,hiring}|looking {for,to recruit,to appoint}|to find {a,an,}|seeking|seeks|requires|we require|you will|{successful,ideal,right} {applicant,candidate,person}|{applicants,candidates} {must,should,will}|you {must,should,need}"},
	{cueOff, "{benefits,perks,rewards,compensation,salary,package}|what {we,youll,you will,you,well,do we} {offer,get,receive,gain,enjoy,love}|what we can offer{, you}|in return|in it for you|why {join,us,work,you,youll,youd,this,we}|about|{who,what} we {are,do}|" +
		"{our,company,core} {values,culture,mission,story,principles,commitment,vision,investors,team,offer}|life at|equal {opportunity,opportunities,employment}|diversity|inclusion|" +
		"{interview,hiring,application,recruitment,selection} process|how to apply|what to expect|privacy|the company|company {overview,description}|join us|how we work|how we operate|next steps|" +
		"we offer|we can {offer,promise}|we will offer|can offer you|you will get|youll get|why|{youre,you are,youll be} {unlikely,probably not}|{not,probably not,may not} {be,} {for you,a fit,the right}|unlikely to thrive|{staying safe,stay safe}|work alongside"},
	{cueOn, "about {you,the role,this role,the job,the position,this job,the opportunity,your role,this position,the work,your work,role,the person,the internship,the project}|the role|{requirements,responsibilities,qualifications,duties}|" +
		"what {you,youll,you will,youre} {do,bring,be doing,be working on,bring to the team,need,own,work on,have,will do,will bring,will be doing,responsible for,build,achieve,deliver,lead}|what will you {do,be doing,bring}|what youll be doing|who {you are,youre,we are looking for,were looking for,are you,will you be}|" +
		"what {were,we are,do we,are we} {looking for,look for,seeking}|what we {need,look for,value in you,expect,are after,want,want to see}|{you have,you are,you will,youll,you may,you might,youre}|skills|experience|expertise|nice to have{,s}|bonus points|must have{,s}|essential|desirable|preferred|looking for|" +
		"{your,the} {profile,role,responsibilities,mission,impact,background,experience,opportunity,position,day,job,skills,work}|job {description,summary,purpose}|{ideal,right} candidate|the person|person specification|success looks like|day to day|" +
		"{tech,technology} stack|key {responsibilities,accountabilities,duties,tasks}|minimum|you should|why you might be|why youre a|youll thrive|are you the|in this role|role overview|role summary|how {youll,you will} {make,have,contribute,spend}|the challenge|essentials|bonus|purpose of the role|objectives|fit if|great fit|good fit|right fit"},
}

// cueLists are the cue phrases and level words ready for use.
type cueLists struct {
	phrases  *trie // payload: cueKind
	headings *trie // payload: cueKind
	level    []Level
	number   []uint8 // value+1 of a number word, by word number
	years    []bool
	scale    []bool // "level", "standard": what a level word after a skill leads to
	abbrev   []bool // a full stop after it ends no sentence
	and      uint32 // the number of "and"
	filler   []bool // may stand within a wording
	role     []bool // names a person by the post: "manager"
	sought   []bool // leads to the post that is filled: "as", "seeking", "experienced"
	shared   []bool // may end two wordings that "and" joins: "clinical and research skills"
	address  []bool // speaks to or of the applicant
}

// levelWords lists the words that state a level near a skill.
var levelWords = []struct {
	level Level
	words string
}{
	{Entry, "awareness exposure beginner introductory"},
	{Basic, "basic basics some familiar familiarity foundational fundamentals elementary"},
	{Working, "working good solid competent proficient proficiency confident intermediate sound decent comfortable conversational practical"},
	{Advanced, "strong excellent advanced deep extensive fluent fluency outstanding exceptional thorough depth highly significant strongly demonstrable superb skilled comprehensive meticulous robust c1 rigorous"},
	{Expert, "expert experts expertise mastery master native bilingual leading-edge world-class c2"},
}

var numberWords = strings.Fields("zero one two three four five six seven eight nine ten")

// newCueLists numbers the cue words in the register's vocabulary.
func newCueLists(v *vocabulary) *cueLists {
	c := &cueLists{phrases: newTrie(), headings: newTrie()}
	for _, list := range cuePhrases {
		for _, part := range strings.Split(list.phrases, "|") {
			texts, _ := expandBraces(part) // a constant; TestCuePhrases reads them all
			for _, text := range texts {
				c.addPhrase(v, list.kind, text)
			}
		}
	}
	type mark struct {
		words string
		set   func(id uint32)
	}
	for _, l := range levelWords {
		for _, w := range strings.Fields(l.words) {
			c.level = setAt(c.level, cueWord(v, w), l.level)
		}
	}
	for i, w := range numberWords {
		c.number = setAt(c.number, cueWord(v, w), uint8(i+1))
	}
	c.and = cueWord(v, "and")
	for w := range fillers {
		c.filler = setAt(c.filler, cueWord(v, w), true)
	}
	for _, m := range []mark{
		{"years yrs year yr", func(id uint32) { c.years = setAt(c.years, id, true) }},
		{"skills experience knowledge management care assessment assessments support planning ability abilities qualifications therapy nursing needs", func(id uint32) { c.shared = setAt(c.shared, id, true) }},
		{"level standard", func(id uint32) { c.scale = setAt(c.scale, id, true) }},
		{"you your youll youre youve role looking seeking hiring candidate candidates experience required essential ideally join must", func(id uint32) { c.address = setAt(c.address, id, true) }},
		{"manager managers engineer engineers analyst analysts leader leaders developer developers consultant consultants officer officers assistant assistants " +
			"architect architects administrator administrators supervisor supervisors worker workers director directors coordinator coordinators executive " +
			"executives secretary secretaries technician technicians advisor advisors adviser advisers nurse nurses therapist therapists chef chefs " +
			"psychologist psychologists psychiatrist psychiatrists physiotherapist physiotherapists doctor doctors consultants clerk clerks receptionist matron " +
			"sister practitioner practitioners specialist specialists teacher teachers accountant accountants designer designers recruiter recruiters " +
			"buyer buyers auditor auditors solicitor solicitors pharmacist pharmacists midwife midwives surveyor surveyors partner partners cook cooks", func(id uint32) { c.role = setAt(c.role, id, true) }},
		{"as for applications seeking seek seeks recruit recruiting appoint appointing require requires need needs experienced experience hiring become qualified registered " +
			"successful ideal ideally previous background either skilled is required wanted needed essential newly qualification must", func(id uint32) { c.sought = setAt(c.sought, id, true) }},
		{"e.g i.e eg ie etc incl inc approx", func(id uint32) { c.abbrev = setAt(c.abbrev, id, true) }},
	} {
		for _, w := range strings.Fields(m.words) {
			m.set(cueWord(v, w))
		}
	}
	return c
}

// isFiller reports whether a word may stand within a wording without being part of it.
func (c *cueLists) isFiller(word uint32) bool { return at(c.filler, word) }

// fills reports whether tokens[start:end], where they name a person by the post, name the
// one that is sought and no colleague: "seeking a manager", not "with the manager".
func (c *cueLists) fills(tokens []token, start, end int) bool {
	if !at(c.role, tokens[end-1].word) {
		return true
	}
	const before, behind = 6, 3
	for k := max(0, start-before); k < min(len(tokens), end+behind); k++ {
		if at(c.sought, tokens[k].word) {
			return true
		}
	}
	return false
}

// addresses says whether a sentence speaks to the applicant or of the post, as
// against one that only presents the employer.
func (c *cueLists) addresses(tokens []token) bool {
	for i := range tokens {
		if at(c.address, tokens[i].word) {
			return true
		}
	}
	return false
}

func (c *cueLists) addPhrase(v *vocabulary, kind cueKind, text string) {
	var ids []uint32
	for _, w := range splitWords(text) {
		ids = append(ids, cueWord(v, foldWord(w)))
	}
	if kind == cueOff || kind == cueOn {
		c.headings.add(ids, int32(kind))
		return
	}
	c.phrases.add(ids, int32(kind))
}

// cueWord numbers a cue word. Two words with one hash would merge two cues,
// which Parse has no use for; TestCuePhrases shows that there are none.
func cueWord(v *vocabulary, word string) uint32 {
	id, _ := v.add(word)
	return id
}

// setAt stores val at index i, growing the list.
func setAt[T any](list []T, i uint32, val T) []T {
	if need := int(i) + 1 - len(list); need > 0 {
		list = append(list, make([]T, need)...)
	}
	list[i] = val
	return list
}

// at is list[i], or the zero value past its end.
func at[T any](list []T, i uint32) (val T) {
	if int(i) < len(list) {
		return list[i]
	}
	return val
}
