package simulate

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
)

// The plot's dimensions, in its own units, and its colours, which are readable
// on light and dark backgrounds.
const (
	plotWidth, plotHeight    = 720, 380
	plotLeft, plotRight      = 48, 16
	plotTop, plotBottom      = 56, 40
	ink                      = "#8a8f98"
	learningInk, plainInk    = "#2f81f7", "#d9822b"
	markedDays, markedValues = 6, 5 // about how many marks an axis has
)

// plot maps days and values to coordinates.
type plot struct {
	days int
	top  float64 // the highest value
}

func (p plot) x(day int) float64 {
	return plotLeft + float64(day)/float64(max(p.days-1, 1))*(plotWidth-plotLeft-plotRight)
}

func (p plot) y(rate float64) float64 {
	return plotHeight - plotBottom - rate/p.top*(plotHeight-plotTop-plotBottom)
}

// curve is the mean of the seeds by day, and the band of a standard deviation
// around it.
type curve struct {
	name, color     string
	mean, low, high []float64
}

func curveOf(name, color string, days []Day, of func(Day) []Figures, value func(Figures) float64) curve {
	c := curve{name: name, color: color}
	for _, d := range days {
		var values []float64
		for _, f := range of(d) {
			values = append(values, value(f))
		}
		s := spreadOf(values)
		c.mean = append(c.mean, s.Mean)
		c.low, c.high = append(c.low, max(s.Mean-s.Deviation, 0)), append(c.high, s.Mean+s.Deviation)
	}
	return c
}

// WriteSVG draws the engagement rate by day, learning and not; if no platform
// reports impressions, the engagements of a post.
func (r Report) WriteSVG(w io.Writer) error {
	what, value := "Engagement rate in %", func(f Figures) float64 { return f.Rate }
	if !r.rated() {
		what, value = "Engagements per post", func(f Figures) float64 { return f.Engagements }
	}
	curves := []curve{
		curveOf("not learning", plainInk, r.Days, func(d Day) []Figures { return d.Plain }, value),
		curveOf("learning", learningInk, r.Days, func(d Day) []Figures { return d.Learning }, value),
	}
	p := plot{days: len(r.Days), top: 1e-9}
	for _, c := range curves {
		for _, v := range c.high {
			p.top = max(p.top, v*1.05)
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" fill="%s">`+"\n", plotWidth, plotHeight, ink)
	fmt.Fprintf(&b, "<title>%s</title>\n", r.title())
	fmt.Fprintf(&b, `<text x="%d" y="20" font-size="14">%s: mean of %d audiences over %d days, and its deviation</text>`+"\n",
		plotLeft, what, r.Options.Seeds, smoothDays)
	p.axes(&b)
	for i, c := range curves {
		p.draw(&b, c)
		x := plotLeft + 110*(len(curves)-1-i)
		fmt.Fprintf(&b, `<line x1="%d" y1="38" x2="%d" y2="38" stroke="%s" stroke-width="3"/><text x="%d" y="42">%s</text>`+"\n", x, x+18, c.color, x+24, c.name)
	}
	fmt.Fprintln(&b, "</svg>")
	_, err := w.Write(b.Bytes())
	return err
}

func (p plot) axes(b *bytes.Buffer) {
	step := niceStep(p.top / markedValues)
	for v := 0.0; v <= p.top; v += step {
		y := p.y(v)
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="%s" stroke-opacity="0.3"/>`, plotLeft, y, plotWidth-plotRight, y, ink)
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n", plotLeft-6, y+4, v)
	}
	days := max(1, int(niceStep(float64(p.days)/markedDays)))
	for day := 0; day < p.days; day += days {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", p.x(day), plotHeight-plotBottom+18, day+1)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">day of the mission</text>`+"\n", plotWidth-plotRight, plotHeight-6)
}

// niceStep returns the least of 1, 2, 5, 10 … that isn't less than x.
func niceStep(x float64) float64 {
	ten := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*ten >= x {
			return m * ten
		}
	}
	return 10 * ten
}

func (p plot) draw(b *bytes.Buffer, c curve) {
	var band, line []string
	for day := range c.high {
		band = append(band, p.point(day, c.high[day]))
		line = append(line, p.point(day, c.mean[day]))
	}
	for day := len(c.low) - 1; day >= 0; day-- {
		band = append(band, p.point(day, c.low[day]))
	}
	fmt.Fprintf(b, `<polygon points="%s" fill="%s" fill-opacity="0.16"/>`+"\n", strings.Join(band, " "), c.color)
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2.5"/>`+"\n", strings.Join(line, " "), c.color)
}

func (p plot) point(day int, rate float64) string {
	return fmt.Sprintf("%.1f,%.1f", p.x(day), p.y(rate))
}
