/**
 * @generated SignedSource<<145317985b0724b240231fa6168a8ffe>>
 * @relayHash b32121c508b76d6cc2acaf12b9bcd01a
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID e8653f600d92b6be29e0fc79ef07e46e9ee9517cdf4324fb34044f79a5340798

import { ConcreteRequest } from 'relay-runtime';
export type ApiKeyStatus = "ACTIVE" | "REVOKED" | "ROTATING";
export type KeysRevokeMutation$variables = {
  id: string;
};
export type KeysRevokeMutation$data = {
  readonly revokeApiKey: {
    readonly alsoRevokedIds: ReadonlyArray<string>;
    readonly apiKey: {
      readonly id: string;
      readonly status: ApiKeyStatus;
    };
  } | null | undefined;
};
export type KeysRevokeMutation = {
  response: KeysRevokeMutation$data;
  variables: KeysRevokeMutation$variables;
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
    "concreteType": "RevokeApiKeyPayload",
    "kind": "LinkedField",
    "name": "revokeApiKey",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "alsoRevokedIds",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "ApiKey",
        "kind": "LinkedField",
        "name": "apiKey",
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
    "name": "KeysRevokeMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "KeysRevokeMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "e8653f600d92b6be29e0fc79ef07e46e9ee9517cdf4324fb34044f79a5340798",
    "metadata": {},
    "name": "KeysRevokeMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "ec3fa02eed3e3f45bf60d0c964499696";

export default node;
