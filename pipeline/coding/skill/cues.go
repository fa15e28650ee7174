package skill

import (
	_ "embed" // for the lists
	"slices"
	"strings"
)

// cueKind is how a cue phrase (such as "no experience of") affects the skills near it.
type cueKind int32

const (
	// the phrase has no effect, and no shorter phrase inside it has one
	cueNone     cueKind = iota
	cueNotAfter         // the phrase means that a skill after it is not required: "no experience of"
	// the phrase means that a skill directly after it is not required: "no cooking". A skill
	// further on is not required if a word such as "needed" (a cueNeed) follows: "no ... needed"
	cueNoBefore
	cueNeed      // the phrase ends a negation that cueNoBefore begins: "needed" in "no ... needed"
	cueNotBefore // the phrase means that a skill before it is not required: "not needed"
	// the phrase cancels a negation such as "not essential" in the same sentence, so that the skill
	// counts: "desirable" in "desirable but not essential"
	cueWanted
	// the phrase means that a skill after it is taught if a word such as "provided" (a cueGiven)
	// follows the skill: "training in ... provided"
	cueTrainIn
	// the phrase ends what cueTrainIn begins: "provided" in "training in ... provided"
	cueGiven
	// the phrase means that a skill after it is taught on the job: "we will teach you"
	cueTaughtAfter
	// the phrase means that a skill before it is taught, supplied or not part of the job:
	// "training provided"
	cueExcludedBefore
	// the phrase means that a colleague has the skill before it, or the job title after it: "is
	// done by"
	cueExcludedAround
	// the phrase means that the words after it describe the employer: "we use", "our customers"
	cueOwn
	// at the start of a sentence, the phrase means that the words after it describe the employer:
	// "we are"
	cueOpening
	// the words after the phrase describe the employer, unless the sentence is about the
	// applicant: "we see"
	cuePresents
	cueColleague // the phrase means that a job title after it is a colleague's: "reporting to"
	cueBreak     // the phrase ends the effect of every phrase before it: "but"
	cueOff       // the phrase is the heading of a section that has no requirements: "benefits"
	cueOn        // the phrase is the heading of a section that may have requirements: "requirements"
	// the word is the heading of a section that may have requirements, if it is a line of its own:
	// "role"
	cueBare
	// the phrase begins a line that states a requirement and is not a heading: "commitment to"
	cueNoHeading
)

// cuesTSV lists the cue phrases, such as "no experience of", and the single words that affect how
// skills near them are matched.
//
//go:embed cues.tsv
var cuesTSV string

// cueLine is one line of cues.tsv: the name of a list, and the phrases in it.
type cueLine struct{ list, text string }

var cueLines = func() (lines []cueLine) {
	employer := ""
	for line := range strings.Lines(cuesTSV) {
		switch list, text, _ := strings.Cut(strings.TrimSpace(line), "\t"); {
		case strings.HasPrefix(line, "#"):
		case list == "employer":
			employer = text
		default:
			lines = append(lines, cueLine{list, strings.ReplaceAll(text, "{employer}", employer)})
		}
	}
	return lines
}()

// cueKinds maps the name of each list of cue phrases in cues.tsv to the effect of its phrases.
var cueKinds = map[string]cueKind{"none": cueNone, "not_after": cueNotAfter, "no_before": cueNoBefore, "need": cueNeed,
	"not_before": cueNotBefore, "wanted": cueWanted, "train_in": cueTrainIn, "given": cueGiven,
	"taught_after":    cueTaughtAfter,
	"excluded_before": cueExcludedBefore, "excluded_around": cueExcludedAround, "own": cueOwn, "opening": cueOpening,
	"presents": cuePresents, "colleague": cueColleague, "break": cueBreak, "off": cueOff, "on": cueOn, "bare": cueBare,
	"no_heading": cueNoHeading}

// fillers are words that may be between the words of a skill's wording without changing its
// meaning: "manage our small busy team" matches "manage team".
var fillers = func() map[string]bool {
	set := map[string]bool{}
	for _, l := range cueLines {
		if l.list == "filler" {
			for _, w := range strings.Fields(l.text) {
				set[w] = true
			}
		}
	}
	return set
}()

// cueLists holds the cue phrases and the words with a special meaning, prepared for matching.
type cueLists struct {
	phrases  *trie       // cue phrases in sentences, each with its cueKind
	headings *trie       // headings of sections, each with its cueKind
	keyWords *trie       // phrases that introduce a list of key words, such as "keywords"
	words    []wordMarks // what a word means, by its number in the vocabulary
	and      uint32      // vocabulary number of the word "and"
}

// wordMarks is what a single word of an advert means for the skills near it, such as a level.
type wordMarks struct {
	level  Level // level that the word states for a skill near it: "strong"
	number uint8 // one more than the value of a number word: 3 for "two"; 0 for other words
	marks  mark
}

// mark is a set of flags for a word. Each flag means that the word is in one of the lists in
// cues.tsv.
type mark uint32

const (
	isYears  mark = 1 << iota
	isScale       // the word follows a level that is stated after a skill: "level", "standard"
	isAbbrev      // the word is an abbreviation: a full stop after it does not end the sentence
	// the word may be between the words of a skill's wording without changing its meaning: "our"
	isFiller
	isRole // the word is a job title: "manager"
	// the word shows that a job title near it is the title of the advertised job: "seeking" in
	// "seeking a manager". There is no such word near the title of a colleague: "with the manager"
	isSought
	// the word may end two wordings that "and" joins: "skills" in "clinical and research skills"
	isShared
	isAddress // the word addresses or describes the applicant: "you"
	isDemand  // the word marks a requirement under any heading: "must"
	isPresent // the word occurs in sentences that describe somebody: "we", "is"
	isQuality // the word states a level and has no other meaning: "excellent"
	isNamed   // the word states a level, or names the work: "advanced practitioner", "deep cleaning"
	isLoose   // the word states a level only before a word such as "knowledge": "working knowledge"
	isClose   // the word states a level only directly before its skill: "highly organised"
	// if a level word follows this word, the level describes what the person makes and not the
	// person: "strong" in "build strong relationships"
	isMakes
	// before "awareness", the word means something to keep or raise, not a skill: "raise
	// awareness"
	isNotice
	isHead   // the word means having a skill: "knowledge"
	isPhrase // the word may be between a level word and its skill: "of"
	isJoins  // the word joins two skills that have one level: "and"
)

var marks = map[string]mark{"years": isYears, "scale": isScale, "abbrev": isAbbrev, "filler": isFiller, "role": isRole,
	"sought": isSought,
	"shared": isShared, "address": isAddress, "demand": isDemand, "present": isPresent,
	"quality": isQuality, "named": isNamed, "loose": isLoose, "close": isClose, "makes": isMakes, "notice": isNotice,
	"head": isHead, "phrase": isPhrase, "joins": isJoins}

// newCueLists returns the cue phrases, and adds their words to the vocabulary v.
func newCueLists(v *vocabulary) *cueLists {
	c := &cueLists{phrases: newTrie(), headings: newTrie(), keyWords: newTrie()}
	c.and, _ = v.add("and")
	for _, l := range cueLines {
		kind, isPhrases := cueKinds[l.list]
		for part := range strings.SplitSeq(l.text, "|") {
			texts, _ := expandBraces(part) // TestCuePhrases reads them all
			for _, text := range texts {
				var ids []uint32
				for _, w := range splitWords(text) {
					id, _ := v.add(foldWord(w))
					ids = append(ids, id)
				}
				switch {
				case l.list == "key_words":
					c.keyWords.add(ids, 1)
				case !isPhrases:
					c.mark(l.list, ids)
				case kind >= cueOff:
					c.headings.add(ids, int32(kind))
				default:
					c.phrases.add(ids, int32(kind))
				}
			}
		}
	}
	return c
}

// mark records for each of the words that it is in a list of cues.tsv. The parameter list is the
// name of that list. It gives the words a flag, a number or a level.
func (c *cueLists) mark(list string, words []uint32) {
	c.words = append(c.words, make([]wordMarks, max(0, int(slices.Max(words))+1-len(c.words)))...)
	for i, id := range words {
		w := &c.words[id]
		if w.marks |= marks[list]; list == "number" {
			w.number = uint8(i + 1)
		} else if marks[list] == 0 {
			w.level = Level(slices.Index(levelNames[:], list))
		}
	}
}

// of returns what a word means in the cue lists. The parameter word is the word's vocabulary
// number. For most words, which have no such meaning, the result is the zero value.
func (c *cueLists) of(word uint32) (m wordMarks) {
	if int(word) < len(c.words) {
		m = c.words[word]
	}
	return m
}

func (c *cueLists) is(word uint32, m mark) bool { return c.of(word).marks&m != 0 }

// fills returns false if tokens[start:end] is the job title of a colleague ("with the manager"). It
// returns true for the title of the advertised job ("seeking a manager"), and for words that are
// not a job title.
func (c *cueLists) fills(tokens []token, start, end int) bool {
	if !c.is(tokens[end-1].word, isRole) {
		return true
	}
	const before, behind = 6, 3
	for k := max(0, start-before); k < min(len(tokens), end+behind); k++ {
		if c.is(tokens[k].word, isSought) {
			return true
		}
	}
	return false
}

// marksOf returns the combined flags of all words of a sentence.
func (c *cueLists) marksOf(tokens []token) (marks mark) {
	for _, t := range tokens {
		marks |= c.of(t.word).marks
	}
	return marks
}
