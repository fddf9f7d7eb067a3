package model

import (
	"strings"
	"testing"
)

func TestFiguresOfALongSessionAreNotCutShort(t *testing.T) {
	const instead = "~50 tok, once each"
	if lines := headFacts("4 × ~61 = ~244 tok", instead, 100); len(lines) != 1 || !strings.HasSuffix(lines[0].text, instead) {
		t.Errorf("%v", lines)
	}
	const long = "1 227 272 × ~22 = ~26 999 984 tok"
	if lines := headFacts(long, instead, 100); len(lines) != 2 || lines[0].text != long || lines[1].text != instead+", instead" {
		t.Errorf("%v", lines)
	}
}
