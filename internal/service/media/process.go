package media

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"missiond/internal/blobs"
	"missiond/internal/mediafile"
	"missiond/mission"
	"missiond/store"
)

// Run does what a task of a file is for: the file is examined once its bytes have arrived, and removed
// with them if they haven't in time or it was deleted. Errors: store.ErrLost.
func (s *Service) Run(ctx context.Context, t mission.Task) error {
	if s.files == nil { // another process of the fleet has a store
		return &mission.TroubleError{By: mission.TroubleFiles, Err: noFiles()}
	}
	m, err := s.store.Media(ctx, t.TenantID, t.Subject)
	if mission.CodeOf(err) == mission.CodeNotFound {
		return s.store.Tx(ctx, func(tx store.Tx) error { return tx.FinishTask(ctx, t) })
	}
	if err != nil {
		return err
	}
	now, examines := s.clock.Now(), t.Type == mission.TaskMediaExamine
	switch {
	case examines && m.Status == mission.MediaProcessing:
		return s.process(ctx, t, m)
	case examines: // it was deleted meanwhile
	case m.Status == mission.MediaProcessing:
		return s.handOn(ctx, t)
	case m.Status == mission.MediaDeleting:
		return s.remove(ctx, t, m)
	case m.Status == mission.MediaUploading && now.Before(*m.ExpiresAt):
		return s.store.Tx(ctx, func(tx store.Tx) error { return tx.ReleaseTask(ctx, t, *m.ExpiresAt, now, 0) })
	case m.Status == mission.MediaUploading:
		return s.expire(ctx, t, m)
	}
	return s.store.Tx(ctx, func(tx store.Tx) error { return tx.FinishTask(ctx, t) })
}

// expire takes away an upload that has ended, before its bytes are removed: none of them
// arrives any more.
func (s *Service) expire(ctx context.Context, t mission.Task, m mission.Media) error {
	return s.store.Tx(ctx, func(tx store.Tx) error {
		if err := tx.FinishTask(ctx, t); err != nil {
			return err
		}
		return s.endUpload(ctx, tx, m)
	})
}

// lastWrites is how long after a file's deletion something may still write bytes of it: an upload
// takes up to mission.UploadLife, and a task that processes the file less.
const lastWrites = 2 * mission.UploadLife

// remove removes a file's bytes at once, which count no more then, and once more, with its row, when nothing can
// write any more.
func (s *Service) remove(ctx context.Context, t mission.Task, m mission.Media) error {
	if err := s.files.DeleteAll(ctx, keyOf(m)); err != nil {
		return err
	}
	return s.store.Tx(ctx, func(tx store.Tx) error {
		now, last := s.clock.Now(), m.UpdatedAt.Add(lastWrites)
		settle := func() error { return tx.FinishTask(ctx, t) }
		if now.Before(last) {
			settle = func() error { return tx.ReleaseTask(ctx, t, last, now, 0) }
		}
		if err := settle(); err != nil {
			return err
		}
		locked, err := tx.LockMedia(ctx, m.TenantID, m.ID)
		if err != nil {
			return err
		}
		if now.Before(last) {
			return tx.SetMedia(ctx, locked, locked.Release(locked.Stored))
		}
		return tx.DropMedia(ctx, locked)
	})
}

// RemoveAll removes the bytes of all files of a tenant that is deleted.
func (s *Service) RemoveAll(ctx context.Context, tenantID string) error {
	if s.files == nil {
		return nil
	}
	return s.files.DeleteAll(ctx, tenantID+"/")
}

// Sweep removes what processes that were killed have left in the store of files, after a day.
func (s *Service) Sweep(ctx context.Context) error {
	if s.files == nil {
		return nil
	}
	_, err := s.files.Sweep(ctx)
	return err
}

// process examines a file, and makes what is sent of it.
func (s *Service) process(ctx context.Context, t mission.Task, m mission.Media) error {
	room := &budget{service: s, file: m}
	facts, err := s.examine(ctx, t, m, room)
	why := refusal(err)
	if err != nil && why == nil {
		if why, err = s.waits(ctx, t, m, err); why == nil {
			return err
		}
	}
	var unneeded []mission.MediaVariant
	err = s.store.Tx(ctx, func(tx store.Tx) error {
		unneeded = facts.Variants
		if err := tx.FinishTask(ctx, t); err != nil {
			return err
		}
		locked, err := tx.LockMedia(ctx, m.TenantID, m.ID)
		if err != nil || locked.Status != mission.MediaProcessing {
			return err // it was deleted meanwhile
		}
		now := s.clock.Now()
		done := locked
		if why == nil {
			done = locked.Release(room.reserved() - bytesOf(facts.Variants))
		}
		if locked.Framing != m.Framing { // changed meanwhile: once more
			if err := tx.SetMedia(ctx, locked, done); err != nil {
				return err
			}
			return tx.AddTasks(ctx, now, mission.NewTenantTask(m.TenantID, mission.TaskMediaExamine, m.ID, now))
		}
		done, unneeded, err = s.processed(ctx, tx, done, facts, why)
		if err != nil {
			return err
		}
		done.Deaths = 0
		return tx.SetMedia(ctx, locked, done, done.Told(now))
	})
	if err != nil {
		return err
	}
	return s.drop(ctx, m, unneeded)
}

// refusal returns why a file can't be used whose examination ended with an error; nil if another try may succeed.
func refusal(err error) *mission.Failure {
	var refused *mediafile.Refused
	var full *mission.Error
	switch {
	case errors.As(err, &refused):
		return &mission.Failure{Code: "media_" + string(refused.Code), Message: refused.Message}
	case errors.As(err, &full) && full.Code == mission.CodeConflict:
		return &mission.Failure{Code: "media_quota", Message: "What is sent of the file to platforms has no room. " + full.Message}
	}
	return nil
}

// bytesOf returns how many bytes variants have together.
func bytesOf(variants []mission.MediaVariant) (sum int64) {
	for _, v := range variants {
		sum += v.Bytes
	}
	return sum
}

// processed returns a file after its processing, which was refused for why unless that is nil, and
// the variants that nothing needs any more.
func (s *Service) processed(
	ctx context.Context, tx store.Tx, m, facts mission.Media, why *mission.Failure,
) (done mission.Media, unneeded []mission.MediaVariant, err error) {
	now := s.clock.Now()
	switch again := len(m.Variants) > 0; {
	case why != nil && again:
		return m.NotReprocessed(*why, now), nil, nil
	case why != nil:
		return m.Refused(*why, now), nil, nil
	case !again:
		return m.Processed(facts, now), nil, nil
	}
	needed, err := tx.MediaNeeded(ctx, m.ID, now.Add(-lastFetches))
	if err != nil {
		return m, nil, err
	}
	done, unneeded = m.Reprocessed(facts, needed, now)
	return done, unneeded, nil
}

// lastFetches is how long after its publication a post's file may still be fetched.
const lastFetches = 2 * time.Hour

// drop removes variants that nothing names any more, which count no more then. What it leaves goes with the file.
func (s *Service) drop(ctx context.Context, m mission.Media, variants []mission.MediaVariant) error {
	gone := map[string]bool{}
	var bytes int64
	for _, v := range variants {
		attempt, _ := path.Split(v.Key)
		if !strings.HasPrefix(attempt, keyOf(m)+attemptPrefix) {
			continue
		}
		if bytes += v.Bytes; gone[attempt] {
			continue
		}
		if err := s.files.DeleteAll(ctx, attempt); err != nil {
			return err
		}
		gone[attempt] = true
	}
	if bytes == 0 {
		return nil
	}
	return s.release(ctx, m, bytes)
}

// attemptPrefix begins the name of the folder of what an attempt at processing makes.
const attemptPrefix = "v-"

// examine returns what a file is, and its variants, for which room is reserved. What that took of the processor is charged.
// Each attempt writes to places of its own: two may overlap, and posts keep what an earlier one has made; one that
// fails leaves nothing. Errors: also *mediafile.Refused; conflict if the quota is used up.
func (s *Service) examine(ctx context.Context, t mission.Task, m mission.Media, room *budget) (facts mission.Media, err error) {
	file, attrs, err := s.files.Get(ctx, m.Original, 0, -1)
	if errors.Is(err, blobs.ErrNotFound) {
		return facts, &mediafile.Refused{Code: mediafile.CodeDamaged, Message: "The file's bytes are gone."}
	}
	if err != nil {
		return facts, &mission.TroubleError{By: mission.TroubleFiles, Err: err}
	}
	read := &rereadable{ReadCloser: file, ctx: ctx, files: s.files, key: m.Original}
	defer func() { _ = read.Close() }()
	pictures, platforms := wanted(m.Framing)
	keys, attempt := map[string]string{}, keyOf(m)+attemptPrefix+rand.Text()+"/"
	result, err := s.processor.Process(ctx, read, attrs.Bytes, mediafile.Request{Pictures: pictures}, func(name string) (io.WriteCloser, error) {
		keys[name] = attempt + strconv.Itoa(len(keys))
		return s.sink(ctx, keys[name], room), nil
	})
	if err = s.counted(ctx, t, m, result.CPU, err); err != nil {
		s.clear(context.WithoutCancel(ctx), attempt, room)
		return facts, err
	}
	facts = mission.Media{
		Kind: result.Kind, ContentType: result.ContentType, Width: result.Width, Height: result.Height, Duration: result.Duration, Frames: result.Frames, Coding: result.Coding,
		Hash: result.Hash, Provenance: result.Provenance, Variants: []mission.MediaVariant{},
	}
	for _, made := range result.Made {
		v := mission.MediaVariant{
			Key: keyFor(keys, made.Names), Hash: made.Hash, ContentType: made.ContentType, Bytes: made.Bytes, Width: made.Width, Height: made.Height,
		}
		for _, name := range made.Names {
			v.Platforms = append(v.Platforms, platforms[name]...)
		}
		if slices.Equal(made.Names, []string{""}) { // the one copy of a GIF or a video
			v.Platforms = takers(result.Kind)
		}
		facts.Variants = append(facts.Variants, v)
	}
	return facts, nil
}

// rereadable is a file of the store that can be read once more from its beginning.
type rereadable struct {
	io.ReadCloser

	ctx   context.Context
	files Files
	key   string
}

// Read implements io.Reader. Errors are trouble with the store.
func (r *rereadable) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &mission.TroubleError{By: mission.TroubleFiles, Err: err}
	}
	return n, err
}

// Seek goes back to the beginning, and nowhere else. Errors are trouble with the store.
func (r *rereadable) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekStart {
		return 0, errors.New("bug: a file of the store is read from its beginning")
	}
	file, _, err := r.files.Get(r.ctx, r.key, 0, -1)
	if err != nil {
		return 0, &mission.TroubleError{By: mission.TroubleFiles, Err: err}
	}
	_ = r.Close()
	r.ReadCloser = file
	return 0, nil
}

// keyFor returns where an output was written that has some names.
func keyFor(keys map[string]string, names []string) string {
	for _, name := range names {
		if key, ok := keys[name]; ok {
			return key
		}
	}
	return ""
}

// wanted returns the pictures that are made, framed, and by their names for which platforms.
func wanted(f mission.Framing) (pictures []mediafile.Picture, platforms map[string][]mission.Platform) {
	platforms = map[string][]mission.Platform{}
	var rules []mission.PictureRules
	for _, c := range mission.AllCapabilities() {
		if c.Media.Images == 0 {
			continue
		}
		at := slices.IndexFunc(rules, c.Media.Image.Equal)
		if at < 0 {
			at = len(rules)
			rules = append(rules, c.Media.Image)
			pictures = append(pictures, mediafile.Picture{
				Name: strconv.Itoa(at), Rules: c.Media.Image, Crop: f.Fit == mission.FitCrop, FocusX: f.FocusX, FocusY: f.FocusY,
			})
		}
		name := strconv.Itoa(at)
		platforms[name] = append(platforms[name], c.Platform)
	}
	return pictures, platforms
}

// takers returns the platforms that take files of a kind.
func takers(k mission.MediaKind) (all []mission.Platform) {
	for _, c := range mission.AllCapabilities() {
		if c.Media.Takes(k) {
			all = append(all, c.Platform)
		}
	}
	return all
}

// sink returns a writer whose bytes are stored once it is closed, within a budget.
func (s *Service) sink(ctx context.Context, key string, room *budget) io.WriteCloser {
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := s.files.Put(ctx, key, "application/octet-stream", r, mission.MaxVideoBytes)
		_ = r.CloseWithError(err)
		done <- err
	}()
	return &sinking{w, ctx, room, done}
}

type sinking struct {
	*io.PipeWriter

	ctx  context.Context
	room *budget
	done chan error
}

// Write implements io.Writer. Errors: also those of budget.take.
func (s *sinking) Write(p []byte) (int, error) {
	if err := s.room.take(s.ctx, int64(len(p))); err != nil {
		_ = s.PipeWriter.CloseWithError(err)
		return 0, err
	}
	return s.PipeWriter.Write(p)
}

// Close waits until what was written is stored.
func (s *sinking) Close() error {
	_ = s.PipeWriter.Close()
	if err := <-s.done; err != nil {
		return &mission.TroubleError{By: mission.TroubleFiles, Err: err}
	}
	return nil
}
