// Package skill finds the skills that a job advert requires, and their levels.
//
// # Register
//
// register.tsv is this project's list of skills, each with its wordings (the words by which adverts
// ask for it). ParseRegister documents the format.
//
// # Method
//
// Words are normalised (case, accents, apostrophes), and the longest matching wording is used, from
// left to right. Filler words may be between the words of a wording: "keep records" also matches
// "keep clear, detailed records". A match counts only if the advert requires the skill:
//
//   - Ambiguous words (C, Go, Excel, Swift, Access) need a capital letter or a related word in the
//     same sentence, and must not be in a stop phrase such as "excel in".
//   - A job title ("project manager") counts in the advert's title. In the text it counts near words
//     such as "seeking"; elsewhere it is a colleague's.
//   - A skill that is negated, taught, the employer's own or a colleague's does not count; see cueKind.
//   - Text under a heading such as "Benefits" or "About us" does not count. Text about the employer
//     before the first heading does not count either.
//   - Two wordings may share a word: "clinical and research skills".
//
// A level is read from the phrase of the skill ("basic Excel", "5+ years of sales"); otherwise it
// is LevelUnknown. The highest level stated for a skill counts.
//
// The accuracy is in pipeline/coding/README.md. The package reads 65 to 100 MB of text a second on
// one core.
package skill
