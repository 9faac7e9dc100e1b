package mediafile

import (
	"bytes"
	"encoding/binary"
	"slices"

	"missiond/mission"
)

// headSize is how many bytes sniff looks at.
const headSize = 64

// types are the content types that are taken and made.
var types = []string{mission.TypeJPEG, mission.TypePNG, mission.TypeGIF, mission.TypeWebP, mission.TypeHEIC, mission.TypeMP4, mission.TypeMOV}

// heicBrands are those of still pictures with HEVC; sequences aren't taken.
var heicBrands = []string{"heic", "heix", "heim", "heis"}

// movBoxes are what a QuickTime file without the box ftyp begins with.
var movBoxes = []string{"moov", "mdat", "wide", "skip", "free"}

// sniff returns the content type that a file's first headSize bytes say; "" if it is none that
// is taken.
func sniff(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return mission.TypeJPEG
	case bytes.HasPrefix(head, []byte(pngSignature)):
		return mission.TypePNG
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return mission.TypeGIF
	case len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP":
		return mission.TypeWebP
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		return sniffBrands(head)
	case len(head) >= 12 && slices.Contains(movBoxes, string(head[4:8])):
		return mission.TypeMOV
	}
	return ""
}

// sniffBrands returns the type that the box ftyp says. Of the pictures that have it, only those
// with HEVC are taken.
func sniffBrands(head []byte) string {
	end := min(int64(binary.BigEndian.Uint32(head)), int64(len(head)))
	major := string(head[8:12])
	brands := []string{major}
	for at := int64(16); at+4 <= end; at += 4 {
		brands = append(brands, string(head[at:at+4]))
	}
	anyOf := func(names ...string) bool {
		return slices.ContainsFunc(brands, func(b string) bool { return slices.Contains(names, b) })
	}
	switch {
	case slices.Contains(heicBrands, major) || major == "mif1" && anyOf(heicBrands...):
		return mission.TypeHEIC
	case major == "qt  ":
		return mission.TypeMOV
	case major == "avif" || major == "avis" || major == "mif1" || major == "msf1" || major == "M4A " || major == "M4B ":
		return ""
	}
	return mission.TypeMP4
}
