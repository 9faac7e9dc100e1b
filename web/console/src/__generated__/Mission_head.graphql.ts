/**
 * @generated SignedSource<<14258dab5a0209426c25a7efe0e3d07b>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type Cadence = "BIWEEKLY" | "DAILY" | "MONTHLY" | "WEEKDAYS" | "WEEKLY";
export type MissionStatus = "ACTIVE" | "COMPLETED" | "DRAFT" | "PAUSED";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
import { FragmentRefs } from "relay-runtime";
export type Mission_head$data = {
  readonly constraints: {
    readonly budgetCents: number | null | undefined;
    readonly cadence: Cadence;
    readonly postsPerDay: number;
    readonly requireApproval: boolean;
    readonly timezone: string;
  };
  readonly contentCounts: {
    readonly pendingReview: number;
    readonly published: number;
    readonly scheduled: number;
  };
  readonly durationDays: number;
  readonly endsAt: string | null | undefined;
  readonly estimatedPosts: number;
  readonly id: string;
  readonly name: string;
  readonly nextPublishAt: string | null | undefined;
  readonly notices: ReadonlyArray<{
    readonly message: string;
    readonly param: string;
  }>;
  readonly pausedAt: string | null | undefined;
  readonly platforms: ReadonlyArray<Platform>;
  readonly reservedCents: number;
  readonly spentCents: number;
  readonly startsAt: string | null | undefined;
  readonly status: MissionStatus;
  readonly " $fragmentType": "Mission_head";
};
export type Mission_head$key = {
  readonly " $data"?: Mission_head$data;
  readonly " $fragmentSpreads": FragmentRefs<"Mission_head">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Mission_head",
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
      "name": "status",
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
      "name": "startsAt",
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
      "name": "pausedAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "nextPublishAt",
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
      "name": "estimatedPosts",
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
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "spentCents",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "reservedCents",
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
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "pendingReview",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "scheduled",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Notice",
      "kind": "LinkedField",
      "name": "notices",
      "plural": true,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "param",
          "storageKey": null
        },
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
  "type": "Mission",
  "abstractKey": null
};

(node as any).hash = "d381da3d09c5628fc1c284b2b041d96e";

export default node;
