package verify

import "labour/snapshots/figure"

// ChangeOf is changeOf of two numbers, the earlier of them above 0.
func ChangeOf(value, previous int64) *figure.Tenths { return changeOf(&value, &previous) }
