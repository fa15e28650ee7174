// Package skill recognises which skills a vacancy advert asks for, and at what level.
//
// # Register
//
// register.tsv is this project's own list of skills for a whole local labour market, from personal
// care and bricklaying to software. It copies no published list. Parse documents its form.
//
// # Method
//
// The text is read once, as bytes. Words are folded (case, accents, apostrophes) and hashed while
// they are read; "C++", "C#", ".NET", "Node.js", "A&E" and "CI/CD" are one word because the
// register knows them as one. From left to right the longest wording that holds takes its words.
// Fillers, as "our" and "strong", may stand between them: "keep records" is also "keep clear,
// detailed records". A match counts only if the advert asks for it:
//
//   - ambiguous words (C, R, Go, Excel, Swift, Access, Spark, Word, Rust, Sage,
//     Teams, React) need a given capital, a telling word in the same sentence,
//     or the absence of a stop phrase ("excel in", "react to");
//   - a post ("project manager") asks in the title, and in the text where words such as
//     "seeking" or "experienced" stand near: elsewhere it is a colleague's;
//   - what is negated, taught, the employer's own or a colleague's does not ask, see cueKind;
//   - text under a heading such as "Benefits" or "About us" does not ask, nor does text about the
//     employer before the first heading, but the tasks that are listed there do;
//   - two wordings may share their last word or their first: "clinical and research skills",
//     "handling complaints and conflict".
//
// Every find can be explained by a wording of the advert, and nothing else decides.
//
// A level is read from the skill's own phrase ("basic Excel", "strong Python and SQL", "5+ years of
// sales"), else Unknown; the highest stated level of a skill counts.
//
// # How good it is
//
// Labelled adverts of every sector are in testdata; the figures are in pipeline/coding/README.md.
// Behind "keywords" and the like, posts and bare names of skills count as well; a stop phrase hides
// only the skill that has it.
//
// The title is read as asking whatever heading follows it. A skill that a list in one line gives
// without a telling word ("Go" alone) is missed rather than guessed.
//
// Speed: 65 to 100 MB of text a second on one core, without allocation once the
// buffers of RecogniseInto have grown.
package skill
