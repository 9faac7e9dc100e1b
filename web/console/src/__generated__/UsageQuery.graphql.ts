/**
 * @generated SignedSource<<9831da246a7ff03ea85a66f756e2abd7>>
 * @relayHash 2c4adebd2477e25e28364757e59c4441
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 6ab430f89a831e2e2ce019c9d96bce96c219a89418a14f6a64a2a4e0e4a101b8

import { ConcreteRequest } from 'relay-runtime';
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
v1 = [
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
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "limit",
            "storageKey": null
          },
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
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "UsageQuery",
    "selections": (v1/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "UsageQuery",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "6ab430f89a831e2e2ce019c9d96bce96c219a89418a14f6a64a2a4e0e4a101b8",
    "metadata": {},
    "name": "UsageQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "8c99688d38bc1e502c607904b10f6871";

export default node;
