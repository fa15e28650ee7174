package snaptest

// servedArea is the slug of the only place in DefaultContent that has more than one borough.
const servedArea = "central-london"

// areaBoroughs returns the slugs of the boroughs that make up servedArea.
func areaBoroughs() []string { return []string{"camden", "westminster"} }

func placeSlugs() []string { return []string{"camden", "central-london", "islington", "westminster"} }

func sectorSlugs() []string {
	return []string{"care-services", "construction-and-the-built-environment", "digital"}
}

func skillSlugs() []string {
	return []string{"care-planning", "customer-service", "project-management", "python", "site-safety", "sql"}
}

func ptr[T any](v T) *T { return &v }
