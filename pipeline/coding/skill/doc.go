// Package skill recognises the skills that a vacancy advert requires, and their levels.
//
// # Register
//
// register.tsv is this project's own list of skills for a whole local labour market, from personal
// care and bricklaying to software. It is not copied from a published list. Parse documents its
// format.
//
// # Method
//
// The text is read once, as bytes. Words are folded (case, accents, apostrophes) and hashed while
// they are read; "C++", "C#", ".NET", "Node.js", "A&E" and "CI/CD" are one word because the
// register has them as one. From left to right, the longest matching wording is used. Filler words
// such as "our" and "strong" may be in between: "keep records" also matches "keep clear, detailed
// records". A match counts only if the advert requires the skill:
//
//   - ambiguous words (C, R, Go, Excel, Swift, Access, Spark, Word, Rust, Sage,
//     Teams, React) need a given capital, a related word in the same sentence,
//     or the absence of a stop phrase ("excel in", "react to");
//   - a job title ("project manager") counts in the title, and in the text where words such
//     as "seeking" or "experienced" are near; elsewhere it is a colleague's;
//   - a skill that is negated, taught, the employer's own or a colleague's does not count, see cueKind;
//   - text under a heading such as "Benefits" or "About us" does not count, nor does text about
//     the employer before the first heading, except the tasks that are listed there;
//   - two wordings may share their last word or their first: "clinical and research skills",
//     "handling complaints and conflict".
//
// Every match can be explained by words of the advert.
//
// A level is read from the skill's own phrase ("basic Excel", "strong Python and SQL", "5+ years of
// sales"), otherwise it is Unknown; the highest stated level of a skill counts.
//
// # Accuracy
//
// Labelled adverts of every sector are in testdata; the figures are in pipeline/coding/README.md.
// In a list of key words, job titles and names of skills alone count as well. A stop phrase hides
// only the skills that have it.
//
// The title always counts. An ambiguous word in a list without a related word ("Go" alone) is not
// counted.
//
// Speed: 65 to 100 MB of text a second on one core, without allocation once the buffers of
// RecogniseInto have grown.
package skill
