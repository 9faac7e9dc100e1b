package mission

import "strings"

// Prefixes of identifiers (interface, section 2; decisions, "Conventions"). An
// id is a prefix and a lower-case ULID, so ids sort by creation time.
const (
	PrefixUser         = "usr_"
	PrefixTenant       = "tnt_"
	PrefixKey          = "key_"
	PrefixMission      = "msn_"
	PrefixJob          = "job_"
	PrefixEvent        = "evt_"
	PrefixContent      = "cnt_"
	PrefixTask         = "tsk_"
	PrefixSession      = "ses_"
	PrefixWebhook      = "whk_"
	PrefixDelivery     = "dlv_"
	PrefixNotification = "ntf_"
	PrefixAudit        = "aud_"
	PrefixSpending     = "spd_"
	PrefixIntegration  = "int_"
	PrefixMedia        = "med_"
	PrefixComment      = "cmt_"
	PrefixReviewLink   = "rvl_"
	PrefixPostDraft    = "drf_"
	PrefixReply        = "rpl_"
	PrefixAnswer       = "ans_"
	PrefixAgent        = "agt_"
)

const ulidLen = 26

// IDLength returns the length of ids with a prefix.
func IDLength(prefix string) int { return len(prefix) + ulidLen }

// HasIDForm reports whether id is prefix plus a lower-case ULID. An id without
// that form can't exist, so it needs no lookup.
func HasIDForm(prefix, id string) bool {
	ulid, ok := strings.CutPrefix(id, prefix)
	if !ok || len(ulid) != ulidLen || ulid[0] > '7' {
		return false
	}
	for i := range len(ulid) {
		if !strings.ContainsRune("0123456789abcdefghjkmnpqrstvwxyz", rune(ulid[i])) {
			return false
		}
	}
	return true
}
