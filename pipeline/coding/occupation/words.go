package occupation

import "strings"

// The word tables are read only.
var (
	// spellings: one word for another, after lowering the case.
	spellings = spellingTable(`sr senior|snr senior|jr junior|jnr junior|mgr manager|mngr manager|exec executive|asst assistant
	|admin administrator|adm administrator|eng engineer|dev developer|ops operation|comms communication|biz business
	|advisor adviser|advisory adviser|program programme|center centre|rep representative|tech technology|techs technician
	|organization organisation|organizational organisational|organizer organiser|localization localisation
	|visualization visualisation|optimization optimisation|labor labour|labourers labourer|svp vp|evp vp|avp vp|vps vp
	|paediatrics paediatric|pediatric paediatric|anesthetist anaesthetist|counselor counsellor|coordinater coordinator
	|coordination coordinator|practicioner practitioner|mechanics mechanic|physics physics|mathematics maths|math maths|maths maths
	|headteachers headteacher|waiters waiter|logistic logistics|logistics logistics|analytics analytics|economics economics
	|ae ae|stores stores|accounts accounts|fullstack fullstack|frontend frontend|backend backend|engr engineer|acct account|accts accounts|mktg marketing|nhs nhs
	|postdoc postdoctoral|ios ios|aws aws|sales sale|devs developer|sdrs sdr|bdrs bdr|recruiting recruiting|draughtperson draughtsperson|adminstrator administrator|consutltant consultant|assesor assessor|dietician dietitian|freealnce freelance|supervisory supervisory`)

	// expansions: one word for several.
	expansions = map[string][]string{
		"ml":   {"machine", "learning"},
		"swe":  {"software", "engineer"},
		"hrbp": {"hr", "business", "partner"},
		"lnd":  {"learning", "and", "development"},
	}

	// pairs: two words that are one.
	pairs = pairTable(`front end frontend|back end backend|full stack fullstack|vice president vp|human resource hr|co ordinator coordinator
	|help desk helpdesk|health care healthcare|e commerce ecommerce|on boarding onboarding|pre sale presale|dev op devop
	|multi skilled multiskilled|fork lift forklift|after sale aftersale|web site website|data base database|body shop bodyshop
	|child care childcare|pre school preschool|head teacher headteacher|bar tender bartender|ware house warehouse
	|cyber security cybersecurity|c suite csuite|multi drop multidrop|store person storeperson|home care homecare
	|hair dresser hairdresser|developer op devop|book keeper bookkeeper|sub contractor subcontractor|gate house gatehouse
	|mid day midday|key holder keyholder|pre press prepress|stock room stockroom|work shop workshop|air side airside
	|play worker playworker|house keeper housekeeper|house keeping housekeeping|care giver caregiver|lunch time lunchtime
	|maternity cover maternity|mat cover mat|paternity cover paternity|sickness cover temp|post doctoral postdoctoral|go lang golang|tele sale telesale|on line online`)

	// seniority does not change the occupation ("lead", "principal" and the
	// like before or after the title).
	seniority = set(`senior junior lead principal graduate grad trainee apprentice apprenticeship intern internship placement entry
	experienced mid midweight middleweight qualified newly staff founding associate interim acting i ii iii iv v l1 l2 l3 l4 l5 l6
	ic1 ic2 ic3 ic4 ic5 distinguished student global regional deputy fully expert skilled advanced intermediate
	degree higher leaver scheme summer winter stage early career`)

	// terms of contract, hours, mode of work, marks of gender and filler.
	terms = set(`req ref band 8a 8b 8c 8d grade x2 b2 b3 b4 b5 b6 b7 needed requisition ftc fixed term contract contractor permanent perm temporary temp tempo parttime fulltime part time full maternity paternity
	mat level month months monthly hour hrs hourly weekly week weekend weekday day night evening shift zero casual bank relief
	seasonal freelance remote remotely hybrid onsite based homebased immediate start urgent urgently new required wanted needed
	m f d w x mfd fmd mwd all gender genders he she they bonus ote per annum salary ir35 inside outside umbrella basic plus
	only flexible friday monday saturday sunday rotational rotating am pm job role vacancy opportunity hiring uncapped
	english speaking native bilingual multilingual german french spanish italian dutch mandarin arabic nordic nordics polish japanese
	portuguese swedish danish norwegian korean speaker`)

	// places that adverts add to a title.
	places = set(`uk gb emea europe european eu apac amer americas latam us usa international worldwide anywhere london manchester
	birmingham leeds liverpool glasgow edinburgh bristol cardiff belfast sheffield newcastle nottingham leicester cambridge oxford
	reading brighton southampton portsmouth coventry york bath exeter plymouth norwich derby hull bradford croydon watford luton
	slough swindon peterborough ipswich chester preston wigan bolton stockport warrington durham sunderland middlesbrough aberdeen
	dundee inverness swansea newport england scotland wales ireland northern north south east west central midland midlands yorkshire
	kent surrey essex sussex hampshire berkshire buckinghamshire hertfordshire bedfordshire cambridgeshire suffolk norfolk devon
	cornwall dorset somerset wiltshire gloucestershire oxfordshire lancashire cheshire cumbria greater city camden hackney islington
	lambeth southwark greenwich lewisham ealing barnet brent enfield haringey harrow havering hillingdon hounslow merton newham
	redbridge richmond sutton wandsworth westminster kensington chelsea shoreditch soho stratford wembley benelux dach
	germany france spain italy netherlands paris berlin dublin amsterdam middle kingdom united nationwide national`)

	// roles are the nouns that say what a person is; the last one of a title
	// is its head, the rest only says which kind.
	roles = set(`accountant actor actuary adjuster administrator adviser advocate agent allocator analyst animator apprentice arborist
	archaeologist architect archivist artist artworker assembler assessor assistant associate attendant auditor author baker banker
	barber barista bartender beautician bookkeeper bricklayer broker builder butcher buyer canvasser caretaker carer carpenter cashier
	caseworker chaplain chauffeur chef chemist chiropractor choreographer cleaner clerk coach collector composer compositor concierge
	conductor conservator consultant controller conveyancer cook coordinator copywriter counsel counsellor courier curator dancer
	decorator dentist designer developer dietitian director dispatcher dispenser docker doctor draughtsperson driver economist editor
	electrician engineer epidemiologist escort estimator evangelist examiner executive facilitator farmer firefighter fitter florist
	fundraiser gardener generalist geologist glazier greenkeeper groom groundworker grower guard guide hairdresser handler handyman
	handyperson headteacher historian host housekeeper hygienist illustrator inspector installer instructor interpreter interviewer
	investigator invigilator jeweller joiner journalist judge keeper labourer landscaper lawyer layer lead leader lecturer librarian
	lifeguard loader machinist manager marketer mason mate mechanic merchandiser midwife modeller moderator musician nanny
	navigator negotiator nurse nutritionist officer operative operator optician optometrist orthodontist osteopath owner packer painter
	paralegal paramedic partner pharmacist photographer physicist physiotherapist picker pilot planner plasterer plater playworker
	plumber podiatrist porter postman practitioner presenter president presser principal printer producer programmer promoter
	psychologist psychotherapist radiographer ranger receptionist recruiter registrar reporter representative researcher resourcer
	rigger roofer sampler scaffolder scientist scheduler secretary server setter signaller solicitor sonographer sorter
	specialist steward stockperson storeperson strategist stylist supervisor surgeon surveyor tailor teacher technician technologist
	telesales tester therapist tiler toolmaker tracer trader trainer translator tutor typist underwriter upholsterer usher valeter valuer
	vet videographer waiter waitress warden watchmaker welder worker writer vp head sdr bdr cto ceo cfo coo cio cpo cmo ciso
	dba sre evangelist sourcer ecologist biologist microbiologist statistician scrum owner linguist supervisor`)

	// weak titles are right as a whole title but say too little when other
	// words stand beside them ("coordinator" alone is office work, a
	// "clinical trials coordinator" is not).
	weak = set(`coordinator researcher developer investigator instructor advocate warden inspector producer navigator model mate loader
	sprayer fitter server driver trainer scientist host picker clerk cashier auditor administrator broker trader
	facilitator fabricator machinist technician counsel scheduler resourcer surveyor therapist analyst presenter porter grader architect surveyor scientist`)

	// wide first words make a title of two words as weak ("operations
	// manager" is storage, a "community operations manager" is not).
	wide          = set(`operations`)
	weakAfterWide = set(`manager specialist associate executive lead director coordinator assistant`)

	// grades are the words for the head of a whole function.
	grades = set(`director vp head`)

	// links end the part of a title that says the occupation ("Teacher at a
	// primary school", "Driver based in Hull").
	// linking words tell nothing by themselves.
	linking = set(`and of the to for with a an or in at on as by from`)
	links   = set(`in at for based with from near to within across`)
)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[single(w)] = true
		m[w] = true
	}
	return m
}

func spellingTable(list string) map[string]string {
	m := map[string]string{}
	for _, row := range strings.Split(list, "|") {
		if f := strings.Fields(row); len(f) == 2 {
			m[f[0]] = f[1]
		}
	}
	return m
}

func pairTable(list string) map[string]map[string]string {
	m := map[string]map[string]string{}
	for _, row := range strings.Split(list, "|") {
		f := strings.Fields(row)
		if len(f) != 3 {
			continue
		}
		if m[f[0]] == nil {
			m[f[0]] = map[string]string{}
		}
		m[f[0]][f[1]] = f[2]
	}
	return m
}
