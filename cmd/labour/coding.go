package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/coding/skill"
	"labour/pipeline/protected"
	"labour/sources"
)

func newCodingCmd(a *app) *cobra.Command {
	return cli.NewCommandGroup("coding", "How adverts were coded, and what could not be",
		cli.NewCommand("report",
			"List what the last run could not code: places and titles, and the skills found by sector", cli.ExactArgs(0),
			codingOptions{MaxLines: 30}, a.reportCoding),
		cli.NewCommand("try TITLE", "Show the codes of an advert, and why", cli.ExactArgs(1), tryOptions{}, a.tryCoding))
}

type codingOptions struct {
	cli.DataFlag
	MaxLines int `flag:"limit" least:"0" usage:"how many wordings to list of each kind"`
}

func (a *app) reportCoding(_ context.Context, o *codingOptions, _ []string) error {
	notes, err := coding.ReadNotes(protected.CodingNotesFile(o.Data))
	if err != nil {
		return err
	}
	if len(notes.Places)+len(notes.Sectors) == 0 {
		return fmt.Errorf("no run has left a report on coding in %s; labour run makes one", o.Data)
	}
	return printText(a.stdout, "coding", map[string]any{"Notes": notes, "Limit": o.MaxLines})
}

type tryOptions struct {
	Text     string `flag:"text" usage:"file with the plain text of the advert"`
	Place    string `flag:"place" usage:"the place as the advert names it"`
	Employer string `flag:"employer" usage:"the employer's name"`
	Skills   string `flag:"skills" usage:"register of skills, a file like that of the key skills in labour.yaml (default: the embedded one)"`
}

func (a *app) tryCoding(_ context.Context, f *tryOptions, args []string) error {
	title := args[0]
	var skills *skill.Register
	var err error
	if f.Skills != "" {
		if skills, err = skill.LoadFile(f.Skills); err != nil {
			return cli.NewUsageError(err)
		}
	}
	registers, err := coding.LoadRegisters(skills)
	if err != nil {
		return err
	}
	gazetteer, _ := place.NewGazetteer(nil, nil, nil) // without lists there are no faults
	advert := sources.Advert{Title: title, Employer: f.Employer}
	if f.Text != "" {
		text, err := os.ReadFile(f.Text)
		if err != nil {
			return cli.NewUsageError(fmt.Errorf("read the text: %w", err))
		}
		advert.Text = string(text)
	}
	if f.Place != "" {
		advert.Locations = []sources.Location{{Text: f.Place}}
	}
	coder := coding.Coder{Registers: registers, Gazetteer: gazetteer}
	coded := coder.CodeAdvert(&advert)
	said := map[string]any{"Coded": coded}
	said["Occupation"], _ = coder.Occupations.GroupName(coded.SOC)
	said["Sector"], _ = coder.Sectors.SectorName(coded.Sector)
	if len(advert.Locations) > 0 {
		said["Place"], said["Why"] = coder.Gazetteer.Explain(&advert)
	}
	if coded.Readable {
		said["Skills"] = coder.ExplainSkills(&advert)
	}
	return printText(a.stdout, "coded", said)
}
