/**
 * @generated SignedSource<<c5d74e3ee39109379c9f600aa4473e4f>>
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
export type Running_mission$data = {
  readonly contentCounts: {
    readonly published: number;
  };
  readonly endsAt: string | null | undefined;
  readonly estimatedPosts: number;
  readonly id: string;
  readonly kpiProgress: ReadonlyArray<{
    readonly current: number | null | undefined;
    readonly metric: Metric;
    readonly neededPerDay: number | null | undefined;
    readonly platform: Platform | null | undefined;
    readonly target: number;
    readonly trend: Trend;
  }>;
  readonly name: string;
  readonly platforms: ReadonlyArray<Platform>;
  readonly " $fragmentType": "Running_mission";
};
export type Running_mission$key = {
  readonly " $data"?: Running_mission$data;
  readonly " $fragmentSpreads": FragmentRefs<"Running_mission">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Running_mission",
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
      "name": "name",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "platforms",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "endsAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "estimatedPosts",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "ContentCounts",
      "kind": "LinkedField",
      "name": "contentCounts",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "published",
          "storageKey": null
        }
      ],
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
        }
      ],
      "storageKey": null
    }
  ],
  "type": "Mission",
  "abstractKey": null
};

(node as any).hash = "f9558c16ed2c31617d2e5fd401a4b98f";

export default node;
