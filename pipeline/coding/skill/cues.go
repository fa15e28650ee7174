package skill

import (
	_ "embed" // the lists are part of the program
	"slices"
	"strings"
)

// cueKind is the effect of a cue phrase on the matches around it.
type cueKind int32

const (
	cueNone        cueKind = iota // takes the place of a shorter cue that does not hold here
	cueNotAfter                   // what follows is not asked: "no experience of"
	cueNoBefore                   // what follows is not asked if a cueNeed comes later: "no ... needed"
	cueNeed                       // second half of cueNoBefore
	cueNotBefore                  // what precedes is not asked: "not needed"
	cueWanted                     // takes the edge off cueNotBefore: "desirable but not essential"
	cueTrainIn                    // what follows is taught if a cueGiven comes later: "training in ... provided"
	cueGiven                      // second half of cueTrainIn
	cueTaughtAfter                // what follows is taught: "we will teach you"
	// what precedes is not asked, being taught, supplied or no part of the post: "training provided"
	cueExcludedBefore
	cueExcludedAround // as cueExcludedBefore, and the post that follows is a colleague's: "is done by"
	cueOwn            // what follows is the employer's: "we use", "our customers"
	cueOpening        // as cueOwn, but only as the first words of a sentence: "we are"
	cuePresents       // as cueOwn, but only in a sentence that does not speak to or of the applicant: "we see"
	cueColleague      // the post that follows is a colleague's: "reporting to"
	cueBreak          // ends the reach of every cue: "but"
	cueOff            // heading of a section that asks nothing: "benefits"
	cueOn             // heading of a section that may ask
	cueBare           // as cueOn where it is the whole line: "role"
	cueNoHeading      // the first words of a line that asks, and is no heading: "commitment to"
)

// cuesTSV lists the cue phrases and the words around them that say something.
//
//go:embed cues.tsv
var cuesTSV string

// cueLine is one line of cues.tsv.
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

// cueKinds are the lists of phrases.
var cueKinds = map[string]cueKind{"none": cueNone, "not_after": cueNotAfter, "no_before": cueNoBefore, "need": cueNeed,
	"not_before": cueNotBefore, "wanted": cueWanted, "train_in": cueTrainIn, "given": cueGiven,
	"taught_after":    cueTaughtAfter,
	"excluded_before": cueExcludedBefore, "excluded_around": cueExcludedAround, "own": cueOwn, "opening": cueOpening,
	"presents": cuePresents, "colleague": cueColleague, "break": cueBreak, "off": cueOff, "on": cueOn, "bare": cueBare,
	"no_heading": cueNoHeading}

// fillers are words that may be between the words of a wording without changing what it asks:
// "manage our small busy team" asks what "manage team" does.
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

// cueLists holds the cue phrases and the words that affect matching, ready for use.
type cueLists struct {
	phrases  *trie       // payload: cueKind
	headings *trie       // payload: cueKind
	keyWords *trie       // what leads a list of key words
	words    []wordMarks // by word number
	and      uint32      // the number of "and"
}

// wordMarks holds the meaning of a word by itself, in any position.
type wordMarks struct {
	level  Level // that it states near a skill
	number uint8 // value+1 of a number word
	marks  mark
}

// mark is the set of lists that contain a word.
type mark uint32

const (
	isYears   mark = 1 << iota
	isScale        // "level", "standard": what a level word after a skill leads to
	isAbbrev       // a full stop after it ends no sentence
	isFiller       // may stand within a wording
	isRole         // names a person by the post: "manager"
	isSought       // leads to the post that is filled: "as", "seeking", "experienced"
	isShared       // may end two wordings that "and" joins: "clinical and research skills"
	isAddress      // speaks to or of the applicant
	isDemand       // asks under whatever heading: "must"
	isPresent      // presents somebody: "we", "is"
	isQuality      // a level word that can mean nothing else: "excellent"
	isNamed        // a level word that the work may be named by: "advanced practitioner", "deep cleaning"
	isLoose        // a level word only before what is known: "working knowledge"
	isClose        // a level word only right before its skill: "highly organised"
	isMakes        // before a level word: that of what is made, and not of who makes it: "build strong relationships"
	isNotice       // before "awareness": one that is kept or raised
	isHead         // what one has of a skill: "knowledge"
	isPhrase       // may stand between a level word and its skill: "of"
	isJoins        // joins two skills under one level word: "and"
)

var marks = map[string]mark{"years": isYears, "scale": isScale, "abbrev": isAbbrev, "filler": isFiller, "role": isRole,
	"sought": isSought,
	"shared": isShared, "address": isAddress, "demand": isDemand, "present": isPresent,
	"quality": isQuality, "named": isNamed, "loose": isLoose, "close": isClose, "makes": isMakes, "notice": isNotice,
	"head": isHead, "phrase": isPhrase, "joins": isJoins}

// newCueLists assigns numbers to the cue words in the register's vocabulary. Two words with one
// hash would merge two cues; TestCuePhrases shows that there are none, so Parse need not check it.
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

// mark records the words of a list.
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

// of returns the lists that contain a word: none for most words.
func (c *cueLists) of(word uint32) (m wordMarks) {
	if int(word) < len(c.words) {
		m = c.words[word]
	}
	return m
}

func (c *cueLists) is(word uint32, m mark) bool { return c.of(word).marks&m != 0 }

// fills reports whether tokens[start:end], if they name a person by job title, name the person who
// is sought and not a colleague: "seeking a manager", not "with the manager".
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

// said combines the marks of the words of a sentence.
func (c *cueLists) said(tokens []token) (all mark) {
	for _, t := range tokens {
		all |= c.of(t.word).marks
	}
	return all
}
