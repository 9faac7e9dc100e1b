package tasks

import (
	"fmt"
	"testing"
)

// Tenants' own endpoints, which may all hang, take none of the writers that all tenants share, with a
// limit of the service's writer or without.
func TestOwnWritersAreApart(t *testing.T) {
	for _, shared := range []int{0, 8} {
		w := &Worker{parts: Parts{Writers: shared}}
		entered, leaves := 0, []func(){}
		for tenant := range ownWriters {
			for range ownWritersPerTenant + 1 {
				if leave, ok := w.enterWriting(fmt.Sprint("own ", tenant), true); ok {
					entered++
					leaves = append(leaves, leave)
				}
			}
			if tenant == 0 && entered != ownWritersPerTenant {
				t.Errorf("one tenant has %d writers, want %d", entered, ownWritersPerTenant)
			}
		}
		if entered != ownWriters {
			t.Errorf("%d stages write with tenants' own writers, want %d", entered, ownWriters)
		}
		for tenant := range 8 {
			if _, ok := w.enterWriting(fmt.Sprint("shared ", tenant), false); !ok {
				t.Errorf("with the limit %d, shared writer %d is taken", shared, tenant)
			}
		}
		leaves[0]()
		if _, ok := w.enterWriting("another", true); !ok {
			t.Error("a writer that was left stays taken")
		}
	}
}
