// Package formats writes the rows of an answer as CSV and as Parquet. Both hold
// what the JSON holds, cell by cell, in the order of its fields:
//
//   - A field inside an object becomes a column with both names:
//     year_on_year_change_pct.
//   - A count of people becomes two columns: the number, and beside it NAME_status,
//     which is number, under_5 or not_published (what JSON writes as null). Of under_5
//     CSV has <5, as JSON does, and Parquet null; of not_published both have nothing. A
//     reader that adds up the numbers never takes a small count or a missing one for a
//     zero.
//   - A list of keys becomes one text, with a comma between.
//   - A field that JSON leaves out or writes as null is an empty cell in CSV and null
//     in Parquet.
//   - Percentages and scores have the digits of JSON in CSV, and are DOUBLE in Parquet,
//     which every reader knows as numbers. Days are DATE.
//   - A last column attribution_statement has every statement to show with the row,
//     word for word, with a space between, so that it goes where the row goes.
//
// CSV is UTF-8 without a byte order mark, with commas, quotes only where RFC 4180
// needs them, one line of column names, and lines that end in LF, so that a line
// break inside a text stays as it is. It is safe to open in a spreadsheet: a text
// that begins with a character which would make it a formula ('=', '+', '-', '@',
// their full-width forms, tab, carriage return, line feed) has an apostrophe in
// front. So that nothing is ambiguous, a text that begins with an apostrophe has one
// more, and a text that is empty, in a column where a text may also be missing, is
// one apostrophe: take one apostrophe off the front of a text to have the value.
// Numbers, dates and true or false are never changed.
//
// Parquet carries the statements, the licences, the sources, the metadata of the
// answer and the meaning of each column in its key-value metadata.
package formats
