/**
 * @generated SignedSource<<309007558a253015d327288285e22fa1>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type Analytics_metrics$data = {
  readonly clicks: number | null | undefined;
  readonly comments: number | null | undefined;
  readonly engagementRate: number | null | undefined;
  readonly followersGained: number | null | undefined;
  readonly impressions: number | null | undefined;
  readonly likes: number | null | undefined;
  readonly linkClicks: number | null | undefined;
  readonly reach: number | null | undefined;
  readonly shares: number | null | undefined;
  readonly " $fragmentType": "Analytics_metrics";
};
export type Analytics_metrics$key = {
  readonly " $data"?: Analytics_metrics$data;
  readonly " $fragmentSpreads": FragmentRefs<"Analytics_metrics">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Analytics_metrics",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "engagementRate",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "impressions",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "clicks",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "linkClicks",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "likes",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "comments",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "shares",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "followersGained",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "reach",
      "storageKey": null
    }
  ],
  "type": "Metrics",
  "abstractKey": null
};

(node as any).hash = "c57207ee8e7fd08eff3a71be544cd84a";

export default node;
