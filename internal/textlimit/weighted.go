package textlimit

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// weighted returns twitter-text's weight of a character in NFC (its version 3, parseTweet):
// an emoji that it knows counts 2, whatever it consists of; anything else as its code
// points do.
func weighted(cluster string) int {
	n := 0
	if utf8.RuneCountInString(cluster) > 1 {
		for _, at := range emoji.FindAllStringIndex(cluster, -1) {
			return weighted(cluster[:at[0]]) + heavy + weighted(cluster[at[1]:])
		}
	}
	for _, r := range cluster {
		n += weight(r)
	}
	return n
}

const heavy = 2

// weight returns twitter-text's weight of a code point.
func weight(r rune) int {
	light := [][2]rune{{0, 0x10FF}, {0x2000, 0x200D}, {0x2010, 0x201F}, {0x2032, 0x2037}}
	if slices.ContainsFunc(light, func(span [2]rune) bool { return span[0] <= r && r <= span[1] }) {
		return 1
	}
	return heavy
}

// The parts of emoji (UTS 51; emoji-sequences.txt and emoji-zwj-sequences.txt of version
// 15.0, which say what is recommended: X counts the code points of anything else).
const (
	skin = "[🏻-🏿]"
	// based are those that skins are for.
	based = "[☝⛹✊-✍🎅🏂-🏄🏇🏊-🏌👂👃👆-👐👦-👸👼💁-💃💅-💇💏💑💪🕴🕵🕺🖐🕕🖖🙅-🙇🙋-🙏🚣🚴-🚶🛀🛌🤌🤏🤘-🤟🤦🤰-🤹🤼-🤾🥷🦵🦶🦸🦹🦻🧍-🧏🧑-🧝🫃-🫅🫰-🫸]"
	// gendered are those that a sign makes men and women, someone those that have no skin.
	gendered = "[🏃🏄🏊👮👰👱👳👷💁💂💆💇🙅-🙇🙋🙍🙎🚣🚴-🚶🤦🤵🤷-🤹🤽🤾🦸🦹🧍-🧏🧔🧖-🧝]"
	roles    = "(?:[🌾🍳🍼🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦯🦰-🦳🦼🦽]|[⚕⚖✈]\ufe0f)"
	children = "(?:👧\u200d👦|👧\u200d👧|👦\u200d👦|👦|👧)"
)

// known is a regular expression for the emoji of more than one code point, the same for
// RE2 and ECMAScript.
var known = "[#*0-9]\ufe0f?\u20e3" +
	"|🏴(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f|\u200d☠\ufe0f)" +
	"|" + flags() +
	"|[👨👩🧑]" + skin + "?\u200d" + roles + "|🧑" + skin + "?\u200d🎄" +
	"|(?:" + gendered + skin + "?|[👯🤼🧞🧟]|[🏋🏌🕵⛹](?:\ufe0f|" + skin + "))\u200d[♀♂]\ufe0f" +
	"|🧑" + skin + "\u200d🤝\u200d🧑" + skin + "|🧑\u200d🤝\u200d🧑|👩" + skin + "\u200d🤝\u200d[👨👩]" + skin + "|👨" + skin + "\u200d🤝\u200d👨" + skin +
	"|(?:👩\u200d❤\ufe0f\u200d(?:💋\u200d)?[👨👩]|👨\u200d❤\ufe0f\u200d(?:💋\u200d)?👨|👩" + skin + "\u200d❤\ufe0f\u200d(?:💋\u200d)?[👨👩]" + skin + "|👨" + skin + "\u200d❤\ufe0f\u200d(?:💋\u200d)?👨" + skin + "|🧑" + skin + "\u200d❤\ufe0f\u200d(?:💋\u200d)?🧑" + skin + ")" +
	"|(?:👨\u200d[👨👩]|👩\u200d👩|👨|👩)\u200d" + children +
	"|🫱" + skin + "\u200d🫲" + skin +
	"|🏳\ufe0f\u200d(?:🌈|⚧\ufe0f)|🐈\u200d⬛|🐦\u200d⬛|🐕\u200d🦺|🐻\u200d❄\ufe0f|👁\ufe0f\u200d🗨\ufe0f|❤\ufe0f\u200d[🔥🩹]|😮\u200d💨|😵\u200d💫|😶\u200d🌫\ufe0f" +
	"|" + based + skin +
	"|[©®‼⁉™ℹ〰〽㊗㊙\u2190-\u2bff\U0001f000-\U0001faff]\ufe0f"

// regions are those that have a flag (emoji-sequences.txt).
const regions = "" +
	"AC AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK " +
	"CL CM CN CO CP CR CU CV CW CX CY CZ DE DG DJ DK DM DO DZ EA EC EE EG EH ER ES ET EU FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP " +
	"GQ GR GS GT GU GW GY HK HM HN HR HT HU IC ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS " +
	"LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK " +
	"PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TF TG TH TJ TK TL TM TN " +
	"TO TR TT TV TW TZ UA UG UM UN US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW "

// flags returns a regular expression for the flags of regions.
func flags() string {
	indicators := func(code string) string {
		return strings.Map(func(r rune) rune { return '\U0001f1e6' + r - 'A' }, code)
	}
	var all []string
	for first := 'A'; first <= 'Z'; first++ {
		var seconds string
		for code := range strings.FieldsSeq(regions) {
			if rune(code[0]) == first {
				seconds += code[1:]
			}
		}
		if seconds != "" {
			all = append(all, indicators(string(first))+"["+indicators(seconds)+"]")
		}
	}
	return strings.Join(all, "|")
}

// emoji matches the emoji of more than one code point.
var emoji = regexp.MustCompile(known)
