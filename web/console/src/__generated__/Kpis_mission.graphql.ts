/**
 * @generated SignedSource<<fa1b47fa1bcd6133517195df827798d1>>
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
  readonly analytics: {
    readonly days: ReadonlyArray<{
      readonly date: string;
      readonly metrics: {
        readonly clicks: number | null | undefined;
        readonly comments: number | null | undefined;
        readonly engagementRate: number | null | undefined;
        readonly followersGained: number | null | undefined;
        readonly impressions: number | null | undefined;
        readonly likes: number | null | undefined;
        readonly linkClicks: number | null | undefined;
        readonly reach: number | null | undefined;
        readonly shares: number | null | undefined;
      };
    }> | null | undefined;
  } | null | undefined;
  readonly constraints: {
    readonly timezone: string;
  };
  readonly endsAt: string | null | undefined;
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
      "name": "endsAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Constraints",
      "kind": "LinkedField",
      "name": "constraints",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "timezone",
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
    },
    {
      "alias": null,
      "args": [
        {
          "kind": "Literal",
          "name": "groupBy",
          "value": "DAY"
        }
      ],
      "concreteType": "Analytics",
      "kind": "LinkedField",
      "name": "analytics",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "AnalyticsDay",
          "kind": "LinkedField",
          "name": "days",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "date",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "concreteType": "Metrics",
              "kind": "LinkedField",
              "name": "metrics",
              "plural": false,
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
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": "analytics(groupBy:\"DAY\")"
    }
  ],
  "type": "Mission",
  "abstractKey": null
};

(node as any).hash = "f45fcfedd2a8363d9385ea2ad6e596bd";

export default node;
