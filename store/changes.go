package store

import (
	"context"

	"missiond/mission"
)

// changeCounter returns the name of the counter of a tenant's transactions that changed
// records of a kind.
func changeCounter(k mission.ChangeKind) string { return "changes:" + string(k) }

// countChange records that the transaction changes a tenant's records of a kind, which is
// counted at its end.
func (tx Tx) countChange(tenantID string, k mission.ChangeKind) {
	tx.done.changes[counterRow{TenantID: tenantID, Name: changeCounter(k)}] = 1
}

// writeChanges counts the changes.
func (tx Tx) writeChanges(ctx context.Context) error { return tx.addCounters(ctx, tx.done.changes) }

// headNames are the names of the counters that heads are read from, with the kind of
// those that count changes.
var headNames, headKinds = func() ([]string, map[string]mission.ChangeKind) {
	names, kinds := []string{counterSeq, counterNotificationSeq}, map[string]mission.ChangeKind{}
	for _, k := range mission.AllChangeKinds() {
		names = append(names, changeCounter(k))
		kinds[changeCounter(k)] = k
	}
	return names, kinds
}()
