package main

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestAPanicAnywhereEndsInOneLineAndAFileWithTheStack(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, told := crashable(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer guard(told)
		panic("a fault in the timeline")
	}()
	<-done
	err := context.Cause(ctx)
	if !errors.Is(err, errCrashed) || !strings.Contains(err.Error(), "a fault in the timeline") {
		t.Fatalf("it ends with %v", err)
	}
	file := regexp.MustCompile(`[^ ]*mcpl-tui-crash-[^ ]*\.txt`).FindString(err.Error())
	stack, readErr := os.ReadFile(file)
	if readErr != nil || !strings.Contains(string(stack), "TestAPanicAnywhere") {
		t.Errorf("%v; the stack says %s", readErr, stack)
	}
}
