package skill

import (
	_ "embed" // for the lists
	"slices"
	"strings"
)

// cueKind is how a cue phrase (such as "no experience of") affects the skills near it.
type cueKind int32

const (
	cueNone        cueKind = iota // replaces a shorter cue that does not apply here
	cueNotAfter                   // what follows is not required: "no experience of"
	cueNoBefore                   // what follows is not required if a cueNeed comes later: "no ... needed"
	cueNeed                       // second half of cueNoBefore
	cueNotBefore                  // what precedes is not required: "not needed"
	cueWanted                     // cancels cueNotBefore: "desirable but not essential"
	cueTrainIn                    // what follows is taught if a cueGiven comes later: "training in ... provided"
	cueGiven                      // second half of cueTrainIn
	cueTaughtAfter                // what follows is taught: "we will teach you"
	// what precedes is not required, because it is taught, supplied or not part of the job:
	// "training provided"
	cueExcludedBefore
	cueExcludedAround // as cueExcludedBefore, and the job title that follows is a colleague's: "is done by"
	cueOwn            // what follows is about the employer: "we use", "our customers"
	cueOpening        // as cueOwn, but only at the start of a sentence: "we are"
	cuePresents       // as cueOwn, but only in a sentence that does not address or describe the applicant: "we see"
	cueColleague      // the job title that follows is a colleague's: "reporting to"
	cueBreak          // ends the effect of every cue: "but"
	cueOff            // heading of a section without requirements: "benefits"
	cueOn             // heading of a section that may have requirements
	cueBare           // as cueOn if it is the whole line: "role"
	cueNoHeading      // first words of a line that is a requirement and not a heading: "commitment to"
)

// cuesTSV lists the cue phrases, and the words that affect the matching near them.
//
//go:embed cues.tsv
var cuesTSV string

// cueLine is one line of cues.tsv: the name of a list and its phrases.
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

// cueKinds maps the name of each list of phrases to its kind.
var cueKinds = map[string]cueKind{"none": cueNone, "not_after": cueNotAfter, "no_before": cueNoBefore, "need": cueNeed,
	"not_before": cueNotBefore, "wanted": cueWanted, "train_in": cueTrainIn, "given": cueGiven,
	"taught_after":    cueTaughtAfter,
	"excluded_before": cueExcludedBefore, "excluded_around": cueExcludedAround, "own": cueOwn, "opening": cueOpening,
	"presents": cuePresents, "colleague": cueColleague, "break": cueBreak, "off": cueOff, "on": cueOn, "bare": cueBare,
	"no_heading": cueNoHeading}

// fillers are words that may be between the words of a wording without changing its meaning:
// "manage our small busy team" matches "manage team".
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

// cueLists holds the cue phrases and the marked words, prepared for matching.
type cueLists struct {
	phrases  *trie       // payload: cueKind
	headings *trie       // payload: cueKind
	keyWords *trie       // phrases before a list of key words
	words    []wordMarks // by word number
	and      uint32      // number of "and"
}

// wordMarks is what a single word means wherever it is in a sentence.
type wordMarks struct {
	level  Level // level that it states near a skill
	number uint8 // value+1 of a number word
	marks  mark
}

// mark is a set of flags. Each flag means that a word is in one list of cues.tsv.
type mark uint32

const (
	isYears   mark = 1 << iota
	isScale        // "level", "standard": words that follow a level word after a skill
	isAbbrev       // a full stop after it does not end the sentence
	isFiller       // may be within a wording
	isRole         // a job title: "manager"
	isSought       // comes before the advertised job title: "as", "seeking", "experienced"
	isShared       // may end two wordings that "and" joins: "clinical and research skills"
	isAddress      // addresses or describes the applicant
	isDemand       // marks a requirement under any heading: "must"
	isPresent      // describes somebody: "we", "is"
	isQuality      // a level word without another meaning: "excellent"
	isNamed        // a level word that may also name the work: "advanced practitioner", "deep cleaning"
	isLoose        // a level word only before a word such as "knowledge": "working knowledge"
	isClose        // a level word only directly before its skill: "highly organised"
	// before a level word, which then describes the product and not the person: "build strong
	// relationships"
	isMakes
	isNotice // before "awareness", which is then something to keep or raise
	isHead   // knowledge of a skill: "knowledge"
	isPhrase // may be between a level word and its skill: "of"
	isJoins  // joins two skills under one level word: "and"
)

var marks = map[string]mark{"years": isYears, "scale": isScale, "abbrev": isAbbrev, "filler": isFiller, "role": isRole,
	"sought": isSought,
	"shared": isShared, "address": isAddress, "demand": isDemand, "present": isPresent,
	"quality": isQuality, "named": isNamed, "loose": isLoose, "close": isClose, "makes": isMakes, "notice": isNotice,
	"head": isHead, "phrase": isPhrase, "joins": isJoins}

// newCueLists returns the cue phrases, with their words added to the vocabulary v.
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

// mark notes, for each of the words, which list it is in and what the list means: a mark, a number or
// a level. list is the name of the list.
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

// of returns what a word means in the cue lists. The result is the zero value for most words.
func (c *cueLists) of(word uint32) (m wordMarks) {
	if int(word) < len(c.words) {
		m = c.words[word]
	}
	return m
}

func (c *cueLists) is(word uint32, m mark) bool { return c.of(word).marks&m != 0 }

// fills reports whether the job title in tokens[start:end] is the advertised job: "seeking a
// manager", not "with the manager".
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

// said returns the marks of all words of a sentence together.
func (c *cueLists) said(tokens []token) (all mark) {
	for _, t := range tokens {
		all |= c.of(t.word).marks
	}
	return all
}
