package signin

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"labour/serve/state"
)

// When a session ends: so long after it was last used, and so long after it began
// whatever happens.
const (
	Idle     = 2 * time.Hour
	Absolute = 12 * time.Hour
)

// seenInterval is how exact the time of the last use is, so that not every page
// writes.
const seenInterval = time.Minute

// ErrNoSession is returned for a session that does not exist or has ended.
var ErrNoSession = errors.New("no session")

// Session is who is signed in.
type Session struct {
	PartnerID   string
	PartnerName string
}

// Session finds the session of a token and notes that it is used. The error is
// ErrNoSession.
func (s *Store) Session(ctx context.Context, token string) (Session, error) {
	at, hashed := s.now(), hash(token)
	var found Session
	var seen int64
	err := s.db.QueryRowContext(ctx, statement("session"), hashed, state.Unix(at.Add(-Absolute)), state.Unix(at.Add(-Idle))).Scan(&found.PartnerID, &found.PartnerName, &seen)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, ErrNoSession
	}
	if err != nil {
		return Session{}, fmt.Errorf("look up a session: %w", err)
	}
	if at.Sub(state.Time(seen)) < seenInterval {
		return found, nil
	}
	if _, err := s.db.ExecContext(ctx, statement("note_session"), state.Unix(at), hashed); err != nil {
		return Session{}, fmt.Errorf("note the use of a session: %w", err)
	}
	return found, nil
}

// End ends the session of a token, if there is one.
func (s *Store) End(ctx context.Context, token string) error {
	if _, err := s.db.ExecContext(ctx, statement("end_session"), hash(token)); err != nil {
		return fmt.Errorf("end a session: %w", err)
	}
	return nil
}

// Prune forgets the links and sessions that have ended, and says how many.
func (s *Store) Prune(ctx context.Context) (int64, error) {
	at := s.now()
	links, err := state.Change(ctx, s.db, statement("forget_links"), state.Unix(at))
	if err != nil {
		return 0, fmt.Errorf("forget old sign-in links: %w", err)
	}
	sessions, err := state.Change(ctx, s.db, statement("forget_sessions"), state.Unix(at.Add(-Absolute)), state.Unix(at.Add(-Idle)))
	if err != nil {
		return links, fmt.Errorf("forget ended sessions: %w", err)
	}
	return links + sessions, nil
}
