package accounts_test

import (
	"testing"

	"go.uber.org/goleak"
)

// No goroutine that a test starts may outlive it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
