package mediafile_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
	"missiond/mission"
)

// smaller are rules for which a picture of several patches is made anew.
var smaller = mediafile.Picture{Name: "smaller", Rules: mission.PictureRules{MaxSide: 40}}

// noProfiles are those of badProfiles that aren't profiles, which everybody ignores.
var noProfiles = []string{"half", "no tags", "4 billion tags", "beyond its end", "a tag that is long", "into its header", "a loop"}

// badProfiles are profiles of a space that can't be used, or that would take a library that believes them gigabytes or minutes.
func badProfiles(space string) map[string][]byte {
	kind := map[string]string{"GRAY": "kTRC"}[space]
	if kind == "" {
		kind = "A2B0"
	}
	table := func(name string, side int) []byte {
		if space == "GRAY" {
			return mediatest.GreyProfile(mediatest.PointsCurve(4096, func(v float64) float64 { return v }))
		}
		f := mediatest.ProPhoto.Seen(1.8)
		if space == "CMYK" {
			f = mediatest.Printed
		}
		return mediatest.TableProfile(name, space, "Lab ", side, f)
	}
	good := table("mft2", 5)
	changed := func(at int, b ...byte) []byte {
		p := bytes.Clone(good)
		copy(p[at:], b)
		return p
	}
	tag := func(data ...byte) []byte {
		return mediatest.ICC(2, space, "Lab ", mediatest.ProfileTag{Name: kind, Data: data})
	}
	first := int(binary.BigEndian.Uint32(good[136:])) // the tag of the table or curve
	many := mediatest.PointsCurve(20_000, func(v float64) float64 { return 1 - v })
	return map[string][]byte{
		"half":               good[:len(good)/2],
		"no tags":            changed(128, 0, 0, 0, 0),
		"4 billion tags":     changed(128, 0xff, 0xff, 0xff, 0xff),
		"beyond its end":     changed(136, 0xff, 0xff, 0xff, 0xf0),
		"a tag that is long": changed(140, 0xff, 0xff, 0xff, 0xff),
		"into its header":    changed(136, 0, 0, 0, 0),
		"a loop":             changed(136, 0, 0, 0, 128),
		"a strange tag":      changed(first, []byte("what")...),
		"15 channels":        tag(append([]byte("mft2\x00\x00\x00\x00\x0f\x03\xff\x00"), make([]byte, 400)...)...),
		"15 channels, mAB":   tag(append([]byte("mAB \x00\x00\x00\x00\x0f\x03\x00\x00"), bytes.Repeat([]byte{0, 0, 0, 32}, 60)...)...),
		"no points":          tag(append([]byte("mft2\x00\x00\x00\x00\x03\x03\x00\x00"), make([]byte, 400)...)...),
		"an empty grid":      tag(append([]byte("mAB \x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x20"), make([]byte, 400)...)...),
		"4 billion points":   tag([]byte("curv\x00\x00\x00\x00\xff\xff\xff\xff\x00\x00")...),
		"many points":        mediatest.ICC(2, space, "XYZ ", mediatest.ProfileTag{Name: kind, Data: many}),
		"an unknown curve":   tag([]byte("para\x00\x00\x00\x00\x00\x09\x00\x00\x00\x00\x00\x00")...),
		"an empty tag":       tag(),
		"a strange PCS":      changed(20, []byte("Luv ")...),
	}
}

// A profile that can't be used stays with the values of red, green and blue: as the file is, or in what is made. What isn't a profile
// is left out.
func TestUnusableProfileStays(t *testing.T) {
	for name, profile := range badProfiles("RGB ") {
		t.Run(name, func(t *testing.T) {
			data := mediatest.WithSegments(mediatest.PatchJPEG(0, rgbPatches...), mediatest.ICCSegment(profile))
			res, made := processed(t, data, plain, smaller)
			if slices.Contains(noProfiles, name) {
				if bytes.Contains(made["plain"].Bytes(), []byte("ICC_PROFILE")) {
					t.Error("it is sent with its profile")
				}
				compare(t, decoded(t, made["plain"].Bytes()), "255,0,0 0,255,0 40,90,200", 3)
				return
			}
			if !bytes.Equal(made["plain"].Bytes(), data) {
				t.Error("it was made anew")
			}
			if len(res.Made) != 2 || !bytes.Contains(made["smaller"].Bytes(), append([]byte("ICC_PROFILE\x00\x01\x01"), profile...)) {
				t.Error("what was made doesn't have the profile")
			}
			png := mediatest.PatchPNG(8, ofFactor(rgbPatches, 1), mediatest.ICCChunk(profile))
			_, made = processed(t, png, plain)
			if !bytes.Contains(made["plain"].Bytes(), profile) {
				t.Error("what was made of a PNG doesn't have the profile")
			}
			compare(t, decoded(t, made["plain"].Bytes()), "255,0,0 0,255,0 40,90,200", 3)
		})
	}
}

// A profile of more than a segment goes into several.
func TestLongProfileStays(t *testing.T) {
	profile := mediatest.ICC(2, "RGB ", "Lab ", mediatest.ProfileTag{Name: "A2B0", Data: append([]byte("what\x00\x00\x00\x00"), bytes.Repeat([]byte("0123456789"), 14_000)...)})
	_, made := processed(t, mediatest.PatchPNG(8, ofFactor(rgbPatches, 1), mediatest.ICCChunk(profile)), plain)
	again, remade := processed(t, made["plain"].Bytes(), plain, smaller)
	if len(again.Made) != 2 || bytes.Count(remade["smaller"].Bytes(), []byte("ICC_PROFILE\x00")) != 3 {
		t.Errorf("%+v, with %d parts of a profile", again.Made, bytes.Count(remade["smaller"].Bytes(), []byte("ICC_PROFILE\x00")))
	}
}

// What can't be converted nor written is refused, with what to do; the file itself passes where it may.
func TestUnusableProfileIsRefused(t *testing.T) {
	for space, patches := range map[string][][]uint8{"GRAY": greyPatches, "CMYK": inkPatches} {
		for name, profile := range badProfiles(space) {
			t.Run(space+" "+name, func(t *testing.T) {
				file := mediatest.PatchJPEG(-1, patches...)
				if space == "CMYK" {
					file = mediatest.PatchJPEG(0, patches...)
				}
				data := mediatest.WithSegments(file, mediatest.ICCSegment(profile))
				_, made, err := process(t, data, smaller)
				if slices.Contains(noProfiles, name) {
					if err != nil || bytes.Contains(made["smaller"].Bytes(), []byte("ICC_PROFILE")) {
						t.Errorf("got %v", err)
					}
					return
				}
				if refusal(err) != mediafile.CodeUnknownType || !strings.Contains(err.Error(), "convert the picture to sRGB") {
					t.Errorf("got %v", err)
				}
				if space == "GRAY" {
					if _, made := processed(t, data, plain); !bytes.Equal(made["plain"].Bytes(), data) {
						t.Error("it was made anew")
					}
				}
			})
		}
	}
}

// A profile that says nothing new lets a JPEG pass, as does one of other pixels, which nobody uses.
func TestIdleProfilePasses(t *testing.T) {
	srgb := mediatest.MatrixProfile(mediatest.SRGB, mediatest.SRGBCurve())
	for name, profile := range map[string][]byte{
		"sRGB":           srgb,
		"points":         mediatest.MatrixProfile(mediatest.SRGB, mediatest.PointsCurve(1024, func(v float64) float64 { return srgbLight(v) })),
		"of grey pixels": mediatest.GreyProfile(mediatest.GammaCurve(1)),
		"a table": mediatest.TableProfile("mft2", "RGB ", "Lab ", 33, func(v []float64) [3]float64 {
			return mediatest.SRGB.Seen(1)([]float64{srgbLight(v[0]), srgbLight(v[1]), srgbLight(v[2])})
		}),
	} {
		t.Run(name, func(t *testing.T) {
			data := mediatest.WithSegments(mediatest.PatchJPEG(0, rgbPatches...), mediatest.ICCSegment(profile))
			if _, made := processed(t, data, plain); !bytes.Equal(made["plain"].Bytes(), data) {
				t.Error("it was made anew")
			}
		})
	}
}

// What moves, and what is brighter than white, is refused with the reason.
func TestRefusedByName(t *testing.T) {
	control := func(frames uint32) []byte { return mediatest.NumberChunk("acTL", frames, 0) }
	heic := storedFile(t, "heic/64x64.heic")
	rgb := func(chunks ...[]byte) []byte { return mediatest.PatchPNG(8, ofFactor(rgbPatches, 1), chunks...) }
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a PNG that moves":         {rgb(control(3)), "PNG that moves"},
		"a PNG of another picture": {rgb(control(1), mediatest.PNGChunk("fdAT", []byte{0, 0, 0, 1})), "PNG that moves"},
		"PNG, PQ":                  {rgb(mediatest.PNGChunk("cICP", []byte{9, 16, 0, 1})), "HDR (PQ)"},
		"PNG, HLG":                 {rgb(mediatest.PNGChunk("cICP", []byte{9, 18, 0, 1})), "HDR (HLG)"},
		"HEIC, PQ":                 {mediatest.WithProperties(heic, mediatest.CodesBox(9, 16, 9, false)), "HDR (PQ)"},
		"HEIC, HLG":                {mediatest.WithProperties(heic, mediatest.CodesBox(9, 18, 9, true)), "HDR (HLG)"},
		"HEIC, a strange matrix":   {mediatest.WithProperties(heic, mediatest.CodesBox(1, 13, 12, true)), "matrix 12"},
		"a HEIC that moves":        {append(bytes.Clone(heic), mediatest.Box("moov", make([]byte, 8))...), "HEIC that moves"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := process(t, c.data, plain); refusal(err) != mediafile.CodeUnknownType || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	for name, data := range map[string][]byte{"an animation of one frame": rgb(control(1)), "of none": rgb(control(0)), "a late control": lateControl(control(3))} {
		if _, _, err := process(t, data, plain); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// lateControl returns a PNG with a chunk after its data, where it means nothing.
func lateControl(chunk []byte) []byte {
	file := mediatest.PatchPNG(8, ofFactor(rgbPatches, 1))
	const end = 12
	return append(append(bytes.Clone(file[:len(file)-end]), chunk...), file[len(file)-end:]...)
}

// What a decoder says of a file is for the log: people are told in the service's own words.
func TestDecodersSpeakToTheLog(t *testing.T) {
	heic := storedFile(t, "heic/64x64.heic")
	at := bytes.Index(heic, []byte("mdat")) + 4
	broken := append(bytes.Clone(heic[:at]), bytes.Repeat([]byte{0xff}, len(heic)-at)...)
	png := mediatest.PNG(9, 9)
	png[bytes.Index(png, []byte("IDAT"))+6] |= 6 // a kind of block that there isn't
	jpeg := mediatest.PatchJPEG(0, rgbPatches...)
	copy(jpeg[bytes.Index(jpeg, []byte{0xff, 0xc0}):], "\xff\xc3")
	webp := storedFile(t, "webp/lossy.webp")
	webp[26] ^= 0xff
	for name, data := range map[string][]byte{"HEIC": broken, "PNG": png, "JPEG": jpeg, "WebP": webp, "GIF": mediatest.GIF(1)[:60]} {
		_, _, err := process(t, data, plain)
		for _, word := range []string{"wasm", "heic:", "png:", "jpeg:", "gif:", "webp", "vp8", "goroutine", "unsupported", "invalid"} {
			if err != nil && strings.Contains(strings.ToLower(err.Error()), word) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if refusal(err) == "" && name != "WebP" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
