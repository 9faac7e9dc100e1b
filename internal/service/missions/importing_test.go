package missions

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"missiond/mission"
)

func TestReadCSV(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string // line, platform, text and the problem's param
	}{
		"commas":            {"platform,text\nmastodon,One\nbluesky,\"a, b\"\n", []string{"2 mastodon One ", "3 bluesky a, b "}},
		"semicolons":        {"platform;text\r\nmastodon;a, b\r\n", []string{"2 mastodon a, b "}},
		"a byte order mark": {"\uFEFFtext,platform\n@me,x\n", []string{"2 twitter @me "}},
		"line breaks":       {"platform,text\nx,\"a\nb\"\ny,c", []string{"2 twitter a\nb ", "4 y c "}},
		"blank lines first": {"\r\n\nplatform;text\nmastodon;a, b\n", []string{"4 mastodon a, b "}},
		"spaces":            {"platform , text\n x,y ", []string{"2 twitter y  "}},
		"too few cells":     {"platform,text\nx\n", []string{"2 twitter  "}},
		"a time":            {"text,scheduled_at\nx,24.12.2026\n", []string{"2  x scheduled_at"}},
	} {
		rows, err := ImportInput{Format: ImportCSV, Data: tt.text}.read()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, r := range rows {
			text, param := "", ""
			if r.post.Text != nil {
				text = *r.post.Text
			}
			if problem, _ := problemOf(r.problem); problem != nil {
				param = problem.Param
			}
			got = append(got, strings.Join([]string{string(rune('0' + r.line)), string(r.post.Platform), text, param}, " "))
		}
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// The rows are those that the console cuts a file into, so that its pieces have them too.
func TestReadSheets(t *testing.T) {
	text, err := os.ReadFile("../../../web/console/src/text/sheets.json")
	if err != nil {
		t.Fatal(err)
	}
	var sheets []struct {
		Name, Text, Head string
		Rows             []struct {
			Line int
			Text string
		}
		Cells [][]string // platform and text; null for a row with a problem
	}
	if err := json.Unmarshal(text, &sheets); err != nil {
		t.Fatal(err)
	}
	for _, s := range sheets {
		rows, err := ImportInput{Format: ImportCSV, Data: s.Text}.read()
		if err != nil || len(rows) != len(s.Rows) {
			t.Errorf("%s: got %d rows, %v", s.Name, len(rows), err)
			continue
		}
		for i, row := range rows {
			piece, err := ImportInput{Format: ImportCSV, Data: s.Head + "\n" + s.Rows[i].Text}.read()
			if err != nil || len(piece) != 1 || !reflect.DeepEqual(piece[0].post, row.post) || row.line != s.Rows[i].Line {
				t.Errorf("%s: alone row %d on line %d is %+v, %v", s.Name, i, row.line, piece, err)
			}
			if problem := row.problem; (problem != nil) != (s.Cells[i] == nil) {
				t.Errorf("%s: row %d has the problem %v", s.Name, i, problem)
			} else if problem == nil && !slices.Equal(s.Cells[i], []string{string(row.post.Platform), *row.post.Text}) {
				t.Errorf("%s: row %d is %s, %q", s.Name, i, row.post.Platform, *row.post.Text)
			}
		}
	}
}

// A separator that isn't known is named.
func TestReadCSVSeparator(t *testing.T) {
	if _, err := (ImportInput{Format: ImportCSV, Data: "platform|text\nmastodon|a\n"}).read(); err == nil || !strings.Contains(err.Error(), `"|"`) {
		t.Errorf("got %v", err)
	}
}

// A wrong header is named by its own line, which blank lines may precede.
func TestReadCSVHeader(t *testing.T) {
	for text, want := range map[string]string{
		"text,texts\na,b\n":        "Line 1: unknown column \"texts\"",
		"\n\ntext,texts\na,b\n":    "Line 3: unknown column \"texts\"",
		"\r\ntext;text\r\na;b\r\n": "Line 2: the column text occurs twice.",
	} {
		_, err := ImportInput{Format: ImportCSV, Data: text}.read()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// Whatever is imported, it is refused, or its rows are bounded and in the order of their
// lines.
func FuzzImport(f *testing.F) {
	for _, seed := range []string{
		"platform,text\nmastodon,One\n", "platform;text\r\n\"a\"\"b\";\"c\nd\"", "{\"platform\":\"x\"}\n\n{}", "\uFEFFtext\n", "\"", ",,,\n,", "[1,2", "{\"parts\":[null]}",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, data string, asCSV bool) {
		in := ImportInput{Format: ImportNDJSON, Data: data}
		if asCSV {
			in.Format = ImportCSV
		}
		rows, err := in.read()
		if err != nil {
			if mission.CodeOf(err) != mission.CodeInvalidRequest {
				t.Fatal(err)
			}
			return
		}
		if len(rows) == 0 || len(rows) > MaxImport {
			t.Fatalf("%d rows", len(rows))
		}
		last := 0
		for _, r := range rows {
			if r.line <= last {
				t.Fatalf("line %d comes after %d", r.line, last)
			}
			last = r.line
			if r.problem != nil && mission.CodeOf(r.problem) != mission.CodeInvalidRequest {
				t.Fatal(r.problem)
			}
		}
	})
}
