package demo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"time"

	"missiond/internal/clock"
)

// sample is a picture of the demo's mission, drawn here so that nothing is downloaded.
type sample struct {
	// shows is what it shows: its alt text, by which the writer chooses it.
	shows string
	draw  scene
}

// scene returns the colour at a point, of a picture that is 4 wide and 3 high.
type scene func(p point) color.RGBA

type point struct{ x, y float64 }

var samples = []sample{
	{"A red bicycle by the sea", bicycle},
	{"A map of Helsinki with a route", cityMap},
	{"The bicycle app on a phone", phone},
	{"Two beta testers with their phones", testers},
}

var (
	paper  = color.RGBA{250, 247, 240, 255}
	sky    = color.RGBA{190, 224, 245, 255}
	sea    = color.RGBA{60, 120, 180, 255}
	ground = color.RGBA{226, 205, 160, 255}
	ink    = color.RGBA{40, 44, 52, 255}
	red    = color.RGBA{214, 48, 49, 255}
	green  = color.RGBA{150, 190, 130, 255}
	skin   = color.RGBA{224, 172, 105, 255}
)

// to returns the distance between two points.
func (p point) to(o point) float64 { return math.Hypot(p.x-o.x, p.y-o.y) }

// near reports whether the point is within a distance of a line through points.
func (p point) near(distance float64, line ...point) bool {
	for i, a := range line[:len(line)-1] {
		b := line[i+1]
		along := ((p.x-a.x)*(b.x-a.x) + (p.y-a.y)*(b.y-a.y)) / math.Max(a.to(b)*a.to(b), 1e-9)
		along = math.Min(math.Max(along, 0), 1)
		if p.to(point{a.x + along*(b.x-a.x), a.y + along*(b.y-a.y)}) <= distance {
			return true
		}
	}
	return false
}

// within reports whether the point is in a rectangle from a to b.
func (p point) within(a, b point) bool { return p.x >= a.x && p.x <= b.x && p.y >= a.y && p.y <= b.y }

func bicycle(p point) color.RGBA {
	rear, front, pedals, saddle, bar := point{1.2, 2.1}, point{2.8, 2.1}, point{1.85, 2.15}, point{1.65, 1.3}, point{2.55, 1.2}
	switch {
	case math.Abs(p.to(rear)-0.5) < 0.04, math.Abs(p.to(front)-0.5) < 0.04:
		return ink
	case p.near(0.035, rear, pedals, bar, saddle, rear), p.near(0.035, saddle, pedals), p.near(0.035, front, bar, point{2.45, 1}):
		return red
	case p.near(0.05, point{1.5, 1.25}, point{1.8, 1.25}), p.near(0.04, point{2.3, 1}, point{2.5, 1}):
		return ink
	case p.y > 2.45:
		return ground
	case p.y > 1.6:
		return sea
	}
	return sky
}

func cityMap(p point) color.RGBA {
	route := []point{{0.6, 2.5}, {1.2, 2.5}, {1.2, 1.5}, {2.4, 1.5}, {2.4, 0.6}, {3.2, 0.6}}
	shore := 2.3 + 0.2*math.Sin(3*p.x)
	switch {
	case p.to(route[0]) < 0.12, p.to(route[len(route)-1]) < 0.12:
		return ink
	case p.near(0.05, route...):
		return red
	case p.y > shore+0.4:
		return sea
	case math.Mod(p.x, 0.6) < 0.06, math.Mod(p.y+0.3, 0.6) < 0.06:
		return color.RGBA{255, 255, 255, 255}
	case p.within(point{2.7, 1}, point{3.5, 1.9}):
		return green
	}
	return paper
}

func phone(p point) color.RGBA {
	switch {
	case p.within(point{1.45, 0.45}, point{2.55, 2.45}):
		inner := cityMap(point{(p.x - 1.45) * 4 / 1.1, (p.y - 0.45) * 3 / 2})
		if p.y < 0.7 {
			return red
		}
		return inner
	case p.near(0.1, point{1.42, 0.42}, point{2.58, 0.42}, point{2.58, 2.58}, point{1.42, 2.58}, point{1.42, 0.42}), p.within(point{1.4, 0.4}, point{2.6, 2.6}):
		return ink
	}
	return green
}

func testers(p point) color.RGBA {
	for i, shirt := range []color.RGBA{red, sea} {
		x := 1.2 + 1.6*float64(i)
		switch {
		case p.within(point{x + 0.25, 1.7}, point{x + 0.45, 2.05}):
			return ink
		case p.to(point{x, 1}) < 0.32:
			return skin
		case p.to(point{x, 2.2}) < 0.75, p.within(point{x - 0.75, 2.2}, point{x + 0.75, 3}):
			return shirt
		}
	}
	return paper
}

// Size of a sample, in pixels.
const (
	sampleWidth  = 1200
	sampleHeight = 900
)

// png returns the sample as a PNG.
func (s sample) png() ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, sampleWidth, sampleHeight))
	for y := range sampleHeight {
		for x := range sampleWidth {
			picture.SetRGBA(x, y, s.draw(point{4 * (float64(x) + 0.5) / sampleWidth, 3 * (float64(y) + 0.5) / sampleHeight}))
		}
	}
	var data bytes.Buffer
	err := png.Encode(&data, picture)
	return data.Bytes(), err
}

// file is what the demo reads of a file.
type file struct {
	ID, Status string
	AltText    string `json:"alt_text"`
	Error      *struct{ Message string }
}

// illustrate uploads the samples, and returns their ids once posts can have them.
func (s Service) illustrate(ctx context.Context) (ids []string, err error) {
	for _, each := range samples {
		f, err := s.upload(ctx, each)
		if err != nil {
			return nil, err
		}
		ids = append(ids, f.ID)
	}
	for _, id := range ids {
		for {
			var f file
			if err := s.get(ctx, "/v1/media/"+id, &f); err != nil {
				return nil, err
			}
			if f.Status == "ready" {
				break
			}
			if f.Error != nil {
				return nil, fmt.Errorf("a picture can't be used: %s", f.Error.Message)
			}
			if err := clock.Sleep(ctx, pollEvery); err != nil {
				return nil, err
			}
		}
	}
	return ids, nil
}

// uploadLimit bounds an upload.
const uploadLimit = 20 * time.Second

func (s Service) upload(ctx context.Context, of sample) (f file, err error) {
	data, err := of.png()
	if err != nil {
		return f, err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("alt_text", of.shows); err != nil {
		return f, err
	}
	part, err := form.CreateFormFile("file", "sample.png")
	if err != nil {
		return f, err
	}
	if _, err := io.Copy(part, bytes.NewReader(data)); err != nil {
		return f, err
	}
	if err := form.Close(); err != nil {
		return f, err
	}
	ctx, cancel := context.WithTimeout(ctx, uploadLimit)
	defer cancel()
	return f, s.send(ctx, http.MethodPost, "/v1/media", form.FormDataContentType(), body.Bytes(), &f)
}
