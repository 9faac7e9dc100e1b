/**
 * @generated SignedSource<<f8f535e46177e5c087e95c4093f2436b>>
 * @relayHash c1a75635f5379afcf47f09f6313af107
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 0c095cf2e78d37b0fa0dbf227c85dbfe21edc992c6aee8d20cd3454a3248a20d

import { ConcreteRequest } from 'relay-runtime';
export type LimitKind = "INTEGRATIONS" | "MISSION_POSTS" | "OPERATION" | "OPERATION_COST" | "REQUESTS" | "WEBHOOKS";
export type UsageQuery$variables = Record<PropertyKey, never>;
export type UsageQuery$data = {
  readonly usage: {
    readonly currentPeriod: {
      readonly limit: number;
      readonly requests: number;
      readonly resetAt: string;
    };
    readonly dailyUsage: ReadonlyArray<{
      readonly date: string;
      readonly requests: number;
    }>;
  } | null | undefined;
  readonly viewer: {
    readonly tenant: {
      readonly id: string;
      readonly limits: ReadonlyArray<{
        readonly burst: number | null | undefined;
        readonly kind: LimitKind;
        readonly limit: number;
        readonly operation: string | null | undefined;
        readonly perSeconds: number | null | undefined;
        readonly used: number | null | undefined;
      }> | null | undefined;
    };
  } | null | undefined;
};
export type UsageQuery = {
  response: UsageQuery$data;
  variables: UsageQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "requests",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "limit",
  "storageKey": null
},
v2 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "Usage",
    "kind": "LinkedField",
    "name": "usage",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "UsagePeriod",
        "kind": "LinkedField",
        "name": "currentPeriod",
        "plural": false,
        "selections": [
          (v0/*:: as any*/),
          (v1/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "resetAt",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "DayUsage",
        "kind": "LinkedField",
        "name": "dailyUsage",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "date",
            "storageKey": null
          },
          (v0/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  },
  {
    "alias": null,
    "args": null,
    "concreteType": "Viewer",
    "kind": "LinkedField",
    "name": "viewer",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Tenant",
        "kind": "LinkedField",
        "name": "tenant",
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
            "concreteType": "TenantLimit",
            "kind": "LinkedField",
            "name": "limits",
            "plural": true,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "kind",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "operation",
                "storageKey": null
              },
              (v1/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "perSeconds",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "burst",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "used",
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
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "UsageQuery",
    "selections": (v2/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "UsageQuery",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "id": "0c095cf2e78d37b0fa0dbf227c85dbfe21edc992c6aee8d20cd3454a3248a20d",
    "metadata": {},
    "name": "UsageQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "5fc1ce0231d040144f77ad500bd4b223";

export default node;
