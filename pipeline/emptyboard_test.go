package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// boardOf returns a board with so many jobs.
func boardOf(token string, jobs int) string {
	list := make([]string, jobs)
	for i := range list {
		list[i] = fmt.Sprintf(`{"id":"%[1]s-%[2]d","title":"Software developer","location":"Camden, London",`+
			`"isListed":true,"publishedAt":"2026-10-05T09:00:00Z","jobUrl":"https://jobs.example/%[1]s/%[2]d",`+
			`"applyUrl":"https://jobs.example/%[1]s/%[2]d/apply","descriptionPlain":"You know Python."}`, token, i)
	}
	return `{"apiVersion":"1","jobs":[` + strings.Join(list, ",") + `]}`
}

// TestBoardsThatEmpty: a board that lists nothing on a second day is closed if it was small. If it had 100
// adverts, that is refused, although the source as a whole has not lost much.
func TestBoardsThatEmpty(t *testing.T) {
	for jobs, refuse := range map[int]bool{99: false, 100: true} {
		s := newSmall(t)
		s.boards["acme"], s.boards["bolt"] = boardOf("acme", 400), boardOf("bolt", jobs)
		s.run()
		s.boards["bolt"] = boardOf("bolt", 0)
		s.run() // the last list is used for a day
		_, err := s.runOnly("")
		var refused *RefusedError
		if errors.As(err, &refused) != refuse || (err != nil) != refuse {
			t.Errorf("%d jobs: %v", jobs, err)
		}
		says := fmt.Sprintf("adverts listed by ashby/bolt fall from %d to 0", jobs)
		if refuse && !strings.Contains(err.Error(), says) {
			t.Errorf("%d jobs: %v", jobs, err)
		}
	}
}
