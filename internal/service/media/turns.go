package media

import "sync"

// turns bounds what goes on at once, of each tenant and together.
type turns struct {
	each, all int

	mu  sync.Mutex
	of  map[string]int
	sum int
}

// enter begins something of a tenant's; ok is false if too much goes on. leave ends it.
func (t *turns) enter(tenantID string) (leave func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[tenantID] >= t.each || t.sum >= t.all {
		return nil, false
	}
	if t.of == nil {
		t.of = map[string]int{}
	}
	t.of[tenantID]++
	t.sum++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.sum--
		if t.of[tenantID]--; t.of[tenantID] == 0 {
			delete(t.of, tenantID)
		}
	}, true
}
