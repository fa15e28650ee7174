package skill

import "strings"

// labelEnds and labelStarts are what a free label adds to a skill's name.
var (
	labelEnds   = []string{" skills", " skill", " experience", " knowledge", " ability", " abilities"}
	labelStarts = []string{
		"good ", "strong ", "excellent ", "basic ", "great ", "effective ", "knowledge of ", "experience of ",
		"experience in ", "experience with ", "understanding of ", "ability in ", "skills in ", "use of ",
	}
)

// MatchName codes a free label, such as the "Communication skills" that
// apprenticeship adverts list, or a slug, to a skill of the register. The whole
// label has to be a name, slug or pattern, give or take words such as "skills"
// and "good": a label that says more than that is not coded.
func (r *Register) MatchName(name string) (slug string, ok bool) {
	if i, known := r.bySlug[name]; known { // as nearly every label of the platform is
		return r.skills[i].Slug, true
	}
	return r.matchLabel(name)
}

// matchLabel is MatchName for a label in words.
func (r *Register) matchLabel(name string) (slug string, ok bool) {
	words := splitWords(name)
	for i := range words {
		words[i] = foldWord(words[i])
	}
	label := strings.Join(words, " ")
	for _, candidate := range labelForms(label) {
		if i, known := r.labels[candidate]; known {
			return r.skills[i].Slug, true
		}
	}
	return "", false
}

// labelForms gives the label and what is left of it without usual additions,
// the fullest first.
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
