package main

import (
	"github.com/mcpl-tui/mcpl-tui/session"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// Names implements session.Namer.
func (v *view) Names(kind session.Named, of string) []string {
	conn, at := v.conn, v.log.Len()-1
	if conn == 0 {
		conn = v.log.LastConn()
	}
	var out []string
	add := func(list []timeline.Offered) {
		for _, o := range list {
			out = append(out, o.Key)
		}
	}
	switch kind {
	case session.ResourceURIs:
		add(v.log.ResourcesAt(conn, at).List.Items)
	case session.ResourceTemplates:
		add(v.log.ResourcesAt(conn, at).Templates.Items)
	case session.Subscribed:
		for _, s := range v.log.ResourcesAt(conn, at).Subscriptions {
			out = append(out, s.URI)
		}
	case session.PromptNames:
		add(v.log.PromptsAt(conn, at).Items)
	case session.ChannelIDs:
		channels, _ := v.log.ChannelsAt(conn, at)
		for _, c := range channels {
			if !c.Removed {
				out = append(out, c.ID)
			}
		}
	case session.FeatureSetNames, session.Checkpoints:
		for _, s := range v.log.StatesAt(conn, at) {
			if kind == session.FeatureSetNames {
				if s.FeatureSet == "" {
					continue
				}
				out = append(out, s.FeatureSet)
				continue
			}
			// One that no message named can be any.
			if of != "" && s.FeatureSet != "" && s.FeatureSet != of {
				continue
			}
			for _, c := range s.Checkpoints {
				out = append(out, c.ID)
			}
		}
	}
	return out
}
