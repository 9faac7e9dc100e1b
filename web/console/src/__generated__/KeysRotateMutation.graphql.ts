/**
 * @generated SignedSource<<927f8a8e720754dc63c4062a05487a92>>
 * @relayHash 3dea5388f57f0143833f8ecc05a1f87f
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 47a6931c05f0a812475f19fc30c9ea0957d5022cf22183a67130bbb4977b1354

import { ConcreteRequest } from 'relay-runtime';
export type ApiKeyStatus = "ACTIVE" | "REVOKED" | "ROTATING";
export type KeysRotateMutation$variables = {
  days?: number | null | undefined;
  id: string;
};
export type KeysRotateMutation$data = {
  readonly rotateApiKey: {
    readonly key: string;
    readonly oldApiKey: {
      readonly id: string;
      readonly status: ApiKeyStatus;
      readonly validUntil: string | null | undefined;
    };
  } | null | undefined;
};
export type KeysRotateMutation = {
  response: KeysRotateMutation$data;
  variables: KeysRotateMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "days"
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
        "name": "gracePeriodDays",
        "variableName": "days"
      },
      {
        "kind": "Variable",
        "name": "id",
        "variableName": "id"
      }
    ],
    "concreteType": "RotateApiKeyPayload",
    "kind": "LinkedField",
    "name": "rotateApiKey",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "key",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "ApiKey",
        "kind": "LinkedField",
        "name": "oldApiKey",
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
            "name": "validUntil",
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
    "name": "KeysRotateMutation",
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
    "name": "KeysRotateMutation",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "id": "47a6931c05f0a812475f19fc30c9ea0957d5022cf22183a67130bbb4977b1354",
    "metadata": {},
    "name": "KeysRotateMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "166c111388b4ff651afee6da66663aac";

export default node;
