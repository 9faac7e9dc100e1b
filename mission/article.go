package mission

import "strings"

// TitleOf returns the title of an article: its first line, without the marks of a Markdown heading.
func TitleOf(text string) string {
	title, _ := splitArticle(text)
	return title
}

// BodyOf returns the Markdown of an article below its title; the title itself if there is nothing
// below it.
func BodyOf(text string) string {
	title, body := splitArticle(text)
	if body == "" {
		return title
	}
	return body
}

func splitArticle(text string) (title, body string) {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	title = strings.TrimSpace(strings.TrimLeft(first, "#"))
	if title == "" {
		title = strings.TrimSpace(first)
	}
	return title, strings.TrimSpace(rest)
}
