package missions

import (
	"context"
	"maps"
	"slices"
	"time"

	"missiond/internal/textlimit"
	"missiond/mission"
	"missiond/store"
)

// pictures returns those that the posts of a job may have. It takes no statement for none.
func (s *Pipeline) pictures(ctx context.Context, w Work) (p mission.Pictures, err error) {
	ids := w.Mission.MediaIDs
	found, err := mediaOf(ctx, s.store, w.Mission.TenantID, ids)
	if err != nil || len(found) == 0 {
		return p, err
	}
	for _, id := range ids {
		if m, ok := found[id]; ok {
			p.Media = append(p.Media, m)
		}
	}
	p.Slots, err = s.store.MediaSlots(ctx, w.Mission.TenantID, slices.Collect(maps.Keys(found)), w.Job.Window.Start, w.Job.Window.End)
	return p, err
}

// filesOf returns the files of a post that is about to be stored, as they are sent: those of the post
// that it repeats, or the picture that its writer gives it. Errors: illustrate's, repeatMedia's.
func filesOf(
	ctx context.Context, tx store.Tx, tenantID string, a mission.Assignment, d mission.Draft, pictures mission.Pictures,
) ([]mission.PostMedia, error) {
	if a.Original != nil {
		return repeatMedia(ctx, tx, a, d)
	}
	return illustrate(ctx, tx, tenantID, a, d, pictures)
}

// illustrate returns the picture of a post that is about to be stored, as it is sent: the one that
// its writer chose or, if another post has it by now or it was deleted, the next that fits. A text
// that is too long for a post with a picture gets none. It adds the post to pictures. Errors: a
// *mission.WritingError if there is none, and the post needs one.
func illustrate(
	ctx context.Context, tx store.Tx, tenantID string, a mission.Assignment, d mission.Draft, pictures mission.Pictures,
) ([]mission.PostMedia, error) {
	caps, _ := a.Capabilities()
	if len(a.Pictures) == 0 || d.MediaID == "" && !a.NeedsPicture() {
		return nil, needed(a)
	}
	if textlimit.CheckCaptions(caps, d, func(part int) bool { return part == 0 }) != nil {
		return nil, needed(a) // the text says more than the picture would
	}
	slots, err := tx.MediaSlots(ctx, tenantID, idsOf(a.Pictures), a.Slot.At, a.Slot.At)
	if err != nil {
		return nil, err
	}
	a.Pictures = slices.DeleteFunc(slices.Clone(a.Pictures), func(p mission.Picture) bool { return mission.InCooldown(slots[p.MediaID], a.Slot.At) })
	id := d.MediaID
	offered := slices.ContainsFunc(a.Pictures, func(p mission.Picture) bool { return p.MediaID == id })
	if !offered && (id != "" || a.NeedsPicture()) {
		id = a.PictureFor(d.Text)
	}
	for tries := 0; id != "" && tries < maxPictureTries; tries++ {
		found, err := tx.MediaByID(ctx, tenantID, []string{id})
		if err != nil {
			return nil, err
		}
		slots, err := tx.MediaSlots(ctx, tenantID, []string{id}, a.Slot.At, a.Slot.At)
		if err != nil {
			return nil, err
		}
		chosen, err := caps.ChooseMedia([]mission.MediaChoice{{MediaID: id}}, found, len(d.Texts()))
		if err == nil && !mission.InCooldown(slots[id], a.Slot.At) {
			pictures.Slots[id] = append(pictures.Slots[id], a.Slot.At)
			return chosen, nil
		}
		a = a.Without(id)
		id = a.PictureFor(d.Text)
	}
	return nil, needed(a)
}

// maxPictureTries bounds the pictures that are locked in turn for a post: others take them only in
// the moment between two statements.
const maxPictureTries = 3

// needed returns the error of a post that has no picture.
func needed(a mission.Assignment) error {
	if a.NeedsPicture() {
		return a.NoPicture()
	}
	return nil
}

// errPicturesComing means that pictures aren't processed yet, of which a post needs one.
var errPicturesComing = &mission.OutageError{
	Failure:    mission.Failure{Code: mission.CodeWriterNoPicture, Message: "The mission's pictures are still being processed."},
	RetryAfter: 30 * time.Second,
}

func idsOf(pictures []mission.Picture) []string {
	ids := make([]string, len(pictures))
	for i, p := range pictures {
		ids[i] = p.MediaID
	}
	return ids
}
