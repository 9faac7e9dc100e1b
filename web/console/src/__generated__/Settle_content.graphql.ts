/**
 * @generated SignedSource<<f80e8b460cc3ea58624c5c1f2fb608de>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type ContentAction = "APPROVE" | "CANCEL" | "EDIT" | "REGENERATE" | "REJECT" | "REOPEN" | "RESCHEDULE" | "SETTLE";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
import { FragmentRefs } from "relay-runtime";
export type Settle_content$data = {
  readonly allowedActions: ReadonlyArray<ContentAction>;
  readonly id: string;
  readonly platform: Platform;
  readonly " $fragmentType": "Settle_content";
};
export type Settle_content$key = {
  readonly " $data"?: Settle_content$data;
  readonly " $fragmentSpreads": FragmentRefs<"Settle_content">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Settle_content",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "id",
      "storageKey": null
    },
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
      "name": "allowedActions",
      "storageKey": null
    }
  ],
  "type": "Content",
  "abstractKey": null
};

(node as any).hash = "bf716ab9b66ab4377941ea6c51cec970";

export default node;
