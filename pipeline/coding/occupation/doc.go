// Package occupation assigns an occupation code (SOC 2020) to a job title. Its data are the titles
// of the Office for National Statistics' coding index and further titles from adverts.
//
// A title is first normalised and split at commas, dashes and brackets. Words about seniority,
// contract, hours and place are removed. Rules then look for a known title, the most reliable rule
// first:
//
//   - the whole title, since seniority can change the occupation;
//   - its parts in another order ("Engineer, Software");
//   - the title without the removed words;
//   - a manager of a known department ("Head of Finance");
//   - the longest known title within it.
//
// If a title joins two roles, the first counts. Misspelt words are corrected.
//
// If no rule is certain, the words of the title are scored with naive Bayes. If no rule matched,
// the first sentences of the advert, its department and its employer are scored too. If the unit
// group (4 digits) is uncertain, the title gets the code of a wider group (3 or 2 digits). The
// accuracy by sector is in pipeline/coding/testdata/history.md.
package occupation
