/**
 * @generated SignedSource<<ed38dda2e53f0f7de290e974d9f652b5>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type ContentAction = "APPROVE" | "CANCEL" | "EDIT" | "REGENERATE" | "REJECT" | "REOPEN" | "RESCHEDULE" | "SETTLE";
export type ContentType = "ARTICLE" | "POST" | "THREAD";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
import { FragmentRefs } from "relay-runtime";
export type Review_content$data = {
  readonly accountHandle: string | null | undefined;
  readonly allowedActions: ReadonlyArray<ContentAction>;
  readonly createdAt: string;
  readonly expiresAt: string | null | undefined;
  readonly firstComment: {
    readonly text: string;
  } | null | undefined;
  readonly id: string;
  readonly integrationId: string | null | undefined;
  readonly mission: {
    readonly id: string;
    readonly name: string;
  } | null | undefined;
  readonly parts: ReadonlyArray<string>;
  readonly platform: Platform;
  readonly revision: number;
  readonly scheduledAt: string | null | undefined;
  readonly text: string;
  readonly type: ContentType;
  readonly " $fragmentSpreads": FragmentRefs<"PostContent_content">;
  readonly " $fragmentType": "Review_content";
};
export type Review_content$key = {
  readonly " $data"?: Review_content$data;
  readonly " $fragmentSpreads": FragmentRefs<"Review_content">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "text",
  "storageKey": null
};
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Review_content",
  "selections": [
    (v0/*:: as any*/),
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
        (v1/*:: as any*/)
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "revision",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "allowedActions",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "createdAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "expiresAt",
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
      "concreteType": "Mission",
      "kind": "LinkedField",
      "name": "mission",
      "plural": false,
      "selections": [
        (v0/*:: as any*/),
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "name",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "args": null,
      "kind": "FragmentSpread",
      "name": "PostContent_content"
    }
  ],
  "type": "Content",
  "abstractKey": null
};
})();

(node as any).hash = "8eb9910059bab03cc2b29cacb1fae814";

export default node;
