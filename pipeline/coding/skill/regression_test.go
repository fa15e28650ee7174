package skill

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// examples are rows of features with an answer.
type examples struct {
	rows    [][]cell
	answers []float64
	size    int
}

// cell is an entry of a sparse matrix, at a row of a column or a column of a row.
type cell struct {
	at    int
	value float64
}

// besideValue is the value of a word beside a find as a feature: the less, the more it is shrunk.
const besideValue = 0.15

// add adds an example with features and, behind those, words by their numbers.
func (e *examples) add(answer bool, words []int, features ...float64) {
	row := []cell{{0, 1}}
	for i, f := range features {
		row = append(row, cell{i + 1, f})
	}
	for _, w := range words {
		row = append(row, cell{1 + len(features) + w, besideValue})
	}
	for _, c := range row {
		e.size = max(e.size, c.at+1)
	}
	e.rows, e.answers = append(e.rows, row), append(e.answers, one(answer))
}

// fit is logistic regression by Newton's method, with a penalty on all weights but the first.
func (e *examples) fit() []float64 {
	const rounds = 8
	w := make([]float64, e.size)
	for range rounds {
		gradient, hessian := make([]float64, e.size), square(e.size, 1)
		for i := range w {
			gradient[i] = -w[i]
		}
		gradient[0], hessian[0][0] = 0, 1e-9
		for k, row := range e.rows {
			odds := 0.0
			for _, c := range row {
				odds += w[c.at] * c.value
			}
			p := 1 / (1 + math.Exp(-odds))
			for _, a := range row {
				gradient[a.at] += (e.answers[k] - p) * a.value
				for _, b := range row {
					if b.at <= a.at {
						hessian[a.at][b.at] += p * (1 - p) * a.value * b.value
					}
				}
			}
		}
		factor(hessian)
		for i, step := range solve(hessian, gradient) {
			w[i] += step
		}
	}
	return w
}

// wordModel scores skills by the words of an advert. For each skill it is ridge regression of
// whether an advert asks for it, on the words that tell most of it.
type wordModel struct {
	adverts []*labelled
	weights map[string]float64 // by word: the rarer, the more
	columns map[string][]cell  // by word, the adverts
	skills  []string
	base    []float64            // by skill
	shares  []map[string]float64 // by skill and word
}

const (
	ridge     = 0.4 // the penalty
	tellWords = 40  // words of a skill
)

func learnWords(adverts []*labelled, skills []string) *wordModel {
	m := &wordModel{adverts: adverts, weights: wordWeights(adverts), columns: map[string][]cell{}, skills: skills}
	kernel := square(len(adverts), ridge)
	for i, a := range adverts {
		length := m.length(a)
		for _, w := range a.words {
			if m.weights[w] == 0 {
				continue
			}
			value := m.weights[w] / length
			m.columns[w] = append(m.columns[w], cell{i, value})
			for _, other := range m.columns[w] {
				kernel[i][other.at] += value * other.value
			}
		}
	}
	factor(kernel)
	for _, skill := range skills {
		m.learn(kernel, skill)
	}
	return m
}

// wordWeights weighs the words that are neither rare nor in every fourth advert.
func wordWeights(adverts []*labelled) map[string]float64 {
	const (
		least = 5
		scale = 1 / 1.5
		title = 1.5 // how much more a word of the title counts
	)
	seen, weights := map[string]int{}, map[string]float64{}
	for _, a := range adverts {
		for _, w := range a.words {
			seen[w]++
		}
	}
	for w, n := range seen {
		if n < least || 4*n > len(adverts) {
			continue
		}
		if weights[w] = scale * math.Log(float64(len(adverts))/float64(n)); w[0] == '^' {
			weights[w] *= title
		}
	}
	return weights
}

// learn finds the words that tell most of a skill by a regression on all words, and weighs those by
// another.
func (m *wordModel) learn(kernel [][]float64, skill string) {
	answers, mean := make([]float64, len(m.adverts)), 0.0
	for i, a := range m.adverts {
		answers[i] = one(a.want[skill])
		mean += answers[i] / float64(len(m.adverts))
	}
	for i := range answers {
		answers[i] -= mean
	}
	words := m.telling(solve(kernel, answers))
	rows, means := m.dense(words)
	products, right := square(len(words), ridge), make([]float64, len(words))
	for i, row := range rows {
		for j := range row {
			row[j] -= means[j]
			right[j] += row[j] * answers[i]
			for k := range row[:j+1] {
				products[j][k] += row[j] * row[k]
			}
		}
	}
	factor(products)
	weights, shares := solve(products, right), map[string]float64{}
	for j, w := range words {
		shares[w] = weights[j] * m.weights[w]
	}
	m.base, m.shares = append(m.base, mean-dot(means, weights)), append(m.shares, shares)
}

// telling are the words that tell most, by the weights of the adverts.
func (m *wordModel) telling(adverts []float64) []string {
	tells, words := map[string]float64{}, slices.Sorted(maps.Keys(m.columns))
	for _, w := range words {
		sum := 0.0
		for _, c := range m.columns[w] {
			sum += c.value * adverts[c.at]
		}
		tells[w] = math.Abs(sum) * math.Sqrt(float64(len(m.columns[w])))
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(tells[b], tells[a]) })
	return words[:min(len(words), tellWords)]
}

// dense gives the words of the adverts as a matrix, with the means of its columns.
func (m *wordModel) dense(words []string) (rows [][]float64, means []float64) {
	rows, means = make([][]float64, len(m.adverts)), make([]float64, len(words))
	for i := range rows {
		rows[i] = make([]float64, len(words))
	}
	for j, w := range words {
		for _, c := range m.columns[w] {
			rows[c.at][j] = c.value
			means[j] += c.value / float64(len(m.adverts))
		}
	}
	return rows, means
}

// length is what the weight of each word of an advert is divided by.
func (m *wordModel) length(a *labelled) float64 { return math.Sqrt(float64(a.count)) }

// scores gives the score of each skill for an advert.
func (m *wordModel) scores(a *labelled) map[string]float64 {
	scores, length := map[string]float64{}, m.length(a)
	for i, skill := range m.skills {
		scores[skill] = m.base[i]
		for _, w := range a.words {
			scores[skill] += m.shares[i][w] / length
		}
	}
	return scores
}

func (m *wordModel) write(out *strings.Builder) {
	for i, skill := range m.skills {
		row(out, "skill\t"+skill, m.base[i])
	}
	for _, w := range slices.Sorted(maps.Keys(m.weights)) {
		shares := ""
		for i, skill := range m.skills {
			if weight := math.Round(1000 * m.shares[i][w]); weight != 0 {
				shares += fmt.Sprintf("\t%s:%.0f", skill, weight)
			}
		}
		kind := "text\t"
		if w[0] == '^' {
			kind, w = "title\t", w[1:]
		}
		if shares != "" {
			out.WriteString(kind + w + shares + "\n")
		}
	}
}

// square is a matrix with a value on its diagonal.
func square(n int, diagonal float64) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		m[i][i] = diagonal
	}
	return m
}

// factor replaces the lower half of a symmetric positive matrix by its Cholesky factor.
func factor(m [][]float64) {
	for i := range m {
		for j := range m[:i+1] {
			sum := m[i][j] - dot(m[i][:j], m[j][:j])
			if i == j {
				m[i][i] = math.Sqrt(sum)
			} else {
				m[i][j] = sum / m[j][j]
			}
		}
	}
}

// solve solves for one right side with the factor of a matrix.
func solve(m [][]float64, right []float64) []float64 {
	x := slices.Clone(right)
	for i := range m {
		x[i] = (x[i] - dot(m[i][:i], x[:i])) / m[i][i]
	}
	for i := len(m) - 1; i >= 0; i-- {
		x[i] /= m[i][i]
		for j := range x[:i] {
			x[j] -= m[i][j] * x[i]
		}
	}
	return x
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
