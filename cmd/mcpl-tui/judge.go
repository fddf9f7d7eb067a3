package main

import (
	"context"
	"fmt"

	"github.com/mcpl-tui/mcpl-tui/cmd/mcpl-tui/report"
	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/record"
)

// verdict is a recording that was judged to its end, in one pass.
type verdict struct {
	run    *conform.Run
	frames int
	status record.Status
}

// judge reads a recording to its end, following its indexing, and judges what
// it says.
func judge(ctx context.Context, rec *record.Recording, opt conform.Options) (*verdict, error) {
	v := &verdict{run: conform.NewRun(opt)}
	for {
		done := rec.Status().Loading >= 1
		n := rec.Len()
		for ; v.frames < n; v.frames++ {
			f, err := rec.Frame(v.frames)
			if err != nil {
				return nil, err
			}
			v.run.Frame(f)
			if v.frames&0xfff == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		if done {
			break
		}
		select {
		case <-rec.Changed():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	v.status = rec.Status()
	return v, v.end()
}

// judgeFile judges the frames of a recording in one pass, which keeps none.
func judgeFile(ctx context.Context, p *record.Pass, opt conform.Options) (*verdict, error) {
	v := &verdict{run: conform.NewRun(opt)}
	var err error
	v.status, err = p.Each(ctx, func() record.Ahead { return &conform.Ahead{} }, func(b *record.Batch) error {
		ahead := b.Ahead.(*conform.Ahead)
		for i := range b.Frames {
			v.run.FrameAhead(&b.Frames[i], ahead, b.Slots[i])
		}
		v.frames += len(b.Frames)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return v, v.end()
}

// end says that all frames were seen.
func (v *verdict) end() error {
	if v.status.Err != nil && !v.status.Live { // what cannot be written is in memory
		return v.status.Err
	}
	v.run.Judge.NotWhole(v.status.SkippedCount, v.status.Cut)
	v.run.End()
	return nil
}

// report says what was found.
func (v *verdict) report(target string, h record.Header) *report.Report {
	r := &report.Report{
		Target: target, ToolHints: v.run.Judge.ToolHints(), Findings: v.run.Findings(), Head: v.run.Judge.Head(),
		Tool: version, Started: h.Started,
		Summary: report.Summary{
			Frames: v.frames, Revs: v.run.State.RowCount(), SkippedLines: v.status.SkippedCount, Cut: v.status.Cut,
			InPart: v.run.Judge.InPart(),
		},
	}
	for _, n := range v.run.State.Conns() {
		r.Summary.Connections++
		if s := v.run.State.View(n).Server(); s.Name != "" {
			r.Server = s
		}
	}
	return r
}

// linesOf returns where the frames of findings stand in the file of a
// recording. What cannot be read again has no lines.
func linesOf(path string, findings []conform.Finding) (map[int]int, error) {
	if path == "-" || len(findings) == 0 {
		return nil, nil
	}
	rec, err := record.Open(path)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	if err := rec.Wait(context.Background()); err != nil {
		return nil, err
	}
	at := make([]int, len(findings))
	for i, f := range findings {
		at[i] = f.Index
	}
	lines, err := rec.Lines(at)
	if err != nil {
		return nil, fmt.Errorf("find the lines of %s: %w", path, err)
	}
	return lines, nil
}
