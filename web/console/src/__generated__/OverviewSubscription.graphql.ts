/**
 * @generated SignedSource<<c8790aca0e697c174771040a697a40d4>>
 * @relayHash 94a5863d7ed1120aef6966d68a1ae811
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 6eb1e1eaa1c567f5ba582d873763d7b523938c69a18277ee415434f4e98e2025

import { ConcreteRequest } from 'relay-runtime';
export type Metric = "CLICKS" | "COMMENTS" | "ENGAGEMENT_RATE" | "FOLLOWERS_GAINED" | "IMPRESSIONS" | "LIKES" | "LINK_CLICKS" | "REACH" | "SHARES";
export type MissionStatus = "ACTIVE" | "COMPLETED" | "DRAFT" | "PAUSED";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type Trend = "DECLINING" | "IMPROVING" | "STEADY";
export type OverviewSubscription$variables = {
  id: string;
};
export type OverviewSubscription$data = {
  readonly missionStatus: {
    readonly mission: {
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
      readonly name: string;
      readonly status: MissionStatus;
    } | null | undefined;
  } | null | undefined;
};
export type OverviewSubscription = {
  response: OverviewSubscription$data;
  variables: OverviewSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "id"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "id",
        "variableName": "id"
      }
    ],
    "concreteType": "MissionStatusView",
    "kind": "LinkedField",
    "name": "missionStatus",
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
    "name": "OverviewSubscription",
    "selections": (v1/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "OverviewSubscription",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "6eb1e1eaa1c567f5ba582d873763d7b523938c69a18277ee415434f4e98e2025",
    "metadata": {},
    "name": "OverviewSubscription",
    "operationKind": "subscription",
    "text": null
  }
};
})();

(node as any).hash = "4b86c55ce0222e2fabc68fe2e345dddc";

export default node;
