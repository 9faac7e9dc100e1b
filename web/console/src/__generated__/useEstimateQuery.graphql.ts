/**
 * @generated SignedSource<<730a288112a18f697344bc16cb2c1a17>>
 * @relayHash f8fbdf57105c190932700ceb17aad017
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 9b7586c7969c4cf77eac9eaac2affd85a49403d0543271db75fc0bdaa0bfe47a

import { ConcreteRequest } from 'relay-runtime';
export type Cadence = "BIWEEKLY" | "DAILY" | "MONTHLY" | "WEEKDAYS" | "WEEKLY";
export type Metric = "CLICKS" | "COMMENTS" | "ENGAGEMENT_RATE" | "FOLLOWERS_GAINED" | "IMPRESSIONS" | "LIKES" | "LINK_CLICKS" | "REACH" | "SHARES";
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
export type useEstimateQuery$variables = {
  input: CreateMissionInput;
};
export type useEstimateQuery$data = {
  readonly estimateMission: {
    readonly endsAt: string | null | undefined;
    readonly estimatedCostCents: number | null | undefined;
    readonly estimatedPosts: number | null | undefined;
    readonly firstSlots: ReadonlyArray<{
      readonly accountHandle: string | null | undefined;
      readonly at: string;
      readonly platform: Platform;
    }>;
    readonly notices: ReadonlyArray<{
      readonly message: string;
      readonly param: string;
    }>;
    readonly problems: ReadonlyArray<{
      readonly message: string;
      readonly path: string;
    }>;
  } | null | undefined;
};
export type useEstimateQuery = {
  response: useEstimateQuery$data;
  variables: useEstimateQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "message",
  "storageKey": null
},
v2 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "MissionEstimate",
    "kind": "LinkedField",
    "name": "estimateMission",
    "plural": false,
    "selections": [
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
        "kind": "ScalarField",
        "name": "endsAt",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "estimatedCostCents",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "EstimatedSlot",
        "kind": "LinkedField",
        "name": "firstSlots",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "at",
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
            "name": "accountHandle",
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
          (v1/*:: as any*/)
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "InputProblem",
        "kind": "LinkedField",
        "name": "problems",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "path",
            "storageKey": null
          },
          (v1/*:: as any*/)
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
    "name": "useEstimateQuery",
    "selections": (v2/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "useEstimateQuery",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "id": "9b7586c7969c4cf77eac9eaac2affd85a49403d0543271db75fc0bdaa0bfe47a",
    "metadata": {},
    "name": "useEstimateQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "d66df4185fafdbd7bcb95ccfdc3184bf";

export default node;
