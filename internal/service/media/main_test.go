package media_test

import (
	"testing"

	"missiond/internal/mediafile/mediatest"
)

func TestMain(m *testing.M) { mediatest.Main(m) }
