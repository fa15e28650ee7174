package occupation

// How much a known title is worth that stands in the first sentences of an advert,
// and how much a word of the department's or the employer's name.
const (
	inSentence   = 6
	inDepartment = 0.3
	inEmployer   = 0.2
)

// addContext adds what an advert says beside its title: the titles that its first
// sentences name ("We are looking for a care assistant"), as far as a title is read,
// and the words of its department and employer.
func (r *Register) addContext(scores []float32, in Context) {
	var room [64]uint64
	m := r.model()
	m.add(scores, wordFeatures(room[:0], foldWords(in.Department)), inDepartment)
	m.add(scores, wordFeatures(room[:0], foldWords(in.Employer)), inEmployer)
	words := foldWords(in.Text)
	for len(words) > 1 {
		soc, n := r.index.startsWith(words)
		if n > 1 {
			scores[m.number[soc]] += inSentence
		}
		words = words[max(n, 1):]
	}
}

// wordFeatures appends the features of words that stand alone.
func wordFeatures(dst []uint64, words []string) []uint64 {
	for i, w := range words {
		if !terms[w] && !places[w] && !repeated(words, i) {
			dst = append(dst, feature(aWord, w))
		}
	}
	return dst
}
