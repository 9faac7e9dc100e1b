package mediafile_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
)

// secret is planted wherever a file may have something beside its pictures and sound. No part of it is in a
// file by chance.
const secret = "Zx7!GPS(48.8584,2.2945)~SN:Qk93vW"

// leaks returns which of a secret's encodings data has, or the few bytes with which it begins.
func leaks(data []byte) (found []string) {
	const few = 4
	for name, text := range map[string]string{"as it is": secret, "UTF-16LE": wide(secret, true), "UTF-16BE": wide(secret, false)} {
		// A part of it that is left is too much as well.
		for _, part := range []string{text[:len(text)/2], text[len(text)/2:]} {
			if bytes.Contains(data, []byte(part)) {
				found = append(found, name)
			}
		}
	}
	if bytes.Contains(data, []byte(secret[:few])) {
		found = append(found, "a few bytes")
	}
	return found
}

// checkPlanted fails a test if one of its files has no secret, which so can't be found either.
func checkPlanted(t *testing.T, planted map[string][]byte) {
	t.Helper()
	for name, data := range planted {
		if len(leaks(data)) == 0 {
			t.Errorf("%s: no secret is planted", name)
		}
	}
}

// encoded returns the secret as a text in each of its encodings.
func encoded() []byte { return []byte(secret + " " + wide(secret, true) + "  " + wide(secret, false)) }

// findBox returns where the content begins of the n-th box on a path, and where it ends.
func findBox(data []byte, path ...string) (from, to int) {
	from, to = 0, len(data)
	heads := map[string]int{"stsd": 8, "dref": 8, "avc1": 78, "hvc1": 78, "mp4a": 28}
	size := func() int {
		if n := int(binary.BigEndian.Uint32(data[from:])); n != 1 {
			return n
		}
		return int(binary.BigEndian.Uint64(data[from+8:]))
	}
	for i, kind := range path {
		if i > 0 {
			from += heads[path[i-1]]
		}
		for string(data[from+4:from+8]) != kind {
			if from += size(); from >= to {
				panic(fmt.Sprint("bug: no ", path))
			}
		}
		to = from + size()
		from += 8
	}
	return from, to
}

// longer returns a file with more at the end of the content of the box on a path. Samples that it has in mdat
// before are where they were.
func longer(data []byte, more []byte, path ...string) []byte {
	data = slices.Clone(data)
	_, end := findBox(data, path...)
	for i := range path {
		from, _ := findBox(data, path[:i+1]...)
		binary.BigEndian.PutUint32(data[from-8:], binary.BigEndian.Uint32(data[from-8:])+uint32(len(more)))
	}
	return slices.Insert(data, end, more...)
}

// samples returns the samples of the tracks that a file has of a kind, by the tables of its index. Each chunk has
// one sample.
func samples(t *testing.T, file []byte, handler string) (all [][]byte) {
	t.Helper()
	from, to := findBox(file, "moov")
	for from+8 <= to {
		size := int(binary.BigEndian.Uint32(file[from:]))
		track := file[from : from+size]
		if from += size; string(track[4:8]) != "trak" {
			continue
		}
		if at, _ := findBox(track, "trak", "mdia", "hdlr"); string(track[at+8:at+12]) != handler {
			continue
		}
		numbers := func(kind string) []byte {
			at, end := findBox(track, "trak", "mdia", "minf", "stbl", kind)
			return track[at:end]
		}
		sizes, offsets := numbers("stsz")[12:], numbers("stco")[8:]
		for i := range binary.BigEndian.Uint32(numbers("stsz")[8:]) {
			at := binary.BigEndian.Uint32(offsets[4*i:])
			all = append(all, file[at:at+binary.BigEndian.Uint32(sizes[4*i:])])
		}
	}
	return all
}

// film returns a video with its index last, so that a change of it moves no samples.
func film(changes ...func(*mediatest.Movie)) mediatest.Movie {
	m := mediatest.Movie{Duration: time.Second, Width: 64, Height: 48, Last: true}
	for _, change := range changes {
		change(&m)
	}
	return m
}

// A removed track of each kind: its samples, of which some are alike, aren't sent, and neither is its index.
func removedTracks() map[string]mediatest.Track {
	all := map[string]mediatest.Track{}
	for _, of := range []string{
		"sbtl tx3g", "text tx3g", "text text", "subt stpp", "subt sbtt", "clcp c608", "meta mebx", "meta mett", "meta gpmd", "camm camm", "meta camm", "meta rtmd",
		"priv priv", "meta djmd", "meta dbgi", "tmcd tmcd", "hint rtp ", "auxv hvc1", "vide jpeg", "vide mjpg", "vide avc1", "pict jpeg", "odsm mp4s", "sdsm mp4s", "GPS  gps ", "fdsc fdsc", "\x00\x00\x00\x00 data",
	} {
		handler, format := of[:4], of[5:]
		all[of] = mediatest.Track{
			Handler: handler, Format: format, HandlerName: secret, Description: slices.Concat(make([]byte, 8), encoded()),
			Samples: [][]byte{encoded(), []byte("half of it is " + secret[:20]), encoded()}, More: mediatest.Box("udta", encoded()), MediaMore: mediatest.Box("elng", encoded()),
		}
	}
	return all
}

// plantedVideos returns videos with a secret in each place that there is beside pictures and sound.
func plantedVideos() map[string][]byte {
	all := map[string][]byte{}
	add := func(name string, changes ...func(*mediatest.Movie)) { all[name] = film(changes...).Bytes() }
	for name, track := range removedTracks() {
		tracks := func(m *mediatest.Movie) { m.Tracks = []mediatest.Track{track} }
		add("a track "+name, tracks)
		add("the index first, a track "+name, tracks, func(m *mediatest.Movie) { m.Last = false })
	}
	for name, base := range map[string]mediatest.Base{"moof": mediatest.BaseIsMoof, "stated": mediatest.BaseIsStated, "before": mediatest.BaseIsBefore} {
		add("fragments, offsets from "+name, func(m *mediatest.Movie) {
			track := removedTracks()["sbtl tx3g"]
			track.Samples = slices.Repeat([][]byte{encoded()}, 6)
			m.Fragments, m.Base, m.Tracks, m.Gap = 3, base, []mediatest.Track{track}, encoded()
		})
	}
	add("between samples", func(m *mediatest.Movie) { m.Gap = encoded() })
	add("the index first, between samples", func(m *mediatest.Movie) { m.Gap, m.Last = encoded(), false })
	add("a large mdat", func(m *mediatest.Movie) { m.Gap, m.Large = encoded(), true })
	add("an mdat without samples", func(m *mediatest.Movie) { m.More = mediatest.Box("mdat", encoded()) })
	add("an mdat to the end", func(m *mediatest.Movie) { m.More = append([]byte("\x00\x00\x00\x00mdat"), encoded()...) })
	add("the handler's name", func(m *mediatest.Movie) {
		m.Tracks = []mediatest.Track{{Handler: "soun", Format: "mp4a", Description: m.All()[1].Description, HandlerName: string(encoded())}}
	})
	compressor := film().Bytes()
	at, _ := findBox(compressor, "moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1")
	copy(compressor[at+42:at+74], secret)
	all["the compressor's name"] = compressor
	movie := film().Bytes()
	head, _ := findBox(movie, "moov", "mvhd")
	copy(movie[head+72:head+96], secret)
	all["reserved bytes of the header"] = movie
	all["a brand"] = longer(film(func(m *mediatest.Movie) { m.Last, m.Fragments = false, 1 }).Bytes(), append([]byte(secret), 0, 0, 0), "ftyp")
	maps.Copy(all, plantedBoxes())
	for name, end := range map[string]string{"a few bytes": secret[:7], "text": "and then " + string(encoded()), "a box beyond the end": "\x00\x00\xff\xff" + "free" + string(encoded())} {
		all["after the last box, "+name] = append(film().Bytes(), end...)
		all["the index first, after the last box, "+name] = append(film(func(m *mediatest.Movie) { m.Last = false }).Bytes(), end...)
	}
	return all
}

// plantedBoxes returns videos with a box of each kind at each depth, and more bytes at the end of each box.
func plantedBoxes() map[string][]byte {
	all := map[string][]byte{}
	track := []string{"moov", "trak"}
	below := func(parent []string, names string) (paths [][]string) {
		for _, name := range strings.Fields(names) {
			paths = append(paths, append(slices.Clone(parent), name))
		}
		return paths
	}
	table := below(track, "mdia")[0]
	table = append(table, "minf", "stbl")
	containers := [][]string{{"moov"}, track, append(slices.Clone(track), "mdia"), append(slices.Clone(track), "mdia", "minf"), table, append(slices.Clone(table), "stsd", "avc1")}
	for _, kind := range []string{"udta", "meta", "uuid", "free", "skip", "wide", "gps ", "XMP_", "keys", "ilst", "priv", "\xa9xyz", "loci", "what", "name", "titl", "cprt", "data", "iods", "tref", "pssh", "sgpd", "subs", "saio", "prof", "sinf", "mdat", "ftyp"} {
		box := mediatest.Box(kind, encoded())
		for _, path := range containers {
			all[fmt.Sprintf("%q in %s", kind, strings.Join(path, "."))] = longer(film().Bytes(), box, path...)
		}
		if kind != "ftyp" {
			all[fmt.Sprintf("%q in the file", kind)] = append(film().Bytes(), box...)
		}
		all[fmt.Sprintf("%q in a fragment", kind)] = append(film(func(m *mediatest.Movie) { m.Fragments = 1 }).Bytes(), mediatest.Box("moof", box, mediatest.Box("traf", mediatest.Box("tfhd", []byte("\x00\x02\x00\x00\x00\x00\x00\x01")), box))...)
	}
	for _, path := range slices.Concat([][]string{{"moov"}, {"moov", "mvhd"}, track}, below(track, "tkhd mdia"), below([]string{"moov", "trak", "mdia"}, "mdhd hdlr minf"), below(table, "stsd stts stsz stsc stco"), [][]string{append(slices.Clone(table), "stsd", "avc1", "avcC")}) {
		more := encoded()
		if last := path[len(path)-1]; last == "moov" || last == "trak" || last == "mdia" || last == "minf" || last == "stsd" {
			more = []byte(secret[:7]) // fewer bytes than a box has
			if last != "moov" {
				continue
			}
		}
		all["at the end of "+strings.Join(path, ".")] = longer(film().Bytes(), more, path...)
	}
	entry := mediatest.Movie{}.All()[1]
	entry.Description = slices.Concat(make([]byte, 28), mediatest.Box("esds", make([]byte, 4), []byte{3, 0x80, 0x80, byte(25 + len(secret)), 0, 2, 0, 4, byte(17 + len(secret)), 0x40, 0x15}, make([]byte, 11), []byte{5, byte(2 + len(secret)), 0x12, 0x10}, []byte(secret), []byte{6, 1, 2}, encoded()), mediatest.Box("what", encoded()))
	all["the decoder's parameters of sound"] = film(func(m *mediatest.Movie) { m.Sound, m.Tracks = "-", []mediatest.Track{entry} }).Bytes()
	reference := mediatest.Box("dinf", mediatest.Box("dref", []byte("\x00\x00\x00\x00\x00\x00\x00\x01"), mediatest.Box("alis", []byte("\x00\x00\x00\x01"), encoded())))
	all["where the data is"] = longer(film().Bytes(), reference, "moov", "trak", "mdia", "minf")
	return all
}

// Nothing that is planted beside pictures and sound is sent, and these are what they were.
func TestNothingPrivateOfVideosIsSent(t *testing.T) {
	planted := plantedVideos()
	if len(planted) < 300 {
		t.Fatalf("%d files", len(planted))
	}
	checkPlanted(t, planted)
	for _, name := range slices.Sorted(maps.Keys(planted)) {
		t.Run(name, func(t *testing.T) {
			data := planted[name]
			clean, err := mediafile.CleanVideo(data)
			if err != nil {
				t.Fatal(err)
			}
			if found := leaks(clean); len(found) > 0 {
				t.Errorf("the secret is still there: %v", found)
			}
			if !strings.Contains(name, "fragment") && !strings.Contains(name, "brand") {
				for _, handler := range []string{"vide", "soun"} {
					if before, after := samples(t, data, handler), samples(t, clean, handler); !slices.EqualFunc(before[:3], after[:3], bytes.Equal) || len(after) == 0 {
						t.Errorf("samples of %s: %q became %q", handler, before, after)
					}
				}
			}
			again, err := mediafile.CleanVideo(clean)
			if err != nil || !bytes.Equal(again, clean) {
				t.Errorf("it isn't clean: %v", err)
			}
		})
	}
}

// Where it can't be told what is private, the file is refused, and the reason says what to do.
func TestVideosThatCannotBeCleaned(t *testing.T) {
	first := removedTracks()["sbtl tx3g"]
	first.Samples = slices.Repeat([][]byte{encoded()}, 2)
	implied := film(func(m *mediatest.Movie) {
		m.Fragments, m.Base, m.Tracks = 1, mediatest.BaseIsBefore, []mediatest.Track{first, {Handler: "soun", Format: "mp4a", Description: m.All()[1].Description}}
	})
	early := film(func(m *mediatest.Movie) { m.Fragments, m.Base = 1, mediatest.BaseIsStated }).Bytes()
	at, _ := findBox(early, "moof", "traf", "tfhd")
	binary.BigEndian.PutUint64(early[at+8:], 40)
	outside := film().Bytes()
	at, _ = findBox(outside, "moov", "trak", "mdia", "minf", "stbl", "stco")
	binary.BigEndian.PutUint32(outside[at+8:], uint32(at))
	elsewhere := longer(film().Bytes(), mediatest.Box("dinf", mediatest.Box("dref", []byte("\x00\x00\x00\x00\x00\x00\x00\x01"), mediatest.Box("url ", []byte("\x00\x00\x00\x00file:///"+secret)))), "moov", "trak", "mdia", "minf")
	for name, c := range map[string]struct {
		data []byte
		want mediafile.Code
		says string
	}{
		"samples in another file":              {elsewhere, mediafile.CodePrivate, "export it as one file"},
		"fragments after their samples":        {early, mediafile.CodePrivate, "export it as one file"},
		"offsets that depend on what is taken": {implied.Bytes(), mediafile.CodePrivate, "export it without"},
		"samples in an index":                  {outside, mediafile.CodeDamaged, "samples"},
	} {
		_, err := mediafile.CleanVideo(c.data)
		if refusal(err) != c.want || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A video whose header doesn't say how long it plays takes it from its tracks, and from their samples if these don't
// say it either.
func TestVideoWithoutADuration(t *testing.T) {
	for name, change := range map[string]func(data []byte) []byte{
		"all ones": func(data []byte) []byte { return data },
		"zero": func(data []byte) []byte {
			at, _ := findBox(data, "moov", "mvhd")
			return slices.Replace(data, at+16, at+20, 0, 0, 0, 0)
		},
		"the track's": func(data []byte) []byte {
			at, _ := findBox(data, "moov", "trak", "tkhd")
			return slices.Replace(data, at+20, at+24, 0, 0, 0x17, 0x70) // 6,000 ms
		},
		"its media's": func(data []byte) []byte {
			at, _ := findBox(data, "moov", "trak", "mdia", "mdhd")
			return slices.Replace(data, at+16, at+20, 0, 8, 0x3d, 0x60) // 6 s of 90,000
		},
	} {
		t.Run(name, func(t *testing.T) {
			want := 4 * time.Second
			if strings.Contains(name, "'s") {
				want = 6 * time.Second
			}
			m := film(func(m *mediatest.Movie) { m.Duration, m.Untimed = 4*time.Second, true })
			if res, _ := processed(t, change(m.Bytes())); res.Duration != want {
				t.Errorf("it plays %v, want %v", res.Duration, want)
			}
		})
	}
}
