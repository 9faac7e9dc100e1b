package builtin

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/internal/textlimit"
	"missiond/internal/topic"
	"missiond/mission"
)

// post is a post before it is put together.
type post struct {
	platform   mission.Platform
	caps       mission.Capabilities
	format     mission.Format
	statements []passage
	// call ends the post, with site unless it leads somewhere itself; nil for none.
	call *passage
	site string
	// must are the words that the brand's posts have, always the hashtags, and tags the hashtags that
	// it has if there is room.
	must, always, tags []string
}

// draft returns the post as its platform takes it and as keeps wants it, with fewer sentences of each
// passage if it can't have all. ok is false if it can't have even one.
func (p post) draft(keeps func(mission.Draft) bool) (d mission.Draft, ok bool) {
	for most := mostSentences; most > 0; most-- {
		if d, ok = p.fitting(most); ok && keeps(d) {
			return d, true
		}
	}
	return d, false
}

// fitting returns the first form of the post that its platform takes.
func (p post) fitting(most int) (d mission.Draft, ok bool) {
	for _, tags := range [][]string{p.tags, p.always} {
		for _, d = range p.forms(most, tags) {
			if d = sendable(d, p.platform); textlimit.Check(p.caps, d) == nil {
				return d, true
			}
		}
	}
	return d, false
}

// forms returns the post with some hashtags and at most a number of sentences of each passage: in one
// text and, if it may be a thread and has several passages, in as many parts.
func (p post) forms(most int, tags []string) []mission.Draft {
	var d mission.Draft
	var texts []string
	for _, s := range p.statements {
		texts, d = append(texts, s.text(most)), s.cite(d)
	}
	call := p.site
	if p.call != nil {
		d = p.call.cite(d)
		if call = p.call.text(most); p.site != "" && !leads(call) {
			call += "\n" + p.site
		}
	}
	end := paragraphs(call, p.lacking(paragraphs(append(texts, call)...)), strings.Join(tags, " "))
	d.Format, d.Text = p.format, paragraphs(joined(texts), end)
	if p.format == mission.FormatArticle {
		d.Text = paragraphs(append(texts, end)...)
	}
	if p.format != mission.FormatThread {
		return []mission.Draft{d}
	}
	thread := d
	d.Format = p.caps.Single()
	last := len(texts) - 1
	if last == 0 {
		return []mission.Draft{d}
	}
	thread.Parts = append(slices.Clone(texts[:last]), paragraphs(texts[last], end))
	thread.Text = paragraphs(thread.Parts...)
	return []mission.Draft{d, thread}
}

// lacking returns the words that a text lacks of those that the brand's posts have.
func (p post) lacking(text string) string {
	lacks := slices.DeleteFunc(slices.Clone(p.must), func(word string) bool {
		i, _ := topic.NewList([]string{word}).Find(text)
		return i >= 0
	})
	return strings.Join(lacks, " · ")
}

// paragraphs joins what isn't empty with blank lines.
func paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return t == "" }), "\n\n")
}

// withBrand returns hashtags and the brand's name as one, if there is room and it makes one.
func withBrand(always []string, b mission.Brand, most int) []string {
	if limit := b.Hashtags.Max; limit != nil {
		most = min(most, *limit)
	}
	if tag := brandTag(b.Name); tag != "" && len(always) < most && !slices.Contains(always, tag) {
		return append(slices.Clone(always), tag)
	}
	return always
}

// brandTag returns a brand's name as a hashtag; "" if it is no few words.
func brandTag(name string) string {
	const most, longest = 3, 30 // words, characters
	fields := strings.Fields(name)
	letters := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
	tag := "#"
	for _, f := range fields {
		if strings.ContainsFunc(f, func(r rune) bool { return !letters(r) }) {
			return ""
		}
		r, size := utf8.DecodeRuneInString(f)
		tag += string(unicode.ToUpper(r)) + f[size:]
	}
	if len(fields) > most || !strings.ContainsFunc(tag, unicode.IsLetter) || utf8.RuneCountInString(tag) > longest {
		return ""
	}
	return tag
}
