/**
 * @generated SignedSource<<1ea289b45d03f8d2d7c333470466ac46>>
 * @relayHash 161f88c18fc9421eb8d9fddf1c82ac22
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID f914f71e06fd46cb2537cb5efc4eb518d1c17024f64120121ec33d8bce6ba49d

import { ConcreteRequest } from 'relay-runtime';
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type decisionsReopenMutation$variables = {
  id: string;
};
export type decisionsReopenMutation$data = {
  readonly reopenContent: {
    readonly content: {
      readonly expiresAt: string | null | undefined;
      readonly id: string;
      readonly rejectionReason: string | null | undefined;
      readonly revision: number;
      readonly scheduledAt: string | null | undefined;
      readonly status: ContentStatus;
      readonly updatedAt: string;
    };
  } | null | undefined;
};
export type decisionsReopenMutation = {
  response: decisionsReopenMutation$data;
  variables: decisionsReopenMutation$variables;
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
    "concreteType": "ReopenContentPayload",
    "kind": "LinkedField",
    "name": "reopenContent",
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
            "name": "revision",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "expiresAt",
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
            "name": "rejectionReason",
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
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "decisionsReopenMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "decisionsReopenMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "f914f71e06fd46cb2537cb5efc4eb518d1c17024f64120121ec33d8bce6ba49d",
    "metadata": {},
    "name": "decisionsReopenMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "7d1113b56d25351135c53be940140f64";

export default node;
