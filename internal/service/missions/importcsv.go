package missions

import (
	"slices"
	"strings"

	"missiond/internal/jsonwire"
	"missiond/mission"
)

// importColumns are the names of CSV's columns.
var importColumns = []string{"mission_id", "platform", "integration_id", "text", "parts", "first_comment", "scheduled_at"}

// csvRow is a row of a CSV text.
type csvRow struct {
	line  int // its first, from 1
	cells []string
	// quote reports that a quote in it isn't as CSV has them.
	quote bool
}

// empty reports whether all cells are empty, as in the rows that spreadsheets write below
// their last.
func (r csvRow) empty() bool {
	return !r.quote && !slices.ContainsFunc(r.cells, func(c string) bool { return strings.TrimSpace(c) != "" })
}

// csvReader reads CSV (RFC 4180) as spreadsheets write it: lines end with LF, CRLF or CR,
// which is LF within quotes, and a quote that isn't doubled spoils its own row only. Such a
// row ends with its line, or where its quotes have closed.
type csvReader struct {
	rest  string
	line  int
	comma byte
}

// next returns the next row; ok is false at the end.
func (r *csvReader) next() (row csvRow, ok bool) {
	if r.rest == "" {
		return row, false
	}
	row.line = r.line
	whole, from := r.rest, r.line
	for {
		cell, quote, end := r.cell()
		row.cells = append(row.cells, cell)
		if quote {
			r.rest, r.line = whole, from
			r.skipLine()
			return csvRow{line: row.line, quote: true}, true
		}
		if end {
			return row, true
		}
	}
}

// cell reads a cell and what ends it. quote reports a wrong quote, and end the row's end.
func (r *csvReader) cell() (cell string, quote, end bool) {
	if !strings.HasPrefix(r.rest, `"`) {
		at := strings.IndexAny(r.rest, string(r.comma)+"\r\n")
		if at < 0 {
			at = len(r.rest)
		}
		cell, r.rest = r.rest[:at], r.rest[at:]
		return cell, strings.Contains(cell, `"`), r.ends()
	}
	var b strings.Builder
	for at := 1; at < min(len(r.rest), maxImportLine); at++ {
		switch c := r.rest[at]; {
		case c == '"' && strings.HasPrefix(r.rest[at+1:], `"`):
			b.WriteByte(c)
			at++
		case c == '"':
			r.rest = r.rest[at+1:]
			quote = r.rest != "" && r.rest[0] != r.comma && r.rest[0] != '\r' && r.rest[0] != '\n'
			return b.String(), quote, r.ends()
		case c == '\r' && strings.HasPrefix(r.rest[at+1:], "\n"):
		case c == '\r' || c == '\n':
			b.WriteByte('\n')
			r.line++
		default:
			b.WriteByte(c)
		}
	}
	return "", true, true // it doesn't close
}

// ends consumes a separator or a line's end, and reports whether the row ends.
func (r *csvReader) ends() bool {
	if r.rest != "" && r.rest[0] == r.comma {
		r.rest = r.rest[1:]
		return false
	}
	r.skipLine()
	return true
}

// skipLine consumes the rest of a line.
func (r *csvReader) skipLine() {
	at := strings.IndexAny(r.rest, "\r\n")
	if at < 0 {
		r.rest = ""
		return
	}
	if strings.HasPrefix(r.rest[at:], "\r\n") {
		at++
	}
	r.rest = r.rest[at+1:]
	r.line++
}

// newCSVReader returns a reader with the separator that a text names in its first line
// ("sep=;", which spreadsheets take), or that its header has most: a comma, a semicolon or
// a tab.
func newCSVReader(text string) *csvReader {
	r := &csvReader{rest: text, line: 1, comma: ','}
	for r.rest != "" {
		head := r.rest
		if at := strings.IndexAny(head, "\r\n"); at >= 0 {
			head = head[:at]
		}
		if named, ok := strings.CutPrefix(strings.ToLower(strings.Trim(head, `"`)), "sep="); ok && len(named) == 1 && separates(named[0]) {
			r.comma = named[0]
			r.skipLine()
			return r
		}
		if head != "" {
			most := 0
			for _, c := range []byte{',', ';', '\t'} {
				if n := strings.Count(head, string(c)); n > most {
					most, r.comma = n, c
				}
			}
			return r
		}
		r.skipLine()
	}
	return r
}

// separates reports whether a character may separate cells.
func separates(c byte) bool {
	return c == '\t' || c > ' ' && c < 0x7f && strings.ContainsRune(",;|:~^!#", rune(c))
}

func readCSV(text string) (rows []importedRow, err error) {
	r := newCSVReader(text)
	var head []string
	for {
		row, ok := r.next()
		switch {
		case !ok:
			return rows, nil
		case row.empty():
		case head == nil:
			if head, err = csvHead(row); err != nil {
				return nil, err
			}
		case len(rows) == MaxImport:
			return nil, tooManyRows()
		default:
			rows = append(rows, csvImported(head, row))
		}
	}
}

// csvHead returns the columns of a header: their names without the space around them, in
// lower case. Those without a name are "", and left out at the end.
func csvHead(row csvRow) ([]string, error) {
	if row.quote {
		return nil, mission.Invalid(dataParam, "Line %d: %s", row.line, wrongQuote)
	}
	var head []string
	for _, name := range row.until() {
		column := strings.ToLower(strings.TrimSpace(name))
		switch {
		case column == "":
		case !slices.Contains(importColumns, column) && len(row.cells) == 1 && strings.Contains(column, "|"):
			return nil, mission.Invalid(
				dataParam,
				"Line %d: the columns seem to be separated by \"|\"; allowed are commas, semicolons and tabs, or a first line sep=|.",
				row.line,
			)
		case !slices.Contains(importColumns, column):
			return nil, mission.Invalid(
				dataParam, "Line %d: unknown column %.40q; allowed are %s.", row.line, name,
				strings.Join(importColumns, ", "),
			)
		case slices.Contains(head, column):
			return nil, mission.Invalid(dataParam, "Line %d: the column %s occurs twice.", row.line, column)
		}
		head = append(head, column)
	}
	return head, nil
}

// wrongQuote says what is wrong with a row's quotes.
const wrongQuote = `A quote within a cell must be doubled, and the cell in quotes: "5"" screen".` +
	` A cell that begins with a quote must end with one.`

// until returns the cells up to the last that isn't empty.
func (r csvRow) until() []string {
	n := len(r.cells)
	for n > 0 && strings.TrimSpace(r.cells[n-1]) == "" {
		n--
	}
	return r.cells[:n]
}

// csvImported returns the post of a row. Cells that the row lacks at its end are empty, as
// those must be that are in no named column.
func csvImported(head []string, row csvRow) importedRow {
	in := importedRow{line: row.line}
	if row.quote {
		in.problem = mission.Invalid("", wrongQuote)
		return in
	}
	for i, cell := range row.cells {
		if (i >= len(head) || head[i] == "") && strings.TrimSpace(cell) != "" {
			in.problem = mission.Invalid("", "Cell %d is in no column that the header names. A cell with a separator in it must be in quotes.", i+1)
			return in
		}
	}
	in.post, in.problem = csvPost(head, row.cells)
	return in
}

// csvPlatform returns the platform that a cell names, in any case; X is twitter.
func csvPlatform(cell string) mission.Platform {
	p := mission.Platform(strings.ToLower(strings.TrimSpace(cell)))
	if p == "x" {
		return mission.Twitter
	}
	return p
}

// csvPost returns the post of a row. Errors: invalid_request, naming the column.
func csvPost(head, cells []string) (in ContentInput, err error) {
	for i, cell := range cells[:min(len(cells), len(head))] {
		if err := mission.CheckString(head[i], cell); err != nil {
			return in, err
		}
		trimmed := strings.TrimSpace(cell)
		if cell == "" || trimmed == "" && head[i] != "text" {
			continue
		}
		switch head[i] {
		case "mission_id":
			in.MissionID = trimmed
		case "platform":
			in.Platform = csvPlatform(cell)
		case "integration_id":
			in.IntegrationID = &trimmed
		case "text":
			in.Text = &cell
		case "parts":
			var parts []string
			if err := jsonwire.Read([]byte(cell), &parts); err != nil {
				return in, mission.Invalid("parts", `The cell must be a JSON array of texts, such as ["One.","Two."].`)
			}
			in.Parts = parts
		case "first_comment":
			in.FirstComment = &cell
		case "scheduled_at":
			at, err := mission.ParseTime(trimmed)
			if err != nil {
				return in, mission.Invalid("scheduled_at", "The value must be %s.", mission.TimeForm)
			}
			in.ScheduledAt = &at
		}
	}
	return in, nil
}
