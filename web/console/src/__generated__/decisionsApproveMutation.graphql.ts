/**
 * @generated SignedSource<<4eccaf6a59bc0ea5e96543dcd9b1a642>>
 * @relayHash 6e57ce78974ac54f0c3eb7d5e39b6f56
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID ba4c7bc6ea7d1f89e978dfe1b8936da482924c12efe53f84983585a021bd3907

import { ConcreteRequest } from 'relay-runtime';
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type decisionsApproveMutation$variables = {
  id: string;
  revision: number;
};
export type decisionsApproveMutation$data = {
  readonly approveContent: {
    readonly content: {
      readonly id: string;
      readonly revision: number;
      readonly status: ContentStatus;
      readonly updatedAt: string;
    };
  } | null | undefined;
};
export type decisionsApproveMutation$rawResponse = {
  readonly approveContent: {
    readonly content: {
      readonly id: string;
      readonly revision: number;
      readonly status: ContentStatus;
      readonly updatedAt: string;
    };
  } | null | undefined;
};
export type decisionsApproveMutation = {
  rawResponse: decisionsApproveMutation$rawResponse;
  response: decisionsApproveMutation$data;
  variables: decisionsApproveMutation$variables;
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
        "name": "revision",
        "variableName": "revision"
      }
    ],
    "concreteType": "ApproveContentPayload",
    "kind": "LinkedField",
    "name": "approveContent",
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
    "name": "decisionsApproveMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "decisionsApproveMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "ba4c7bc6ea7d1f89e978dfe1b8936da482924c12efe53f84983585a021bd3907",
    "metadata": {},
    "name": "decisionsApproveMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "68924ac68f493503c8805c6e04eadd5e";

export default node;
