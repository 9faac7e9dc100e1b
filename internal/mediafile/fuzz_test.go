package mediafile_test

import (
	"bytes"
	"strings"
	"testing"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
)

// seed adds the hostile files that have a beginning, and good ones, all but the large.
func seed(f *testing.F, beginning string, good ...[]byte) {
	f.Helper()
	const large = 64 << 10
	for _, h := range mediatest.HostileFiles() {
		if len(h.Data) < large && bytes.HasPrefix(h.Data, []byte(beginning)) {
			f.Add(h.Data)
		}
	}
	for _, data := range good {
		f.Add(data)
	}
}

func FuzzJPEG(f *testing.F) {
	seed(f, "\xff\xd8", mediatest.PhoneJPEG(20, 10, 3), mediatest.WithSegments(mediatest.JPEG(9, 9), mediatest.XMPSegment(mediatest.XMP("a", "b", "c")), mediatest.C2PASegment(mediatest.C2PA("a")), mediatest.IPTCSegment(mediatest.IPTC("a", "b")), mediatest.ICCSegment(mediatest.MatrixProfile(mediatest.DisplayP3, mediatest.SRGBCurve()))))
	for _, data := range rareJPEGs() {
		f.Add(data)
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		if len(data) >= 2 {
			_, _ = mediafile.DecodeCoded(data)
		}
	})
}

func FuzzPNG(f *testing.F) {
	seed(f, "\x89PNG", mediatest.PNG(9, 9), mediatest.WithChunks(mediatest.PNG(9, 9),
		mediatest.PNGChunk("tEXt", []byte("AIGC\x00"+mediatest.Label)), mediatest.PNGChunk("iTXt", []byte("AIGC\x00\x00\x00\x00\x00"+mediatest.Label))))
	f.Fuzz(func(_ *testing.T, data []byte) {
		const signature = 8
		if len(data) >= signature {
			_ = mediafile.ScanPNG(data)
		}
	})
}

// A clean copy of a GIF is a GIF that is clean.
func FuzzGIF(f *testing.F) {
	seed(f, "GIF8", mediatest.GIF(3), noted(mediatest.GIF(2), mediatest.XMP("trainedAlgorithmicMedia", "A & B", "©")))
	f.Fuzz(func(t *testing.T, data []byte) {
		clean, frames, err := mediafile.CleanGIF(data)
		if err != nil {
			return
		}
		again, n, err := mediafile.CleanGIF(clean)
		if err != nil || n != frames || !bytes.Equal(again, clean) {
			t.Errorf("%d frames of %d, %v", n, frames, err)
		}
	})
}

func FuzzRIFF(f *testing.F) {
	seed(f, "RIFF", mediatest.WebP())
	f.Fuzz(func(_ *testing.T, data []byte) { _ = mediafile.ScanWebP(data) })
}

// A clean copy of a video has its size, but for what follows its last box, and is clean.
func FuzzBoxes(f *testing.F) {
	seed(f, "\x00", mediatest.MP4(1e9, 64, 48), mediatest.Movie{Duration: 1e9, Width: 64, Height: 48, Fragments: 2, Private: mediatest.Notes(), More: mediatest.XMPBox(mediatest.XMP("a", "b", "c"))}.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		_ = mediafile.ScanHEIC(data)
		clean, err := mediafile.CleanVideo(data)
		if err != nil {
			return
		}
		again, err := mediafile.CleanVideo(clean)
		if err != nil || len(clean) > len(data) || !bytes.Equal(again, clean) {
			t.Errorf("%d bytes became %d, then %d, %v", len(data), len(clean), len(again), err)
		}
	})
}

// Whatever is in a box that isn't listed isn't sent.
func FuzzPlantedBox(f *testing.F) {
	f.Add("udta", uint8(0), []byte("before"))
	f.Add("free", uint8(5), []byte{})
	f.Add("XMP_", uint8(3), []byte("\x00\x00\x00\x10trak\x00\x00\x00\x08stco"))
	paths := [][]string{{"moov"}, {"moov", "trak"}, {"moov", "trak", "mdia"}, {"moov", "trak", "mdia", "minf"}, {"moov", "trak", "mdia", "minf", "stbl"}, {"moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1"}, nil}
	listed := "ftyp styp sidx mfra moov moof mdat uuid cmov mvhd trak mvex tkhd edts tapt mdia mdhd hdlr minf vmhd smhd dinf stbl stsd stts ctts cslg stss stps stsc stco co64 sgpd sbgp stsz stz2 " +
		"avcC hvcC colr pasp clap fiel gama btrt mdcv clli amve dvcC dvvC st3d sv3d dref"
	f.Fuzz(func(t *testing.T, kind string, where uint8, before []byte) {
		if len(kind) != 4 || strings.Contains(listed, kind) {
			return
		}
		box := mediatest.Box(kind, before, encoded())
		data := append(film().Bytes(), box...)
		if path := paths[int(where)%len(paths)]; path != nil {
			data = longer(film().Bytes(), box, path...)
		}
		clean, err := mediafile.CleanVideo(data)
		if err != nil || len(leaks(clean)) > 0 {
			t.Errorf("%q: %v, and has %v", kind, err, leaks(clean))
		}
	})
}

// A profile costs no panic, and leads to colors. What is bounded is bounded for any: a curve of 4,096 points is the slowest.
func FuzzProfile(f *testing.F) {
	f.Add(mediatest.MatrixProfile(mediatest.DisplayP3, mediatest.SRGBCurve()), 3)
	f.Add(mediatest.GreyProfile(mediatest.PointsCurve(9, func(v float64) float64 { return v * v })), 1)
	for _, kind := range []string{"mft1", "mft2", "mAB "} {
		f.Add(mediatest.TableProfile(kind, "RGB ", "Lab ", 3, mediatest.ProPhoto.Seen(1.8)), 3)
		f.Add(mediatest.TableProfile(kind, "CMYK", "XYZ ", 2, mediatest.Printed), 4)
	}
	for space, channels := range map[string]int{"RGB ": 3, "GRAY": 1, "CMYK": 4} {
		for _, profile := range badProfiles(space) {
			if len(profile) < 20_000 {
				f.Add(profile, channels)
			}
		}
	}
	f.Fuzz(func(_ *testing.T, profile []byte, channels int) {
		if channels == 1 || channels == 3 || channels == 4 {
			mediafile.Converted(profile, channels)
		}
	})
}

func FuzzEXIF(f *testing.F) {
	f.Add(mediatest.EXIF(6, true))
	f.Add(mediatest.EXIF(1, false))
	f.Add(mediatest.EXIFComment("ASCII\x00\x00\x00" + mediatest.Label))
	f.Add([]byte("II*\x00\x08\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if orientation, _ := mediafile.AddEXIF(data); orientation < 0 || orientation > 8 {
			t.Errorf("an orientation of %d", orientation)
		}
	})
}

// A label is clean once it was cleaned.
func FuzzLabel(f *testing.F) {
	f.Add(mediatest.Label)
	f.Add(`{"AIGC":` + mediatest.Label + `}`)
	f.Add(`AIGC={"AIGC":"{\"Label\":1}","a":2}`)
	f.Fuzz(func(t *testing.T, text string) {
		clean, _ := mediafile.CleanLabel(text)
		if clean == "" {
			return
		}
		if again, alone := mediafile.CleanLabel(clean); again != clean || !alone {
			t.Errorf("%q became %q, then %q", text, clean, again)
		}
	})
}

// What is written of XMP is read again as it was meant, and has nothing private.
func FuzzXMP(f *testing.F) {
	f.Add(mediatest.XMP("trainedAlgorithmicMedia", "A & B", "©"))
	f.Add(mediatest.XMPOf(`<TC260:AIGC>` + mediatest.Label + `</TC260:AIGC><Iptc4xmpExt:AISystemUsed>A</Iptc4xmpExt:AISystemUsed>`))
	f.Fuzz(func(t *testing.T, packet []byte) {
		clean, _ := mediafile.AddXMP(packet)
		const most = 65_000 // a segment of a JPEG
		again, private := mediafile.AddXMP(clean)
		if len(clean) > 0 && (private || len(clean) > most || !bytes.Equal(again, clean)) {
			t.Errorf("%q became %q, then %q, %v", packet, clean, again, private)
		}
	})
}
