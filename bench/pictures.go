package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"missiond/bench/load"
	"missiond/bench/report"
	"missiond/mission"
)

const (
	// uploading are how many uploads are under way at once: a tenant has four at most.
	uploading = 4
	// picturesEach are how many pictures a round processes.
	picturesEach = 10
)

// webPicture returns a JPEG as websites have them.
func webPicture(seed byte) ([]byte, error) { return photo(1600, 1200, seed) }

// cameraPicture returns a JPEG of 12 megapixels as a phone that is held upright writes it: it
// has to be turned, so that no platform is sent the original.
func cameraPicture() ([]byte, error) {
	file, err := photo(4032, 3024, 1)
	if err != nil {
		return nil, err
	}
	return slices.Concat(file[:2], []byte(turned), file[2:]), nil
}

// turned is a JPEG's segment of EXIF with an orientation of 6.
const turned = "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"

// photo returns a JPEG of a size in pixels: a gradient, with enough noise that it has
// about as many bytes as a photograph, a quarter of one for each pixel. Each seed makes
// another one.
func photo(width, height int, seed byte) ([]byte, error) {
	img := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	noise := rand.NewChaCha8([32]byte{seed})
	for _, plane := range [][]byte{img.Y, img.Cb, img.Cr} {
		_, _ = noise.Read(plane) // never fails
		for i := range plane {
			plane[i] = byte(i*192/len(plane)) + plane[i]%noiseLevels
		}
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 85})
	return b.Bytes(), err
}

const noiseLevels = 24

// mediaFolder is where the processes have the bytes of files.
func (b *bench) mediaFolder() string { return filepath.Join(b.folder, "media") }

// cleanFiles removes the runners' files with all else that they have.
func (b *bench) cleanFiles(ctx context.Context) error {
	if err := b.cleanTenants(ctx, b.runners); err != nil {
		return err
	}
	return os.RemoveAll(b.mediaFolder())
}

// uploadRequest returns the request that uploads a picture's bytes.
func uploadRequest(api *process, t tenant, picture []byte) []byte {
	head := load.Request("POST", api.Addr, "/v1/media", "", bearer(t),
		"Content-Type: "+mission.TypeJPEG, "Content-Length: "+strconv.Itoa(len(picture)))
	return append(head, picture...)
}

// created sends a request that creates something, and returns its id.
func created(ctx context.Context, api *process, request []byte) (string, error) {
	answer, err := ask(ctx, api.Addr, request)
	if err != nil {
		return "", err
	}
	var it struct{ ID string }
	err = json.Unmarshal(answer, &it)
	return it.ID, err
}

// uploads is uploads of pictures, which no worker processes meanwhile.
func (b *bench) uploads(ctx context.Context) ([]report.Row, error) {
	picture, err := webPicture(1)
	if err != nil {
		return nil, err
	}
	api, err := b.serve(ctx)
	if err != nil {
		return nil, err
	}
	s := side{proc: api, workers: uploading, after: b.cleanFiles}
	for _, t := range b.runners {
		s.requests = append(s.requests, uploadRequest(api, t, picture))
	}
	var m measured
	for range b.rounds {
		if err := b.round(ctx, s, &m); err != nil {
			return nil, err
		}
	}
	rate := report.SpreadOf(m.perSecond).Median
	return []report.Row{{
		Case:   fmt.Sprintf("Pictures: uploads of %d kB, %d at once", len(picture)/1000, uploading),
		Figure: fmt.Sprintf("%.0f/s, %.0f MB/s", rate, rate*float64(len(picture))/1e6),
		P50:    report.Percentile(m.latencies, 0.5), P99: report.Percentile(m.latencies, 0.99), CPU: m.perRequest(),
	}}, nil
}

// pictures is what a worker and its children take to process pictures of 12 megapixels.
func (b *bench) pictures(ctx context.Context) ([]report.Row, error) {
	picture, err := cameraPicture()
	if err != nil {
		return nil, err
	}
	api, err := b.serve(ctx)
	if err != nil {
		return nil, err
	}
	worker, err := b.work(ctx)
	if err != nil {
		return nil, err
	}
	var m measured
	n := b.scaled(picturesEach)
	for range b.rounds {
		began := time.Now()
		err := b.spend(worker, &m, func() (int, error) {
			for i := range n {
				if _, err := created(ctx, api, uploadRequest(api, b.runners[i%len(b.runners)], picture)); err != nil {
					return 0, err
				}
			}
			return n, b.filesReady(ctx)
		})
		if err != nil {
			return nil, err
		}
		m.perSecond = append(m.perSecond, float64(n)/time.Since(began).Seconds())
		if err := b.cleanFiles(ctx); err != nil {
			return nil, err
		}
	}
	return []report.Row{{
		Case:   fmt.Sprintf("Pictures: processing 12 megapixels of %.1f MB", float64(len(picture))/1e6),
		Figure: fmt.Sprintf("%.1f/s", report.SpreadOf(m.perSecond).Median), CPU: m.perRequest(),
	}}, nil
}

// filesReady waits until the runners' files are ready. Errors: one of them failed.
func (b *bench) filesReady(ctx context.Context) error {
	return until(ctx, 5*soon, func(ctx context.Context) (bool, error) {
		var waiting, failed int
		err := b.db.QueryRow(ctx, `SELECT count(*) FILTER (WHERE status = 'processing'), count(*) FILTER (WHERE status = 'failed')
			FROM media WHERE tenant_id = ANY($1)`, idsOf(b.runners)).Scan(&waiting, &failed)
		if err == nil && failed > 0 {
			err = fmt.Errorf("%d files can't be processed", failed)
		}
		return waiting == 0, err
	})
}
