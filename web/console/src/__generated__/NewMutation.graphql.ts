/**
 * @generated SignedSource<<cd5e7e4e6a601e820fe023b04dfbaf8b>>
 * @relayHash 387c50ac095fe52be9712191b7c8beb7
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 1b1bdb965e7bd5f885cfb56e203f82d4cc30c305f8bd23abe4d059555aabdc5f

import { ConcreteRequest } from 'relay-runtime';
export type Cadence = "BIWEEKLY" | "DAILY" | "MONTHLY" | "WEEKDAYS" | "WEEKLY";
export type Metric = "CLICKS" | "COMMENTS" | "ENGAGEMENT_RATE" | "FOLLOWERS_GAINED" | "IMPRESSIONS" | "LIKES" | "LINK_CLICKS" | "REACH" | "SHARES";
export type MissionStatus = "ACTIVE" | "COMPLETED" | "DRAFT" | "PAUSED";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type Visibility = "PRIVATE" | "PUBLIC" | "UNLISTED";
export type CreateMissionInput = {
  constraints?: ConstraintsInput | null | undefined;
  description?: string | null | undefined;
  durationDays: number;
  integrationIds?: ReadonlyArray<string> | null | undefined;
  kpis?: ReadonlyArray<KPIInput> | null | undefined;
  name: string;
  objectives: ReadonlyArray<string>;
  platforms: ReadonlyArray<Platform>;
  startImmediately?: boolean | null | undefined;
  startsAt?: string | null | undefined;
};
export type ConstraintsInput = {
  budgetCents?: number | null | undefined;
  cadence?: Cadence | null | undefined;
  excludedTopics?: ReadonlyArray<string> | null | undefined;
  language?: string | null | undefined;
  postingTimes?: ReadonlyArray<string> | null | undefined;
  postsPerDay?: number | null | undefined;
  requireApproval?: boolean | null | undefined;
  timezone?: string | null | undefined;
  tone?: string | null | undefined;
  visibility?: Visibility | null | undefined;
};
export type KPIInput = {
  metric: Metric;
  platform?: Platform | null | undefined;
  target: number;
};
export type NewMutation$variables = {
  input: CreateMissionInput;
};
export type NewMutation$data = {
  readonly createMission: {
    readonly mission: {
      readonly id: string;
      readonly status: MissionStatus;
    };
  } | null | undefined;
};
export type NewMutation = {
  response: NewMutation$data;
  variables: NewMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "CreateMissionPayload",
    "kind": "LinkedField",
    "name": "createMission",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Mission",
        "kind": "LinkedField",
        "name": "mission",
        "plural": false,
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
            "name": "status",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "NewMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "NewMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "1b1bdb965e7bd5f885cfb56e203f82d4cc30c305f8bd23abe4d059555aabdc5f",
    "metadata": {},
    "name": "NewMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "61ad00ab01bd71bb2aca14b182816706";

export default node;
