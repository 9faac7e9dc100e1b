package main

import (
	"bytes"
	"image/jpeg"
	"testing"
)

// The pictures can be read, and have as many bytes as photographs have.
func TestPictures(t *testing.T) {
	web, err := webPicture(1)
	if err != nil {
		t.Fatal(err)
	}
	camera, err := cameraPicture()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file          []byte
		width, height int
	}{"web": {web, 1600, 1200}, "camera": {camera, 4032, 3024}} {
		img, err := jpeg.DecodeConfig(bytes.NewReader(c.file))
		if err != nil || img.Width != c.width || img.Height != c.height {
			t.Errorf("%s: got %d × %d, %v", name, img.Width, img.Height, err)
		}
		if each := float64(len(c.file)) / float64(c.width*c.height); each < 0.2 || each > 0.35 {
			t.Errorf("%s: %.2f bytes for each pixel", name, each)
		}
	}
}
