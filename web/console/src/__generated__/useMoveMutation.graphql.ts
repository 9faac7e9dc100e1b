/**
 * @generated SignedSource<<0f97b6b886684d4af4b36f6614431ee5>>
 * @relayHash ef3712b2f18b667a5a0cbb8b04088483
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 0d649f8577b2008a42626d6ae1d7ccff165cea46ba05cff82bb4fb7df30df926

import { ConcreteRequest } from 'relay-runtime';
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type useMoveMutation$variables = {
  at: string;
  id: string;
};
export type useMoveMutation$data = {
  readonly rescheduleContent: {
    readonly content: {
      readonly id: string;
      readonly scheduledAt: string | null | undefined;
      readonly status: ContentStatus;
      readonly updatedAt: string;
    };
  } | null | undefined;
};
export type useMoveMutation$rawResponse = {
  readonly rescheduleContent: {
    readonly content: {
      readonly id: string;
      readonly scheduledAt: string | null | undefined;
      readonly status: ContentStatus;
      readonly updatedAt: string;
    };
  } | null | undefined;
};
export type useMoveMutation = {
  rawResponse: useMoveMutation$rawResponse;
  response: useMoveMutation$data;
  variables: useMoveMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "at"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "id"
},
v2 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "id",
        "variableName": "id"
      },
      {
        "kind": "Variable",
        "name": "scheduledAt",
        "variableName": "at"
      }
    ],
    "concreteType": "RescheduleContentPayload",
    "kind": "LinkedField",
    "name": "rescheduleContent",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Content",
        "kind": "LinkedField",
        "name": "content",
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
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "scheduledAt",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "updatedAt",
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
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "useMoveMutation",
    "selections": (v2/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v1/*:: as any*/),
      (v0/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "useMoveMutation",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "id": "0d649f8577b2008a42626d6ae1d7ccff165cea46ba05cff82bb4fb7df30df926",
    "metadata": {},
    "name": "useMoveMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "1f343068a8a1d91eb2b56450892b7ac7";

export default node;
