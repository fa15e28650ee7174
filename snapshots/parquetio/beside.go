package parquetio

// beside is the writing of a row group beside the gathering of the next one. The zero
// beside has nothing to wait for.
type beside struct{ done chan error }

// start begins fn. What was begun before must have been waited for.
func (b *beside) start(fn func() error) {
	done := make(chan error, 1)
	b.done = done
	go func() { done <- fn() }()
}

// wait gives the error of what was begun, once.
func (b *beside) wait() error {
	if b.done == nil {
		return nil
	}
	err := <-b.done
	b.done = nil
	return err
}
