package main

import (
	"io"
	"os"

	"missiond/internal/simulate"
	"missiond/mission"
)

type simulateCommand struct {
	Days        int      `help:"How many days the missions last." default:"60"`
	Seeds       int      `help:"How many audiences to simulate, each with its own preferences." default:"20"`
	PostsPerDay int      `help:"Posts a day." default:"2"`
	Platforms   []string `help:"The missions' platforms." default:"twitter,linkedin"`
	KPI         string   `name:"kpi" help:"The metric that the missions aim for on all platforms; empty for missions without KPIs." default:"engagement_rate"`
	Steady      bool     `help:"Let audiences like everything equally: learning must do no harm."`
	ChangeDay   int      `help:"The day of the mission on which the audiences' preferences change; 0 for never." default:"0"`
	Drawn       bool     `help:"Draw random figures separately for each choice, so that controls don't share the missions' luck."`
	SVG         string   `name:"svg" help:"Write a plot of the engagement rate by day to this file." type:"path" placeholder:"FILE"`
	JSON        bool     `name:"json" help:"Print JSON instead of a table."`
}

// Run is missiond simulate. It needs no database, and prints the same each time.
func (c simulateCommand) Run() error {
	o := simulate.Options{
		Days: c.Days, Seeds: c.Seeds, PostsPerDay: c.PostsPerDay, KPI: mission.Metric(c.KPI), Steady: c.Steady,
		ChangeDay: c.ChangeDay, Drawn: c.Drawn,
	}
	for _, p := range c.Platforms {
		o.Platforms = append(o.Platforms, mission.Platform(p))
	}
	report, err := simulate.Run(o)
	if err != nil {
		return err
	}
	if c.SVG != "" {
		if err := writeFile(c.SVG, report.WriteSVG); err != nil {
			return err
		}
	}
	if c.JSON {
		return printJSON(report)
	}
	return report.WriteText(os.Stdout)
}

// writeFile creates a file with what write writes.
func writeFile(path string, write func(w io.Writer) error) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}()
	return write(f)
}
