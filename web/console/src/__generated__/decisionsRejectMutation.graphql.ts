/**
 * @generated SignedSource<<c4b75ad9926aa0e037d580106c300488>>
 * @relayHash 6eb8aef76717350cb5923b1bd0d79a4d
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 651342ff17aa2a1f40b896157e1c111c7973d36a8d4d0490c27fa6c942385a2f

import { ConcreteRequest } from 'relay-runtime';
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type decisionsRejectMutation$variables = {
  id: string;
  reason?: string | null | undefined;
  revision: number;
};
export type decisionsRejectMutation$data = {
  readonly rejectContent: {
    readonly content: {
      readonly id: string;
      readonly rejectionReason: string | null | undefined;
      readonly revision: number;
      readonly status: ContentStatus;
      readonly updatedAt: string;
    };
  } | null | undefined;
};
export type decisionsRejectMutation$rawResponse = {
  readonly rejectContent: {
    readonly content: {
      readonly id: string;
      readonly rejectionReason: string | null | undefined;
      readonly revision: number;
      readonly status: ContentStatus;
      readonly updatedAt: string;
    };
  } | null | undefined;
};
export type decisionsRejectMutation = {
  rawResponse: decisionsRejectMutation$rawResponse;
  response: decisionsRejectMutation$data;
  variables: decisionsRejectMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "id"
  },
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "reason"
  },
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "revision"
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
      },
      {
        "kind": "Variable",
        "name": "reason",
        "variableName": "reason"
      },
      {
        "kind": "Variable",
        "name": "revision",
        "variableName": "revision"
      }
    ],
    "concreteType": "RejectContentPayload",
    "kind": "LinkedField",
    "name": "rejectContent",
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
    "name": "decisionsRejectMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "decisionsRejectMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "651342ff17aa2a1f40b896157e1c111c7973d36a8d4d0490c27fa6c942385a2f",
    "metadata": {},
    "name": "decisionsRejectMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "3fd687b2969996574ae14ee91663aced";

export default node;
