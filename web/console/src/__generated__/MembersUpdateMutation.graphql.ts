/**
 * @generated SignedSource<<1d889bbc8a39e85a1c56250ac5871acb>>
 * @relayHash 9517912d32eb02ad38ea86136c1d7d9f
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 453868c2b5aadf291d152340bb4e90de9d3abc64ce07c65351b0c75c27dc3801

import { ConcreteRequest } from 'relay-runtime';
export type Role = "ADMIN" | "EDITOR" | "VIEWER";
export type MembersUpdateMutation$variables = {
  id: string;
  role: Role;
};
export type MembersUpdateMutation$data = {
  readonly updateMember: {
    readonly member: {
      readonly id: string;
      readonly role: Role;
    };
  } | null | undefined;
};
export type MembersUpdateMutation$rawResponse = {
  readonly updateMember: {
    readonly member: {
      readonly id: string;
      readonly role: Role;
    };
  } | null | undefined;
};
export type MembersUpdateMutation = {
  rawResponse: MembersUpdateMutation$rawResponse;
  response: MembersUpdateMutation$data;
  variables: MembersUpdateMutation$variables;
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
    "name": "role"
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
        "name": "role",
        "variableName": "role"
      }
    ],
    "concreteType": "UpdateMemberPayload",
    "kind": "LinkedField",
    "name": "updateMember",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "member",
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
            "name": "role",
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
    "name": "MembersUpdateMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "MembersUpdateMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "453868c2b5aadf291d152340bb4e90de9d3abc64ce07c65351b0c75c27dc3801",
    "metadata": {},
    "name": "MembersUpdateMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "7d8daa44d710f442b1102b1812088977";

export default node;
