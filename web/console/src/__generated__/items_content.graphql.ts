/**
 * @generated SignedSource<<4554ff765a0a5f16a9961b4a9b02ecf3>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderInlineDataFragment } from 'relay-runtime';
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type ContentType = "ARTICLE" | "POST" | "THREAD";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
import { FragmentRefs } from "relay-runtime";
export type items_content$data = {
  readonly accountHandle: string | null | undefined;
  readonly error: {
    readonly message: string;
  } | null | undefined;
  readonly id: string;
  readonly missionId: string;
  readonly platform: Platform;
  readonly publishedAt: string | null | undefined;
  readonly scheduledAt: string | null | undefined;
  readonly status: ContentStatus;
  readonly text: string;
  readonly type: ContentType;
  readonly " $fragmentType": "items_content";
};
export type items_content$key = {
  readonly " $data"?: items_content$data;
  readonly " $fragmentSpreads": FragmentRefs<"items_content">;
};

const node: ReaderInlineDataFragment = {
  "kind": "InlineDataFragment",
  "name": "items_content"
};

(node as any).hash = "3b1ee1a8c4925f39ccb7a94421e8d0a7";

export default node;
