/**
 * @generated SignedSource<<fae4da4197e1301b5fcad1fcf53b2227>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type Metric = "CLICKS" | "COMMENTS" | "ENGAGEMENT_RATE" | "FOLLOWERS_GAINED" | "IMPRESSIONS" | "LIKES" | "LINK_CLICKS" | "REACH" | "SHARES";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type Trend = "DECLINING" | "IMPROVING" | "STEADY";
import { FragmentRefs } from "relay-runtime";
export type Kpis_mission$data = {
  readonly id: string;
  readonly kpiProgress: ReadonlyArray<{
    readonly current: number | null | undefined;
    readonly metric: Metric;
    readonly neededPerDay: number | null | undefined;
    readonly platform: Platform | null | undefined;
    readonly reportedBy: ReadonlyArray<Platform>;
    readonly target: number;
    readonly trend: Trend;
  }>;
  readonly " $fragmentType": "Kpis_mission";
};
export type Kpis_mission$key = {
  readonly " $data"?: Kpis_mission$data;
  readonly " $fragmentSpreads": FragmentRefs<"Kpis_mission">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Kpis_mission",
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
      "concreteType": "KPIProgress",
      "kind": "LinkedField",
      "name": "kpiProgress",
      "plural": true,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "metric",
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
          "name": "target",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "current",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "trend",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "neededPerDay",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "reportedBy",
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "Mission",
  "abstractKey": null
};

(node as any).hash = "c10bc5d87e6c0575e61bf17e3311df1f";

export default node;
