/**
 * @generated SignedSource<<0fc3eeb2c73674b7aec4502b8e777d1c>>
 * @relayHash 3b1374229aeb49ef048b29541a7ec0bb
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID c0c2d2494e260c9659e9882a863468141f2df19cdbd1cacec8764c73edb0da57

import { ConcreteRequest } from 'relay-runtime';
export type Scope = "ADMIN" | "ANALYTICS_READ" | "CONTENT_READ" | "CONTENT_WRITE" | "INTEGRATIONS_READ" | "INTEGRATIONS_WRITE" | "MISSIONS_READ" | "MISSIONS_WRITE";
export type CreateApiKeyInput = {
  expiresInDays?: number | null | undefined;
  name: string;
  scopes?: ReadonlyArray<Scope> | null | undefined;
};
export type KeysCreateMutation$variables = {
  input: CreateApiKeyInput;
};
export type KeysCreateMutation$data = {
  readonly createApiKey: {
    readonly key: string;
  } | null | undefined;
};
export type KeysCreateMutation = {
  response: KeysCreateMutation$data;
  variables: KeysCreateMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "CreateApiKeyPayload",
    "kind": "LinkedField",
    "name": "createApiKey",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "key",
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
    "name": "KeysCreateMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "KeysCreateMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "c0c2d2494e260c9659e9882a863468141f2df19cdbd1cacec8764c73edb0da57",
    "metadata": {},
    "name": "KeysCreateMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "39535a02bfd76c2e71449beca76abca9";

export default node;
