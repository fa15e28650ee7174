package skillsplans

import (
	"context"
	"testing"

	"labour/sources"
)

// TestPlanInAnotherCharacterSetIsRefused as a whole.
func TestPlanInAnotherCharacterSetIsRefused(t *testing.T) {
	parsed, err := parse(context.Background(), []byte("\xff\xfe\x00\x00a\x00\x00\x00"), Plan{})
	if len(parsed.Records) > 0 || sources.FaultCodeOf(err) != sources.FaultWrongFormat {
		t.Errorf("%d records, %v", len(parsed.Records), err)
	}
}
