package main

import (
	"regexp"
	"strconv"
	"strings"
)

// sqlSwaps lists SQL words and operators, and what replaces each in a mutation. The first match is
// used. Therefore longer entries, such as >=, come before entries that are their beginning, such as
// >.
var sqlSwaps = []struct{ from, to string }{
	{"LEFT JOIN", "JOIN"}, {"UNION ALL", "UNION"}, {"IS NOT NULL", "IS NULL"}, {"IS NULL", "IS NOT NULL"},
	{"NOT EXISTS", "EXISTS"}, {"NOT IN", "IN"}, {"JOIN", "LEFT JOIN"},
	{"DISTINCT", ""}, {"DESC", ""}, {"AND", "OR"}, {"OR", "AND"},
	{"min(", "max("}, {"max(", "min("}, {"sum(", "max("},
	{"greatest(", "least("}, {"least(", "greatest("}, {"floor(", "ceil("},
	{">=", ">"}, {"<=", "<"}, {"<>", "="}, {">", ">="}, {"<", "<="}, {"=", "<>"},
	{"+", "-"}, {"-", "+"}, {"true", "false"}, {"false", "true"},
}

// unchangedSQL matches SQL text that mutations do not change, such as comments, string literals,
// quoted names and parameters.
var unchangedSQL = regexp.MustCompile(`--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$\w+|:=|=>|->|CROSS JOIN|BETWEEN\s+\S+\s+AND`)

var (
	number = regexp.MustCompile(`\b\d+\b`)
	clause = regexp.MustCompile(`(?m)^\s*AND [^\n]*$`)
	// orderKeys matches an ORDER BY whose keys are plain columns, without functions.
	orderKeys = regexp.MustCompile(`ORDER\sBY ([^\n;()]+)`)
)

// sqlSites returns all possible mutations of the SQL file at path. text is the content of the file.
func sqlSites(path, text string) []site {
	masked := unchangedSQL.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\x00", len(s)) })
	var all []site
	add := func(offset, length int, to, inWords string) {
		all = append(all, site{file: path, line: 1 + strings.Count(text[:offset], "\n"), offset: offset,
			oldText: text[offset : offset+length], newText: to, inWords: inWords})
	}
	for at := 0; at < len(masked); {
		n := 1
		for _, s := range sqlSwaps {
			if strings.HasPrefix(masked[at:], s.from) && isWord(masked, at, s.from) {
				add(at, len(s.from), s.to, "")
				n = len(s.from)
				break
			}
		}
		at += n
	}
	for _, m := range number.FindAllStringIndex(masked, -1) {
		if i, err := strconv.Atoi(masked[m[0]:m[1]]); err == nil {
			add(m[0], m[1]-m[0], strconv.Itoa(i+1), "")
		}
	}
	for _, m := range clause.FindAllStringIndex(masked, -1) {
		if line := text[m[0]:m[1]]; strings.Count(masked[m[0]:m[1]], "(") == strings.Count(masked[m[0]:m[1]], ")") {
			add(m[0], len(line), "", "left out: "+strings.TrimSpace(line))
		}
	}
	for _, m := range orderKeys.FindAllStringSubmatchIndex(masked, -1) {
		all = append(all, orderSites(path, text, m[2], m[3])...)
	}
	return all
}

// orderSites returns one mutation for each key of an ORDER BY with several keys: it leaves out the
// key. from and to are the indexes of the keys in text, the content of the SQL file at path.
func orderSites(path, text string, from, to int) (all []site) {
	keys := strings.SplitAfter(text[from:to], ",")
	if len(keys) < 2 {
		return nil
	}
	offset := from
	for i, key := range keys {
		dropped := site{file: path, line: 1 + strings.Count(text[:offset], "\n"), offset: offset, oldText: key,
			inWords: "left out of ORDER BY: " + strings.Trim(key, " ,")}
		if i == len(keys)-1 { // with the comma before it
			dropped.offset, dropped.oldText = offset-1, text[offset-1:to]
		}
		all = append(all, dropped)
		offset += len(key)
	}
	return all
}

// isWord reports whether word is a whole word in text, and not part of a longer word. It begins at
// the byte with index at. The result is always true for an operator.
func isWord(text string, at int, word string) bool {
	if !isLetter(word[0]) {
		return true
	}
	end := at + len(word)
	last := word[len(word)-1]
	before := at > 0 && isLetter(text[at-1])
	after := isLetter(last) && end < len(text) && isLetter(text[end])
	return !before && !after
}

func isLetter(b byte) bool {
	switch {
	case b == '_', '0' <= b && b <= '9', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		return true
	}
	return false
}
