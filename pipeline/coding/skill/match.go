package skill

import "strings"

// labelEnds and labelStarts are words that a free label may add to the name of a skill.
var (
	labelEnds   = []string{" skills", " skill", " experience", " knowledge", " ability", " abilities"}
	labelStarts = []string{
		"good ", "strong ", "excellent ", "basic ", "great ", "effective ", "knowledge of ", "experience of ",
		"experience in ", "experience with ", "understanding of ", "ability in ", "skills in ", "use of ",
	}
)

// Number codes a free label or a slug to a skill of the register; an example of a label is
// "Communication skills" in apprenticeship adverts. It returns the skill's index, from 0, in the
// list that Skills returns. The whole label has to be a name, slug or pattern, apart from words
// such as "skills" and "good": a label with further words is not coded.
func (r *Register) Number(name string) (number int, ok bool) {
	i, ok := r.bySlug[name]
	if !ok { // true for nearly every label of the platform
		i, ok = r.matchLabel(name)
	}
	return int(i), ok
}

func (r *Register) matchLabel(name string) (skill int32, ok bool) {
	words := splitWords(name)
	for i := range words {
		words[i] = foldWord(words[i])
	}
	label := strings.Join(words, " ")
	for _, candidate := range labelForms(label) {
		candidate = strings.Join(withoutFillers(strings.Fields(candidate), 0), " ")
		if i, known := r.labelled(candidate, r.words.numbers(candidate)); known {
			return i, true
		}
	}
	return 0, false
}

// labelForms returns the label, followed by the label without its usual additions, the fullest
// first.
func labelForms(label string) []string {
	forms := []string{label}
	for _, end := range labelEnds {
		if short, cut := strings.CutSuffix(label, end); cut {
			forms = append(forms, short)
		}
	}
	for _, form := range forms[:len(forms):len(forms)] {
		for _, start := range labelStarts {
			if short, cut := strings.CutPrefix(form, start); cut {
				forms = append(forms, short)
			}
		}
	}
	return forms
}
