package webhooks

import "labour/serve/state"

func scanID(scan func(...any) error) (id string, err error) {
	err = scan(&id)
	return id, err
}

func (s *Service) newID(prefix string) (string, error) {
	return state.NewID(prefix, s.now(), s.random)
}
