package sandbox

import (
	"fmt"
	"net/http"

	"labour/sources/fakepublishers"
)

// importedBeside is how many adverts of other boards the apprenticeship service
// says that it has beside its own.
const importedBeside = 230

// Publishers are the simulated publishers of a world, each an http.Handler. The
// Faults of the boards and the apprenticeship service make them misbehave.
type Publishers struct {
	Boards *fakepublishers.Boards
	FAA    *fakepublishers.FAA
	EES    *fakepublishers.EES
	ONS    *fakepublishers.ArcGIS
	Files  *fakepublishers.Files // publications, feeds and plans
}

// Publishers makes the simulators.
func (w *World) Publishers() (*Publishers, error) {
	documents, err := w.documents()
	if err != nil {
		return nil, fmt.Errorf("simulate the publications: %w", err)
	}
	p := &Publishers{ONS: fakepublishers.NewArcGIS(w.lists.portal), Files: fakepublishers.NewFiles(documents)}
	boards, err := w.boardRows()
	if err != nil {
		return nil, fmt.Errorf("simulate the boards: %w", err)
	}
	service, err := w.serviceRows()
	if err != nil {
		return nil, fmt.Errorf("simulate the apprenticeship service: %w", err)
	}
	p.Boards, p.FAA = fakepublishers.NewGreenhouse(boards), fakepublishers.NewFAA(Key, service, importedBeside)
	if p.EES, err = fakepublishers.NewEES(w.statistics()...); err != nil {
		return nil, fmt.Errorf("simulate the education statistics: %w", err)
	}
	return p, nil
}

// Handler gives each publisher its part of the addresses: /greenhouse, /faa, /ees, /ons
// and /files.
func (p *Publishers) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/"+vendor+"/", p.Boards)
	mux.Handle("/faa/", p.FAA)
	mux.Handle("/ees/", p.EES)
	mux.Handle("/ons/", p.ONS)
	mux.Handle("/files/", p.Files)
	return mux
}

// Handler is the simulated publishers, all healthy, as one handler; see Publishers.
func (w *World) Handler() (http.Handler, error) {
	p, err := w.Publishers()
	if err != nil {
		return nil, err
	}
	return p.Handler(), nil
}
