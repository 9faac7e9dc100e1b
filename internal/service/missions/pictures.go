package missions

import (
	"context"
	"maps"
	"slices"

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

// illustrate returns the picture of a post that is about to be stored, as it is sent: the one that
// its writer chose or, if another post has it by now or it was deleted, the next that fits. It
// adds the post to pictures. Errors: a *mission.WritingError if there is none, and the post needs
// one.
func illustrate(
	ctx context.Context, tx store.Tx, tenantID string, a mission.Assignment, d mission.Draft, pictures mission.Pictures,
) ([]mission.PostMedia, error) {
	caps, _ := mission.CapabilitiesOf(a.Slot.Platform)
	id := d.MediaID
	offered := slices.ContainsFunc(a.Pictures, func(p mission.Picture) bool { return p.MediaID == id })
	if !offered && (id != "" || a.NeedsPicture()) {
		id = a.PictureFor(d.Text)
	}
	for ; id != ""; id = a.PictureFor(d.Text) {
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
			pictures.Slots[id] = append(slots[id], a.Slot.At)
			return chosen, nil
		}
		a = a.Without(id)
	}
	if a.NeedsPicture() {
		return nil, a.NoPicture()
	}
	return nil, nil
}
