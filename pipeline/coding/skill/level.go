package skill

// Level is how well a skill is mastered, in five steps; 0 is unknown.
//
// The steps are this project's own, since no published list of skills has levels that can be read
// from an advert. They follow the wordings of adverts and what a person can do alone.
type Level uint8

// The levels, lowest first.
const (
	// Unknown means that the text states no level. It is never guessed: Skill.UsualLevel is used instead.
	Unknown Level = 0
	// Entry: no experience is required; for a licence, it is held. Has heard of it or seen it done;
	// works under constant guidance ("awareness of", "exposure to", "beginner", under a year).
	Entry Level = 1
	// Basic: does routine tasks with some help ("basic", "some knowledge of", "familiar with", one
	// year).
	Basic Level = 2
	// Working: does the usual work alone ("working knowledge", "good", "proficient", two to four
	// years).
	Working Level = 3
	// Advanced: does difficult work and helps others ("strong", "excellent",
	// "advanced", "fluent", five to nine years).
	Advanced Level = 4
	// Expert: sets how it is done ("expert", "native", "mastery", ten years or more).
	Expert Level = 5
)

var levelNames = [...]string{"unknown", "entry", "basic", "working", "advanced", "expert"}

// Name returns the name of the level: "entry", "basic", "working", "advanced", "expert", and
// "unknown" for 0 and everything above 5.
func (l Level) Name() string {
	if int(l) >= len(levelNames) {
		l = Unknown
	}
	return levelNames[l]
}

// Stated reports whether l is one of the five levels.
func (l Level) Stated() bool { return l >= Entry && l <= Expert }

// levelOfYears returns the level for a required number of years of experience.
func levelOfYears(years int) Level {
	level := Entry
	for _, from := range []int{1, 2, 5, 10} {
		if years >= from {
			level++
		}
	}
	return level
}
