package state

// Tables are the tables that Copy copies.
func Tables() []string { return tables }
