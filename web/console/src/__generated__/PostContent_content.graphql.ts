/**
 * @generated SignedSource<<800659bc9d2eb9c9dab482836f7206de>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type CommentStatus = "CANCELED" | "FAILED" | "PUBLISHED" | "PUBLISHING" | "UNKNOWN" | "WAITING";
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type ContentType = "ARTICLE" | "POST" | "THREAD";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
import { FragmentRefs } from "relay-runtime";
export type PostContent_content$data = {
  readonly accountHandle: string | null | undefined;
  readonly firstComment: {
    readonly error: {
      readonly message: string;
    } | null | undefined;
    readonly platformUrl: string | null | undefined;
    readonly status: CommentStatus;
    readonly text: string;
  } | null | undefined;
  readonly integrationId: string | null | undefined;
  readonly parts: ReadonlyArray<string>;
  readonly platform: Platform;
  readonly platformUrl: string | null | undefined;
  readonly publishedAt: string | null | undefined;
  readonly scheduledAt: string | null | undefined;
  readonly status: ContentStatus;
  readonly text: string;
  readonly type: ContentType;
  readonly " $fragmentType": "PostContent_content";
};
export type PostContent_content$key = {
  readonly " $data"?: PostContent_content$data;
  readonly " $fragmentSpreads": FragmentRefs<"PostContent_content">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "text",
  "storageKey": null
},
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "platformUrl",
  "storageKey": null
};
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "PostContent_content",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "platform",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "integrationId",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "accountHandle",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "type",
      "storageKey": null
    },
    (v0/*:: as any*/),
    (v1/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "parts",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "FirstComment",
      "kind": "LinkedField",
      "name": "firstComment",
      "plural": false,
      "selections": [
        (v1/*:: as any*/),
        (v0/*:: as any*/),
        (v2/*:: as any*/),
        {
          "alias": null,
          "args": null,
          "concreteType": "Failure",
          "kind": "LinkedField",
          "name": "error",
          "plural": false,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "message",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "scheduledAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "publishedAt",
      "storageKey": null
    },
    (v2/*:: as any*/)
  ],
  "type": "Content",
  "abstractKey": null
};
})();

(node as any).hash = "e4dc219da191e96d09ac5a92bb8ac1fd";

export default node;
