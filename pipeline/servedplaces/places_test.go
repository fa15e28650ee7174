package servedplaces

import (
	"strings"
	"testing"

	"labour/pipeline/config"
	"labour/sources"
)

// TestAreaNamedAsABorough: an address could mean either, so a run says which slug to change.
func TestAreaNamedAsABorough(t *testing.T) {
	served := NewPlaces([]sources.Borough{{Slug: "camden", Name: "Camden", Code: "E09000007"}}, nil,
		[]config.ServedArea{{Slug: "camden", Name: "Camden and more", Boroughs: []string{"camden"}}})
	_, err := served.CheckAreas()
	if err == nil ||
		!strings.Contains(err.Error(), `served area "camden" has the slug of a borough; give it another one`) {
		t.Errorf("the error is %v", err)
	}
}
