package mission

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// CheckMedia returns what a platform doesn't take of a post's files: each problem names the
// file, the rule, what was found and what is allowed. texts is how many parts the post has.
func (c Capabilities) CheckMedia(param string, media []PostMedia, texts int) (found Problems) {
	counts := make([]map[MediaKind]int, max(texts, 1))
	for i, m := range media {
		at := fmt.Sprintf("%s[%d]", param, i)
		if m.Part < 0 || m.Part >= len(counts) {
			found.add(Invalid(at+".part", "%s is for part %d, but the post has %d.", m.MediaID, m.Part, len(counts)))
			continue
		}
		if counts[m.Part] == nil {
			counts[m.Part] = map[MediaKind]int{}
		}
		n := counts[m.Part]
		n[m.Kind]++
		most := c.Media.most(m.Kind)
		switch {
		case most == 0:
			found.add(Invalid(at, "%s is %s, which %s doesn't take.", m.MediaID, m.Kind.phrase(1), c.Platform.Name()))
			continue
		case n[m.Kind] > most:
			found.add(Invalid(at, "%s is number %d: %s takes %s a post.", m.MediaID, n[m.Kind], c.Platform.Name(), m.Kind.phrase(most)))
		case len(n) > 1 && (!c.Media.Mixed || n[MediaAnimation] > 0):
			found.add(Invalid(at, "%s is %s beside another kind of file: %s takes one kind a post.", m.MediaID, m.Kind.phrase(1), c.Platform.Name()))
		case n[MediaImage]+n[MediaVideo] > max(c.Media.Images, c.Media.Videos):
			found.add(Invalid(at, "%s is number %d: %s takes %d files a post.", m.MediaID, n[MediaImage]+n[MediaVideo], c.Platform.Name(), max(c.Media.Images, c.Media.Videos)))
		}
		found.add(c.checkAltText(at, m))
		found.add(c.checkFile(at, m)...)
	}
	return found
}

// phrase returns some files of the kind, in words.
func (k MediaKind) phrase(n int) string {
	words := map[MediaKind][2]string{MediaImage: {"a picture", "pictures"}, MediaAnimation: {"a GIF", "GIFs"}, MediaVideo: {"a video", "videos"}}[k]
	if n == 1 {
		return words[0]
	}
	return fmt.Sprintf("%d %s", n, words[1])
}

func (c Capabilities) checkAltText(at string, m PostMedia) error {
	length := utf8.RuneCountInString(m.AltText)
	switch most := c.Media.AltText; {
	case length == 0 || most == 0 || length <= most: // where there is none it isn't sent
		return nil
	default:
		return Invalid(at+".alt_text", "The alt text of %s has %d characters: %s takes %d.", m.MediaID, length, c.Platform.Name(), most)
	}
}

// checkFile returns all that is wrong with a file, so that it can be made anew once; of a picture, which was made to
// fit, only whether it does.
func (c Capabilities) checkFile(at string, m PostMedia) []error {
	f := checkedFile{PostMedia: m, at: at, on: c.Platform}
	r := c.Media
	switch m.Kind {
	case MediaImage:
		return []error{
			f.kind(r.Image.Types), f.size(0, r.Image.MaxBytes), f.frame(r.Image.MaxSide, r.Image.MaxSide, r.Image.MaxPixels),
			f.ratio(r.Image.MinRatio, r.Image.MaxRatio),
		}
	case MediaAnimation:
		return []error{
			f.size(0, r.Animation.MaxBytes), f.frame(r.Animation.MaxWidth, r.Animation.MaxHeight, 0), f.frames(r.Animation.MaxFrames),
			f.framesTogether(r.Animation.MaxPixels),
		}
	default:
		v := r.Video
		return append([]error{
			f.length(v.MinDuration, v.MaxDuration), f.kind(v.Types), f.size(v.MinBytes, v.MaxBytes), f.frame(v.MaxWidth, 0, v.MaxPixels),
			f.sides(v.MinSide, v.MaxLongSide, v.MaxShortSide), f.ratio(v.MinRatio, v.MaxRatio),
		}, f.coding(v.CodingRules)...)
	}
}

// checkedFile is a file that is checked against what a platform takes. Bounds of 0 are none.
type checkedFile struct {
	PostMedia

	at string
	on Platform
}

func (f checkedFile) wrong(rule, found, allowed string) error {
	return Invalid(f.at, "%s: the %s is %s; %s takes %s.", f.MediaID, rule, found, f.on.Name(), allowed)
}

func (f checkedFile) kind(types []string) error {
	if len(types) == 0 || slices.Contains(types, f.ContentType) {
		return nil
	}
	return f.wrong("type", f.ContentType, strings.Join(types, ", "))
}

func (f checkedFile) size(least, most int64) error {
	found := fmt.Sprintf("%d bytes", f.Bytes)
	switch {
	case f.Bytes < least:
		return f.wrong("size", found, fmt.Sprintf("%d at least", least))
	case most > 0 && f.Bytes > most:
		return f.wrong("size", found, fmt.Sprintf("%d at most", most))
	}
	return nil
}

func (f checkedFile) frames(most int) error {
	if most == 0 || f.Frames <= most {
		return nil
	}
	return f.wrong("number of frames", strconv.Itoa(f.Frames), fmt.Sprintf("%d at most", most))
}

func (f checkedFile) length(least, most time.Duration) error {
	if f.Duration >= least && (most == 0 || f.Duration <= most) {
		return nil
	}
	return f.wrong("length", f.Duration.String(), fmt.Sprintf("%s to %s", least, most))
}

func (f checkedFile) ratio(least, most float64) error {
	r := float64(f.Width) / float64(max(f.Height, 1))
	if r >= cmp.Or(least, r) && r <= cmp.Or(most, r) {
		return nil
	}
	return f.wrong("ratio of width to height", fmt.Sprintf("%.2f", r), fmt.Sprintf("%.2f to %.2f", least, most))
}

func (f checkedFile) frame(maxWidth, maxHeight int, maxPixels int64) error {
	pixels := int64(f.Width) * int64(f.Height)
	if f.Width <= cmp.Or(maxWidth, f.Width) && f.Height <= cmp.Or(maxHeight, f.Height) && pixels <= cmp.Or(maxPixels, pixels) {
		return nil
	}
	allowed := fmt.Sprintf("%d × %d at most", maxWidth, maxHeight)
	switch {
	case maxPixels > 0:
		allowed = fmt.Sprintf("%d pixels at most", maxPixels)
	case maxHeight == 0:
		allowed = fmt.Sprintf("a width of %d at most", maxWidth)
	}
	return f.wrong("frame", f.inPixels(), allowed)
}

func (f checkedFile) inPixels() string { return fmt.Sprintf("%d × %d", f.Width, f.Height) }

// sides checks both sides, and the longer and the shorter one.
func (f checkedFile) sides(least, mostLong, mostShort int) error {
	long, short := max(f.Width, f.Height), min(f.Width, f.Height)
	switch {
	case short < least:
		return f.wrong("frame", f.inPixels(), fmt.Sprintf("%d × %d at least", least, least))
	case long <= cmp.Or(mostLong, long) && short <= cmp.Or(mostShort, short):
		return nil
	case mostShort == 0 || mostShort == mostLong:
		return f.wrong("frame", f.inPixels(), fmt.Sprintf("%d × %d at most", mostLong, mostLong))
	}
	return f.wrong("frame", f.inPixels(), fmt.Sprintf("%d × %d at most, or %d × %d", mostLong, mostShort, mostShort, mostLong))
}

// framesTogether checks how many pixels all frames have.
func (f checkedFile) framesTogether(most int64) error {
	if all := int64(f.Width) * int64(f.Height) * int64(f.Frames); most > 0 && all > most {
		return f.wrong("number of pixels of all frames", strconv.FormatInt(all, 10), fmt.Sprintf("%d at most", most))
	}
	return nil
}
