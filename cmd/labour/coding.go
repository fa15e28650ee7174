package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/pipeline/coding"
	"labour/pipeline/coding/occupation"
	"labour/pipeline/coding/place"
	"labour/pipeline/coding/skill"
	"labour/sources"
)

func newCodingCmd(a *app) *cobra.Command {
	return cli.Group("coding", "What adverts were coded to, and what was not",
		cli.Command("report", "List what the last run could not code: places and titles, and the skills found by sector", cli.Exactly(0), codingOptions{Limit: 30}, a.reportCoding),
		cli.Command("try TITLE", "Say what an advert is coded to, and why", cli.Exactly(1), tryOptions{}, a.tryCoding))
}

type codingOptions struct {
	cli.DataFlag
	Limit int `flag:"limit" usage:"how many wordings to list of each kind"`
}

func (a *app) reportCoding(_ context.Context, o *codingOptions, _ []string) error {
	data, limit := o.Data, o.Limit
	notes, err := coding.ReadNotes(pipeline.CodingNotesFile(data))
	if err != nil {
		return err
	}
	if len(notes.Places)+len(notes.Sectors) == 0 {
		return fmt.Errorf("no run has left a report on coding in %s; labour run makes one", data)
	}
	t := cli.Table(a.stdout, "PLACE NOT CODED\tADVERTS\tWHY")
	for _, p := range notes.Places[:min(limit, len(notes.Places))] {
		fmt.Fprintf(t, "%s\t%d\t%s\n", p.Text, p.Adverts, p.Why)
	}
	printTitles(t, "TITLE NOT CODED", notes.Uncoded, limit)
	printTitles(t, "TITLE IN DOUBT", notes.Doubted, limit)
	fmt.Fprintln(t, "\nSECTOR\tADVERTS\tWITHOUT TEXT\tSKILLS IN 100 WITH TEXT")
	for _, slug := range slices.Sorted(maps.Keys(notes.Sectors)) {
		s := notes.Sectors[slug]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", cmp.Or(slug, "(not known)"), s.Adverts, s.NoText, 100*s.Skills/max(1, s.Adverts-s.NoText))
	}
	return t.Flush()
}

func printTitles(t *tabwriter.Writer, heading string, list []coding.TitleNote, limit int) {
	fmt.Fprintf(t, "\n%s\tADVERTS\tCODED TO\tCONFIDENCE\n", heading)
	for _, n := range list[:min(limit, len(list))] {
		fmt.Fprintf(t, "%s\t%d\t%s\t%.2f\n", n.Title, n.Adverts, n.SOC, n.Confidence)
	}
}

// tryOptions are the flags of `labour coding try`.
type tryOptions struct {
	Text     string `flag:"text" usage:"file with the plain text of the advert"`
	Place    string `flag:"place" usage:"the place as the advert names it"`
	Employer string `flag:"employer" usage:"the employer's name"`
	Skills   string `flag:"skills" usage:"register of skills, as \x60skills:\x60 of labour.yaml names it (default: the program's)"`
}

func (a *app) tryCoding(_ context.Context, f *tryOptions, args []string) error {
	title := args[0]
	var skills *skill.Register
	var err error
	if f.Skills != "" {
		if skills, err = skill.LoadFile(f.Skills); err != nil {
			return err
		}
	}
	registers, err := coding.LoadRegisters(skills)
	if err != nil {
		return err
	}
	gazetteer, err := place.New(nil, nil, nil)
	if err != nil {
		return fmt.Errorf("make the list of places: %w", err)
	}
	advert := sources.Advert{Title: title, Employer: f.Employer}
	if f.Text != "" {
		text, err := os.ReadFile(f.Text)
		if err != nil {
			return cli.Usage(fmt.Errorf("read the text: %w", err))
		}
		advert.Text = string(text)
	}
	if f.Place != "" {
		advert.Locations = []sources.Location{{Text: f.Place}}
	}
	if title == "" {
		return cli.Usage(errors.New("the title is empty"))
	}
	coder := coding.Coder{Registers: registers, Places: gazetteer}
	return printCoding(a, &coder, &advert)
}

func printCoding(a *app, c *coding.Coder, advert *sources.Advert) error {
	coded := c.Code(advert)
	t := cli.Table(a.stdout, "")
	name, _ := c.Occupations.Name(coded.SOC)
	fmt.Fprintf(t, "OCCUPATION\t%s\t%s\n", cmp.Or(coded.SOC, "none"), name)
	if coded.SOC != "" {
		fmt.Fprintf(t, "\tbecause\t%s, confidence %.2f\n", occupation.Reason(coded.Title.MatchedBy), coded.Title.Confidence)
	}
	sector, _ := c.Sectors.Name(coded.Sector)
	fmt.Fprintf(t, "SECTOR\t%s\t%s\n", cmp.Or(coded.Sector, "none"), sector)
	if len(advert.Locations) > 0 {
		found, why := c.Places.Explain(advert)
		fmt.Fprintf(t, "PLACE\t%v\t%s\n", found.Councils, found.MatchedBy)
		for _, line := range why {
			fmt.Fprintf(t, "\tbecause\t%s\n", line)
		}
	}
	if !coded.Readable {
		fmt.Fprintln(t, "SKILLS\tnone\tno text: the advert is no part of the shares of skills")
		return t.Flush()
	}
	for _, s := range c.Explain(advert) {
		fmt.Fprintf(t, "SKILL\t%s\tlevel %s, because of %q\n", s.Skill, s.Level.Name(), s.MatchedBy)
	}
	return t.Flush()
}
