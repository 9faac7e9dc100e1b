/**
 * @generated SignedSource<<968df1f34211fc53da059295b9144e33>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type Cadence = "BIWEEKLY" | "DAILY" | "MONTHLY" | "WEEKDAYS" | "WEEKLY";
export type Metric = "CLICKS" | "COMMENTS" | "ENGAGEMENT_RATE" | "FOLLOWERS_GAINED" | "IMPRESSIONS" | "LIKES" | "LINK_CLICKS" | "REACH" | "SHARES";
export type MissionAction = "COMPLETE" | "DELETE" | "PAUSE" | "RESUME" | "START" | "UPDATE";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
import { FragmentRefs } from "relay-runtime";
export type Plan_mission$data = {
  readonly allowedActions: ReadonlyArray<MissionAction>;
  readonly constraints: {
    readonly budgetCents: number | null | undefined;
    readonly cadence: Cadence;
    readonly excludedTopics: ReadonlyArray<string>;
    readonly postingTimes: ReadonlyArray<string>;
    readonly postsPerDay: number;
    readonly requireApproval: boolean;
    readonly timezone: string;
    readonly tone: string | null | undefined;
  };
  readonly description: string;
  readonly durationDays: number;
  readonly id: string;
  readonly kpis: ReadonlyArray<{
    readonly metric: Metric;
    readonly platform: Platform | null | undefined;
    readonly target: number;
  }>;
  readonly name: string;
  readonly objectives: ReadonlyArray<string>;
  readonly platforms: ReadonlyArray<Platform>;
  readonly " $fragmentType": "Plan_mission";
};
export type Plan_mission$key = {
  readonly " $data"?: Plan_mission$data;
  readonly " $fragmentSpreads": FragmentRefs<"Plan_mission">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Plan_mission",
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
      "name": "description",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "objectives",
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
      "name": "durationDays",
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
      "concreteType": "Constraints",
      "kind": "LinkedField",
      "name": "constraints",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "tone",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "cadence",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "postsPerDay",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "postingTimes",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "timezone",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "requireApproval",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "budgetCents",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "excludedTopics",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "KPI",
      "kind": "LinkedField",
      "name": "kpis",
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
          "name": "target",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "platform",
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "Mission",
  "abstractKey": null
};

(node as any).hash = "b45c33adc6c9b9c2cdd5ac6ac86117a5";

export default node;
