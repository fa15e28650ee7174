package skill

// Level is how well a person must master a skill, from 1 (entry) to 5 (expert); 0 is unknown. This
// project has defined the levels, after the words that adverts use.
type Level uint8

// The levels of a skill, lowest first.
const (
	// LevelUnknown means that an advert states no level of a skill. Skill.Level is then used.
	LevelUnknown Level = 0
	// LevelEntry is a level of skill that needs no experience ("awareness of", "beginner", under a
	// year). It is the only level of a licence.
	LevelEntry Level = 1
	// LevelBasic is a level of skill that means doing routine tasks with some help ("basic",
	// "familiar with", one year).
	LevelBasic Level = 2
	// LevelWorking is a level of skill that means doing the usual work alone ("good",
	// "proficient", two to four years).
	LevelWorking Level = 3
	// LevelAdvanced is a level of skill that means doing difficult work and helping others
	// ("strong", "excellent", "fluent", five to nine years).
	LevelAdvanced Level = 4
	// LevelExpert is a level of skill that means deciding how the work is done ("expert",
	// "native", ten years or more).
	LevelExpert Level = 5
)

var levelNames = [...]string{"unknown", "entry", "basic", "working", "advanced", "expert"}

// Name returns the name of the level: "entry", "basic", "working", "advanced", "expert", and
// "unknown" for 0 and everything above 5.
func (l Level) Name() string {
	if int(l) >= len(levelNames) {
		l = LevelUnknown
	}
	return levelNames[l]
}

// IsStated reports whether l is one of the five levels, and not unknown.
func (l Level) IsStated() bool { return l >= LevelEntry && l <= LevelExpert }

// levelOfYears returns the level for a required number of years of experience.
func levelOfYears(years int) Level {
	level := LevelEntry
	for _, from := range []int{1, 2, 5, 10} {
		if years >= from {
			level++
		}
	}
	return level
}
