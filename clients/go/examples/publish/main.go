// Publish makes a mission, approves its posts as they are written, and ends with the first one
// that is published. MISSIOND_URL and MISSIOND_API_KEY name the service.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	missiond "missiond/clients/go"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := publish(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		cancel()
		os.Exit(1)
	}
}

func publish(ctx context.Context) error {
	client, err := missiond.New(missiond.Options{URL: os.Getenv("MISSIOND_URL"), Key: os.Getenv("MISSIOND_API_KEY")})
	if err != nil {
		return err
	}
	start, review, perDay := true, true, int64(2)
	made, err := client.MissionsCreateWithResponse(ctx, nil, missiond.MissionsCreateJSONRequestBody{
		Name:             "Published by the example",
		Description:      new("Version 2.0 is out. It opens files twice as fast."),
		Objectives:       []string{"Show what the client does"},
		Platforms:        []missiond.MissionsCreateJSONBodyPlatforms{"mastodon"},
		DurationDays:     7,
		Constraints:      &missiond.ConstraintsInput{PostsPerDay: &perDay, RequireApproval: &review},
		StartImmediately: &start,
	})
	if err != nil {
		return err
	}
	mission := made.JSON201.ID
	fmt.Println("made", mission)
	for {
		for post, err := range missiond.Contents(ctx, client, missiond.ContentListParams{MissionID: &mission}) {
			switch {
			case err != nil:
				return err
			case post.Status == "published":
				fmt.Printf("published %s: %s\n", post.ID, post.Text)
				return nil
			case post.Status == "pending_review":
				if err := approve(ctx, client, post.ID); err != nil {
					return err
				}
			}
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// approve approves a post, unless somebody has decided about it meanwhile.
func approve(ctx context.Context, client *missiond.ClientWithResponses, id string) error {
	_, err := client.ContentApproveWithResponse(ctx, id, nil, missiond.ContentApproveJSONRequestBody{})
	var refused *missiond.Error
	if errors.As(err, &refused) && refused.Code == "conflict" {
		return nil
	}
	if err == nil {
		fmt.Println("approved", id)
	}
	return err
}
