package query

import (
	"context"
	"errors"
	"sync"
)

// library holds the parts that are open, so that snapshots with the same files share
// them. It is safe for concurrent use.
type library struct {
	mu    sync.Mutex
	parts map[string]*sharedPart // by key
}

// sharedPart is an open part with the number of snapshots that use it.
type sharedPart struct {
	*part
	key   string
	users int
}

func newLibrary() *library { return &library{parts: map[string]*sharedPart{}} }

// open returns the part of that key, which load makes when no snapshot has it open.
func (l *library) open(ctx context.Context, key string, load func(context.Context) (*part, error)) (*sharedPart, error) {
	if p := l.use(key, nil); p != nil {
		return p, nil
	}
	loaded, err := load(ctx)
	if err != nil {
		return nil, err
	}
	p := l.use(key, loaded)
	if p.part != loaded { // another snapshot was quicker
		err = loaded.close()
	}
	return p, err
}

// use counts a user of a part in. A loaded part is added when there is none yet.
func (l *library) use(key string, loaded *part) *sharedPart {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.parts[key]
	if p == nil && loaded != nil {
		p = &sharedPart{part: loaded, key: key}
		l.parts[key] = p
	}
	if p != nil {
		p.users++
	}
	return p
}

// release gives parts back and closes those that nobody uses any more.
func (l *library) release(parts map[string]*sharedPart) error {
	var errs []error
	for _, p := range parts {
		l.mu.Lock()
		p.users--
		unused := p.users == 0
		if unused {
			delete(l.parts, p.key)
		}
		l.mu.Unlock()
		if unused {
			errs = append(errs, p.close())
		}
	}
	return errors.Join(errs...)
}
