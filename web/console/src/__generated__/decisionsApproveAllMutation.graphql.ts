/**
 * @generated SignedSource<<0fd2f543c1989098fb4d82911f121fef>>
 * @relayHash 6235ef96bc8189fa0056f89466b07395
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID fb1cbef62f465f49b3599f6e3519722f5f65d71276d7e21ba93bdd8173aea3a6

import { ConcreteRequest } from 'relay-runtime';
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type decisionsApproveAllMutation$variables = {
  ids: ReadonlyArray<string>;
};
export type decisionsApproveAllMutation$data = {
  readonly approveContents: {
    readonly contents: ReadonlyArray<{
      readonly id: string;
      readonly revision: number;
      readonly status: ContentStatus;
      readonly updatedAt: string;
    }>;
  } | null | undefined;
};
export type decisionsApproveAllMutation$rawResponse = {
  readonly approveContents: {
    readonly contents: ReadonlyArray<{
      readonly id: string;
      readonly revision: number;
      readonly status: ContentStatus;
      readonly updatedAt: string;
    }>;
  } | null | undefined;
};
export type decisionsApproveAllMutation = {
  rawResponse: decisionsApproveAllMutation$rawResponse;
  response: decisionsApproveAllMutation$data;
  variables: decisionsApproveAllMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "ids"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "ids",
        "variableName": "ids"
      }
    ],
    "concreteType": "ApproveContentsPayload",
    "kind": "LinkedField",
    "name": "approveContents",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Content",
        "kind": "LinkedField",
        "name": "contents",
        "plural": true,
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
    "name": "decisionsApproveAllMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "decisionsApproveAllMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "fb1cbef62f465f49b3599f6e3519722f5f65d71276d7e21ba93bdd8173aea3a6",
    "metadata": {},
    "name": "decisionsApproveAllMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "de0a8acbec22572cad67b3fb67ed7b8f";

export default node;
