/**
 * @generated SignedSource<<88d2986b5d1f75a0e6e93a0559b35c6f>>
 * @relayHash 139b9ff5c4f773f1134451928406d629
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 5010e53e66d1c1b31767b6f88d8a2779e11a1d30de8f594f275660ffeb79c2f0

import { ConcreteRequest } from 'relay-runtime';
export type ApiKeyStatus = "ACTIVE" | "REVOKED" | "ROTATING";
export type MemberKeys = "KEEP" | "REVOKE";
export type MembersRemoveMutation$variables = {
  id: string;
  keys?: MemberKeys | null | undefined;
};
export type MembersRemoveMutation$data = {
  readonly removeMember: {
    readonly deletedId: string;
    readonly keys: ReadonlyArray<{
      readonly id: string;
      readonly status: ApiKeyStatus;
    }>;
    readonly sessionsEnded: number;
  } | null | undefined;
};
export type MembersRemoveMutation = {
  response: MembersRemoveMutation$data;
  variables: MembersRemoveMutation$variables;
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
    "name": "keys"
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
        "name": "keys",
        "variableName": "keys"
      }
    ],
    "concreteType": "RemoveMemberPayload",
    "kind": "LinkedField",
    "name": "removeMember",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "deletedId",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "sessionsEnded",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "ApiKey",
        "kind": "LinkedField",
        "name": "keys",
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
    "name": "MembersRemoveMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "MembersRemoveMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "5010e53e66d1c1b31767b6f88d8a2779e11a1d30de8f594f275660ffeb79c2f0",
    "metadata": {},
    "name": "MembersRemoveMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "6551f9b8053f0414098db5b7784884f9";

export default node;
