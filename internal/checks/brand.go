package checks

import (
	"fmt"
	"slices"
	"strings"

	"missiond/internal/links"
	"missiond/internal/topic"
	"missiond/mission"
)

func (b *Bar) required(s subject) *Finding {
	for i, word := range b.brand.RequiredWords {
		if found, _ := topic.NewList([]string{word}).Find(s.Text); found < 0 {
			return &Finding{Part: Whole, Message: fmt.Sprintf("The text lacks the required word %q.", word), Hint: fmt.Sprintf("lacks the required word number %d", i+1)}
		}
	}
	return nil
}

// hashtags checks the number of hashtags, of a thread in all its parts, and whether those are there
// that each post has.
func (b *Bar) hashtags(s subject) *Finding {
	var tags []string
	for _, part := range s.parts {
		for _, e := range links.Entities(b.caps.Platform, part.text) {
			if e.Kind == links.KindTag {
				tags = append(tags, strings.ToLower(e.Name))
			}
		}
	}
	rule := b.brand.Hashtags
	if rule.Max != nil && len(tags) > *rule.Max {
		return same(fmt.Sprintf("has %d hashtags; %d are allowed", len(tags), *rule.Max))
	}
	for i, tag := range rule.Always {
		name := strings.ToLower(strings.TrimPrefix(tag, "#"))
		if !slices.ContainsFunc(tags, func(has string) bool { return mission.SameText(has, name) }) {
			return &Finding{Part: Whole, Message: fmt.Sprintf("The text lacks the hashtag %s.", tag), Hint: fmt.Sprintf("lacks the hashtag number %d of those that each post has", i+1)}
		}
	}
	return nil
}

func (b *Bar) emoji(s subject) *Finding {
	most := 0
	switch b.brand.EmojiUse() {
	case mission.EmojiNone:
	case mission.EmojiFew:
		most = mission.FewEmoji
	default:
		return nil
	}
	if n := mission.Emoji(s.Text); n > most {
		return same(fmt.Sprintf("has %d emoji; %d are allowed", n, most))
	}
	return nil
}
