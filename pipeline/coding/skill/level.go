package skill

// Level is how well a person must master a skill, from 1 (entry) to 5 (expert). 0 means unknown.
// The levels are this project's own, and are based on the wording of adverts.
type Level uint8

// The levels of a skill, lowest first.
const (
	// LevelUnknown means that an advert states no level for a skill. The usual level, Skill.Level,
	// is used instead.
	LevelUnknown Level = 0
	// LevelEntry is the level of a person without experience. Adverts ask for it with "awareness
	// of", "beginner" or less than a year of experience. It is also the only level of a licence.
	LevelEntry Level = 1
	// LevelBasic is the level of a person who does routine tasks with some help. Adverts ask for it
	// with "basic", "familiar with" or one year of experience.
	LevelBasic Level = 2
	// LevelWorking is the level of a person who does the usual work alone. Adverts ask for it with
	// "good", "proficient" or two to four years of experience.
	LevelWorking Level = 3
	// LevelAdvanced is the level of a person who does difficult work and helps others. Adverts ask
	// for it with "strong", "excellent", "fluent" or five to nine years of experience.
	LevelAdvanced Level = 4
	// LevelExpert is the level of a person who decides how the work is done. Adverts ask for it
	// with "expert", "native" or at least ten years of experience.
	LevelExpert Level = 5
)

var levelNames = [...]string{"unknown", "entry", "basic", "working", "advanced", "expert"}

// Name returns the name of the level: "entry", "basic", "working", "advanced" or "expert". For any
// other number it returns "unknown".
func (l Level) Name() string {
	if int(l) >= len(levelNames) {
		l = LevelUnknown
	}
	return levelNames[l]
}

// IsStated reports whether the level is known, from 1 (entry) to 5 (expert).
func (l Level) IsStated() bool { return l >= LevelEntry && l <= LevelExpert }

// levelOfYears returns the level of skill for a number of years of experience.
func levelOfYears(years int) Level {
	level := LevelEntry
	for _, from := range []int{1, 2, 5, 10} {
		if years >= from {
			level++
		}
	}
	return level
}
