package skill

import (
	_ "embed" // for the lists
	"slices"
	"strings"
)

// cueKind is the effect of a phrase on the skills near it. For example, "no experience of" makes
// the skill after it not required.
type cueKind int32

const (
	// cueNone means that a phrase has no effect. It also prevents the effects of shorter phrases
	// inside it.
	cueNone     cueKind = iota
	cueNotAfter         // the phrase means that a skill after it is not required: "no experience of"
	// cueNoBefore means that the skill directly after the phrase is not required: "no cooking". A
	// later skill is not required either if a word such as "needed" follows it: "no ... needed".
	cueNoBefore
	cueNeed      // the phrase ends a negation that cueNoBefore begins: "needed" in "no ... needed"
	cueNotBefore // the phrase means that a skill before it is not required: "not needed"
	// cueWanted means that the phrase cancels a negation in the same sentence. In "desirable but
	// not essential", the word "desirable" cancels "not essential", and the skill counts.
	cueWanted
	// cueTrainIn means that the job teaches the skills after the phrase, if a word such as
	// "provided" follows: "training in ... provided".
	cueTrainIn
	// cueGiven is the effect of the word "provided" in "training in ... provided". The job teaches
	// the skills between the two phrases.
	cueGiven
	// cueTaughtAfter means that the job teaches the skills after the phrase: "we will teach you".
	cueTaughtAfter
	// cueExcludedBefore means that the job teaches the skill before the phrase, or does not need
	// it: "training provided".
	cueExcludedBefore
	// cueExcludedAround means that the skill before the phrase, or the job title after it, is a
	// colleague's: "is done by".
	cueExcludedAround
	// cueOwn means that the words after the phrase describe the employer: "we use", "our
	// customers".
	cueOwn
	// cueOpening means that the words after the phrase describe the employer, if the phrase starts
	// the sentence: "we are".
	cueOpening
	// cuePresents means that the words after the phrase describe the employer, unless the sentence
	// addresses or describes the applicant: "we see".
	cuePresents
	cueColleague // the phrase means that a job title after it is a colleague's: "reporting to"
	cueBreak     // the phrase ends the effect of every phrase before it: "but"
	cueOff       // the phrase is the heading of a section that has no requirements: "benefits"
	cueOn        // the phrase is the heading of a section that may have requirements: "requirements"
	// cueBare means that the word is a heading if it is alone on a line: "role". Text below the
	// heading may have requirements.
	cueBare
	// cueNoHeading means that a line starting with the phrase is a requirement and not a heading:
	// "commitment to".
	cueNoHeading
)

// cuesTSV is the built-in table of phrases and words that affect the skills near them. An example
// is "no experience of".
//
//go:embed cues.tsv
var cuesTSV string

// cueLine is one line of cues.tsv: the name of a list, and its phrases.
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

// cueKinds maps the names of the phrase lists in cues.tsv to the effects of their phrases.
var cueKinds = map[string]cueKind{"none": cueNone, "not_after": cueNotAfter, "no_before": cueNoBefore, "need": cueNeed,
	"not_before": cueNotBefore, "wanted": cueWanted, "train_in": cueTrainIn, "given": cueGiven,
	"taught_after":    cueTaughtAfter,
	"excluded_before": cueExcludedBefore, "excluded_around": cueExcludedAround, "own": cueOwn, "opening": cueOpening,
	"presents": cuePresents, "colleague": cueColleague, "break": cueBreak, "off": cueOff, "on": cueOn, "bare": cueBare,
	"no_heading": cueNoHeading}

// fillers are words that may stand inside a skill's wording without changing its meaning. For
// example, "manage our small busy team" matches the wording "manage team".
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

// cueLists holds the phrases and words that affect the skills near them, indexed for matching.
type cueLists struct {
	phrases  *trie       // cue phrases in sentences, each with its cueKind
	headings *trie       // headings of sections, each with its cueKind
	keyWords *trie       // phrases that introduce a list of key words, such as "keywords"
	words    []wordMarks // what a word means, by its number in the vocabulary
	and      uint32      // vocabulary number of the word "and"
}

// wordMarks is the meaning of a single word for the skills near it, such as a level or a number.
type wordMarks struct {
	level  Level // level that the word states for a skill near it: "strong"
	number uint8 // one more than the value of a number word: 3 for "two"; 0 for other words
	marks  mark
}

// mark is a set of flags of a word. Each flag means that the word is in a certain list of cues.tsv.
type mark uint32

const (
	isYears  mark = 1 << iota
	isScale       // the word follows a level that is stated after a skill: "level", "standard"
	isAbbrev      // the word is an abbreviation: a full stop after it does not end the sentence
	// isFiller marks a word that may stand inside a skill's wording without changing its meaning:
	// "our".
	isFiller
	isRole // the word is a job title: "manager"
	// isSought marks a word that shows that a job title near it is the advertised job: "seeking" in
	// "seeking a manager". Without such a word, the job title may be a colleague's: "with the
	// manager".
	isSought
	// isShared marks a word that two wordings joined by "and" may share: "skills" in "clinical and
	// research skills".
	isShared
	isAddress // the word addresses or describes the applicant: "you"
	isDemand  // the word marks a requirement under any heading: "must"
	isPresent // the word occurs in sentences that describe somebody: "we", "is"
	isQuality // the word states a level and has no other meaning: "excellent"
	isNamed   // the word states a level, or names the work: "advanced practitioner", "deep cleaning"
	isLoose   // the word states a level only before a word such as "knowledge": "working knowledge"
	isClose   // the word states a level only directly before its skill: "highly organised"
	// isMakes marks a word after which a level describes a result of the work, not the person:
	// "build" in "build strong relationships".
	isMakes
	// isNotice marks a word that makes "awareness" an aim of the work, not a skill: "raise" in
	// "raise awareness".
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

// newCueLists returns the phrases and words of cues.tsv, and adds their words to the vocabulary v.
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

// mark records that the words are in the given list of cues.tsv. Depending on the list, it gives
// each word a flag, a number or a level.
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

// of returns the meaning of a word in cues.tsv. word is the word's vocabulary number. The result is
// the zero value for words without a meaning there.
func (c *cueLists) of(word uint32) (m wordMarks) {
	if int(word) < len(c.words) {
		m = c.words[word]
	}
	return m
}

func (c *cueLists) is(word uint32, m mark) bool { return c.of(word).marks&m != 0 }

// fills reports whether tokens[start:end] may describe the advertised job. It returns false for a
// colleague's job title ("with the manager"). It returns true for "seeking a manager", and for
// words that are not a job title.
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

// marksOf returns the flags of all words of a sentence, combined.
func (c *cueLists) marksOf(tokens []token) (marks mark) {
	for _, t := range tokens {
		marks |= c.of(t.word).marks
	}
	return marks
}
