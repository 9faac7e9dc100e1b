/**
 * @generated SignedSource<<cd6640bda7617d6e0562067aca10859f>>
 * @relayHash d1e1e18d95140c73ad474f6622ffac02
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 4d3efe5e0f7bc7cdf54165a1ff3d9ace82e9208ebbb8ac4afd42a2878ea88a5a

import { ConcreteRequest } from 'relay-runtime';
export type DeliveryQuery$variables = {
  id: string;
};
export type DeliveryQuery$data = {
  readonly delivery: {
    readonly attempts: ReadonlyArray<{
      readonly at: string;
      readonly durationMs: number;
      readonly error: string | null | undefined;
      readonly response: string;
      readonly statusCode: number | null | undefined;
    }> | null | undefined;
    readonly event: {
      readonly data: Record<string, unknown>;
      readonly id: string;
    } | null | undefined;
    readonly eventId: string;
    readonly id: string;
  } | null | undefined;
};
export type DeliveryQuery = {
  response: DeliveryQuery$data;
  variables: DeliveryQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "id"
  }
],
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v2 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "id",
        "variableName": "id"
      }
    ],
    "concreteType": "Delivery",
    "kind": "LinkedField",
    "name": "delivery",
    "plural": false,
    "selections": [
      (v1/*:: as any*/),
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "eventId",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "Event",
        "kind": "LinkedField",
        "name": "event",
        "plural": false,
        "selections": [
          (v1/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "data",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "DeliveryAttempt",
        "kind": "LinkedField",
        "name": "attempts",
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
            "name": "statusCode",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "durationMs",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "error",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "response",
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
    "name": "DeliveryQuery",
    "selections": (v2/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "DeliveryQuery",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "id": "4d3efe5e0f7bc7cdf54165a1ff3d9ace82e9208ebbb8ac4afd42a2878ea88a5a",
    "metadata": {},
    "name": "DeliveryQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "43958d015742253f1b22cc58f9eed108";

export default node;
