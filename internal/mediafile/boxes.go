package mediafile

import (
	"encoding/binary"
	"errors"
	"slices"
)

// boxes are the boxes that may be in another, by their types: the only ones that are sent. What
// cleans a box's content overwrites what of it isn't known, so that nothing moves.
type boxes map[string]func(content []byte) error

// errUnlisted is the error of a box that isn't sent although its type is listed.
var errUnlisted = errors.New("the box isn't listed")

// clean cleans the boxes that are the content of another, and overwrites those that aren't listed
// and what follows them.
func (l boxes) clean(content []byte) error {
	const head = 8
	for len(content) >= head {
		b, rest, err := nextBox(content)
		if err != nil {
			return err
		}
		content = rest
		err = errUnlisted
		if clean := l[b.kind]; clean != nil {
			err = clean(b.inside)
		}
		switch {
		case errors.Is(err, errUnlisted):
			overwrite(b)
		case err != nil:
			return err
		}
	}
	clear(content)
	return nil
}

// after returns what cleans a content of boxes after n bytes that are known.
func (l boxes) after(n int) func([]byte) error {
	return func(content []byte) error { return l.clean(content[min(n, len(content)):]) }
}

// gap is bytes that have no meaning: from one up to another.
type gap struct{ from, to int }

// fixed returns what cleans a content of n bytes that are known, but for gaps among them.
func fixed(n int, gaps ...gap) func([]byte) error {
	return func(content []byte) error {
		for _, g := range gaps {
			clear(content[min(g.from, len(content)):min(g.to, len(content))])
		}
		clear(content[min(n, len(content)):])
		return nil
	}
}

// versions returns what cleans a content by its version, its first byte.
func versions(all ...func([]byte) error) func([]byte) error {
	return func(content []byte) error {
		if len(content) == 0 || int(content[0]) >= len(all) {
			return damaged("a box is of an unknown version")
		}
		return all[content[0]](content)
	}
}

// listed returns what cleans a content of entries of some bytes each after a head, whose number is
// in the head's last 4.
func listed(head, each int) func([]byte) error {
	return func(content []byte) error {
		if len(content) < head {
			return damaged("a box is too short")
		}
		return keep(content, uint64(head)+uint64(binary.BigEndian.Uint32(content[head-4:]))*uint64(each))
	}
}

// keep overwrites what follows the first n bytes, which have to be there.
func keep(content []byte, n uint64) error {
	if n > uint64(len(content)) {
		return damaged("a box has fewer entries than it says")
	}
	clear(content[n:])
	return nil
}

// indexBoxes are the boxes of moov (ISO 14496-12, 8; QuickTime File Format). The tracks that aren't
// kept aren't among them, and neither is what people, programs and devices note: udta, meta, uuid,
// references to other tracks.
func (m *movie) indexBoxes() boxes {
	tracks := slices.Clone(m.tracks)
	return boxes{
		"mvhd": versions(fixed(100, gap{26, 36}, gap{72, 96}), fixed(112, gap{38, 48}, gap{84, 108})),
		"trak": func(content []byte) error {
			t := tracks[0]
			if tracks = tracks[1:]; !t.kept {
				return errUnlisted
			}
			return trackBoxes.clean(content)
		},
		"mvex": boxes{
			"mehd": versions(fixed(8), fixed(12)),
			"trex": m.ofTrack(fixed(24)),
		}.clean,
	}
}

// ofTrack returns what cleans a box whose content begins with its flags and the number of a track, and
// overwrites it if that isn't kept.
func (m *movie) ofTrack(clean func([]byte) error) func([]byte) error {
	return func(content []byte) error {
		if !m.keeps(number(content, 1)) {
			return errUnlisted
		}
		return clean(content)
	}
}

var trackBoxes = boxes{
	"tkhd": versions(fixed(84, gap{16, 20}, gap{24, 32}, gap{38, 40}), fixed(96, gap{24, 28}, gap{36, 44}, gap{50, 52})),
	"edts": boxes{"elst": versions(listed(8, 12), listed(8, 20))}.clean,
	"tapt": boxes{"clef": fixed(12), "prof": fixed(12), "enof": fixed(12)}.clean,
	"mdia": boxes{
		"mdhd": versions(fixed(24), fixed(36)),
		"hdlr": handler,
		"minf": boxes{
			"vmhd": fixed(12),
			"smhd": fixed(8),
			"hdlr": handler,
			"dinf": boxes{"dref": boxes{"url ": fixed(4), "urn ": fixed(4), "alis": fixed(4), "rsrc": fixed(4)}.after(8)}.clean,
			"stbl": sampleBoxes.clean,
		}.clean,
	}.clean,
}

// sampleBoxes are those of a table of samples: what they are, how long, how large and where.
var sampleBoxes = boxes{
	"stsd": descriptions,
	"stts": listed(8, 8),
	"ctts": listed(8, 8),
	"cslg": versions(fixed(24), fixed(44)),
	"stss": listed(8, 4),
	"stps": listed(8, 4),
	"stsc": listed(8, 12),
	"stco": listed(8, 4),
	"co64": listed(8, 8),
	"sgpd": groups,
	"sbgp": groupRuns,
	"stsz": func(content []byte) error {
		each := 4
		if number(content, 1) != 0 {
			each = 0
		}
		return listed(12, each)(content)
	},
	"stz2": func(content []byte) error {
		const head = 12
		if len(content) < head {
			return damaged("a box is too short")
		}
		clear(content[4:7])
		return keep(content, head+(uint64(number(content, 2))*uint64(content[7])+7)/8)
	},
}

// fragmentBoxes are the boxes of moof.
func (m *movie) fragmentBoxes() boxes {
	return boxes{
		"mfhd": fixed(8),
		"traf": func(content []byte) error {
			id, found := fragmentOf(content)
			if !found || !m.keeps(id) {
				return errUnlisted
			}
			return trackFragmentBoxes.clean(content)
		},
	}
}

// fragmentOf returns the number of a track's fragment, by the content of its box traf.
func fragmentOf(content []byte) (id uint32, found bool) {
	for len(content) > 0 {
		b, rest, err := nextBox(content)
		if err != nil {
			return 0, false
		}
		if b.kind == "tfhd" {
			return defaultsOf(b.inside).id, true
		}
		content = rest
	}
	return 0, false
}

var trackFragmentBoxes = boxes{
	"tfdt": versions(fixed(8), fixed(12)),
	"sgpd": groups,
	"sbgp": groupRuns,
	"tfhd": func(content []byte) error {
		if len(content) < 8 {
			return damaged("a box is too short")
		}
		n := 8
		for flag, size := range map[uint32]int{tfhdBase: 8, tfhdDescription: 4, tfhdUnits: 4, tfhdSize: 4, tfhdFlags: 4} {
			if flags(content)&flag != 0 {
				n += size
			}
		}
		return keep(content, uint64(n))
	},
	"trun": func(content []byte) error {
		if len(content) < 8 {
			return damaged("a box is too short")
		}
		head, each := runFields(content)
		return keep(content, 4*(uint64(head)+uint64(number(content, 1))*uint64(each)))
	},
}

// handler cleans a box hdlr: what it handles stays, who made it and its name don't.
func handler(content []byte) error {
	if kind := string(content[min(4, len(content)):min(8, len(content))]); kind != "mhlr" && kind != "dhlr" {
		clear(content[min(4, len(content)):min(8, len(content))])
	}
	return fixed(12)(content)
}

// groupSizes are the sizes of the descriptions of groups of samples that are sent: from where a decoder
// may begin (ISO 14496-12, 10.1 and 10.4).
var groupSizes = map[string]uint32{"roll": 2, "prol": 2, "rap ": 1}

// groups cleans a box sgpd: descriptions of groups of samples.
func groups(content []byte) error {
	const head = 16
	if len(content) < head || content[0] != 1 {
		return errUnlisted
	}
	size := groupSizes[string(content[4:8])]
	if size == 0 || number(content, 2) != size {
		return errUnlisted
	}
	return listed(head, int(size))(content)
}

// groupRuns cleans a box sbgp: which samples are in which group.
func groupRuns(content []byte) error {
	if len(content) < 12 || content[0] != 0 || groupSizes[string(content[4:8])] == 0 {
		return errUnlisted
	}
	return listed(12, 8)(content)
}

// fileBoxes are the boxes of a file that are small, beside its index and fragments.
func (m *movie) fileBoxes() boxes {
	return boxes{
		"ftyp": brands,
		"styp": brands,
		"sidx": m.ofTrack(versions(segments(24), segments(32))),
		"mfra": boxes{"tfra": m.ofTrack(randomAccess), "mfro": fixed(8)}.clean,
	}
}

// segments returns what cleans a box sidx, whose head has n bytes, by the number of its entries of 12.
func segments(n int) func([]byte) error {
	return func(content []byte) error {
		if len(content) < n {
			return damaged("a box is too short")
		}
		clear(content[n-4 : n-2])
		return keep(content, uint64(n)+uint64(binary.BigEndian.Uint16(content[n-2:]))*12)
	}
}

// randomAccess cleans a box tfra, whose entries have two numbers of 32 or 64 bits and three of 1 to 4 bytes.
func randomAccess(content []byte) error {
	const head = 16
	if len(content) < head {
		return damaged("a box is too short")
	}
	each := 8
	if content[0] == 1 {
		each = 16
	}
	lengths := number(content, 2)
	for shift := 0; shift <= 4; shift += 2 {
		each += int(lengths>>shift&3) + 1
	}
	clear(content[8:11])
	return listed(head, each)(content)
}

// knownBrands are the brands of files that say how to read a video.
var knownBrands = []string{
	"isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "isoa", "isob", "isoc", "mp41", "mp42", "mp71", "avc1", "hvc1", "hev1", "qt  ",
	"M4V ", "M4VH", "M4VP", "f4v ", "MSNV", "dash", "msdh", "msix", "lmsg", "sims", "cmfc", "cmff", "cmf2", "cmfs", "cmfv", "chdf", "chh1", "piff", "isml",
	"3gp4", "3gp5", "3gp6", "3gp7", "3gp8", "3gp9", "3gr6", "3gs6", "3ge6", "3g2a", "3g2b", "3g2c", "mmp4", "dby1", "hlsf", "XAVC", "CAEP", "niko", "pana",
}

// brands cleans a box ftyp or styp: the brand, its version, and the brands of which readers may believe
// that they know the file. Those that aren't known say nothing to anybody.
func brands(content []byte) error {
	for i := 0; i < len(content); i += 4 {
		brand := content[i:min(i+4, len(content))]
		switch known := slices.Contains(knownBrands, string(brand)); {
		case i == 0 && !known:
			copy(brand, "isom")
		case i > 4 && !known:
			clear(brand)
		}
	}
	return nil
}
