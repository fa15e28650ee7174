package serve

import _ "embed" // for the document below

//go:embed CHANGES.md
var changes string

// Changes is what partners can see of each version of the interface, in Markdown.
func Changes() string { return changes }
