/**
 * @generated SignedSource<<e69a2b6676d1d1383f1baef7aa844576>>
 * @relayHash 87eea3e64389c24f6d17bc13425cce22
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 9d9d8acb1177a1200f665dabe37ed49e311e5713cc54be80cb55e7e136dad3d9

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
export type FirstStepsMutation$variables = {
  input: CreateMissionInput;
};
export type FirstStepsMutation$data = {
  readonly createMission: {
    readonly mission: {
      readonly id: string;
    };
  } | null | undefined;
};
export type FirstStepsMutation = {
  response: FirstStepsMutation$data;
  variables: FirstStepsMutation$variables;
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
    "name": "FirstStepsMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "FirstStepsMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "9d9d8acb1177a1200f665dabe37ed49e311e5713cc54be80cb55e7e136dad3d9",
    "metadata": {},
    "name": "FirstStepsMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "913fcc9e2a205c991153a2c22626643f";

export default node;
