package tasks_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"missiond/internal/blobs"
	"missiond/internal/mediafile"
	"missiond/internal/service/media"
	"missiond/internal/testkit"
	"missiond/internal/testkit/await"
	"missiond/internal/testkit/world"
	"missiond/mission"
	"missiond/store"
	"missiond/tasks"
)

// examiner examines a file once it may go on, and sends its size before.
type examiner struct {
	begun  chan int64
	goOn   chan struct{}
	atOnce atomic.Int64
	most   atomic.Int64
}

func (e *examiner) Process(
	ctx context.Context, _ io.ReadSeeker, size int64, _ mediafile.Request, _ func(string) (io.WriteCloser, error),
) (mediafile.Result, error) {
	e.most.Store(max(e.most.Load(), e.atOnce.Add(1)))
	defer e.atOnce.Add(-1)
	e.begun <- size
	select {
	case <-e.goOn:
	case <-ctx.Done():
		return mediafile.Result{}, ctx.Err()
	}
	facts := mediafile.Facts{Kind: mission.MediaImage, ContentType: mission.TypeJPEG, Width: 9, Height: 9}
	return mediafile.Result{Facts: facts, CPU: 20 * time.Second}, nil
}

// next returns the size of the file that is examined next.
func (e *examiner) next(t *testing.T) int64 {
	t.Helper()
	select {
	case size := <-e.begun:
		return size
	case <-time.After(await.Long()):
		t.Fatal("nothing is examined")
		return 0
	}
}

// A flood of files that take long holds up no post, and no other tenant's file by more than those that are examined.
func TestFloodOfFilesHoldsUpNothing(t *testing.T) {
	testkit.SkipIfShort(t)
	t.Parallel()
	eachProcess(t, world.PlainWriter{}, func(t *testing.T, p *process) {
		files, err := blobs.Open(t.Context(), "file://"+filepath.ToSlash(t.TempDir()))
		p.Must(err)
		const slots, flood = 2, 60 // more than the workers of the normal lane are
		e := &examiner{begun: make(chan int64, flood+slots), goOn: make(chan struct{})}
		p.worker.Stop()
		p.Parts.Media = media.New(p.DB, media.Options{Clock: p.Parts.Clock, Real: p.Parts.Clock, Files: files, Processor: e, Secrets: p.Secrets})
		p.Parts.Examiners = slots
		p.worker = tasks.NewWorker(p.Parts)
		p.Must(p.worker.Start())
		upload := func(size int) string {
			m, err := p.Parts.Media.Upload(t.Context(), p.Tenant, media.Upload{ContentType: mission.TypeJPEG, Size: -1}, bytes.NewReader(make([]byte, size)))
			p.Must(err)
			return m.ID
		}
		flooders := []mission.Principal{p.Tenant}
		for n := range 4 {
			flooders = append(flooders, p.NewTenant(fmt.Sprint("flood", n)))
		}
		for n := range flood {
			p.Tenant = flooders[n%len(flooders)]
			upload(1 + n%len(flooders))
		}
		for range slots {
			e.next(t)
		}
		p.Tenant = p.NewTenant("quiet")
		quiet := p.Create(world.OneDay)
		await.Until(t, "a post beside the flood", func() bool { return p.Mission(quiet.ID).Counts.Published > 0 })
		const own = 100
		id := upload(own)
		seen := map[int64]int{}
		for size := int64(0); size != own; {
			e.goOn <- struct{}{}
			if size = e.next(t); seen[size] > 0 {
				t.Fatalf("it waits for %v and %d", seen, size)
			}
			seen[size]++
		}
		close(e.goOn)
		await.Until(t, "the quiet tenant's file", func() bool {
			m, err := p.DB.Media(t.Context(), p.Tenant.TenantID, id)
			return err == nil && m.Status == mission.MediaReady
		})
		for _, flooder := range flooders {
			await.Until(t, "the flood's end", func() bool {
				n, err := p.DB.CountEvents(t.Context(), flooder.TenantID, store.EventFilter{Types: []mission.EventType{mission.EventMediaReady}})
				return err == nil && n == flood/len(flooders)
			})
		}
		if most := e.most.Load(); most > slots {
			t.Errorf("%d files are examined at once", most)
		}
	})
}
