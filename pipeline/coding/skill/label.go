package skill

import "strings"

// The words that a label may have before or after a skill's name.
var (
	// labelEnds are words after a skill's name in a label, such as "skills". They are ignored when
	// a skill is looked up by its label.
	labelEnds = []string{" skills", " skill", " experience", " knowledge", " ability", " abilities"}
	// labelStarts are words before a skill's name in a label, such as "good". They are ignored when
	// a skill is looked up by its label.
	labelStarts = []string{
		"good ", "strong ", "excellent ", "basic ", "great ", "effective ", "knowledge of ", "experience of ",
		"experience in ", "experience with ", "understanding of ", "ability in ", "skills in ", "use of ",
	}
)

// FindIndexByLabel returns the index in Register.Skills of the skill with the given label. The
// label is a name, slug or wording of the skill. It may have further words, as in "Good
// communication skills". ok is false if no skill has the label.
func (r *Register) FindIndexByLabel(name string) (number int, ok bool) {
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
		if i, known := r.skillOfLabel(candidate, r.words.numbers(candidate)); known {
			return i, true
		}
	}
	return 0, false
}

// labelForms returns a skill's label, and its shorter forms without words such as "good" and
// "skills".
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
