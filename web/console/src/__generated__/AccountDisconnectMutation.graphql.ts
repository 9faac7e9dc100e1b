/**
 * @generated SignedSource<<ca6f55f1c032bcb888b9887490989e96>>
 * @relayHash 3349c36e41387d0873826646683cdbd6
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 3e24066b1949b5cc49c67d58ef664eea9415e0d1bb3f9bf6e0124597027cf926

import { ConcreteRequest } from 'relay-runtime';
export type AccountDisconnectMutation$variables = {
  id: string;
};
export type AccountDisconnectMutation$data = {
  readonly disconnectIntegration: {
    readonly deletedId: string;
  } | null | undefined;
};
export type AccountDisconnectMutation = {
  response: AccountDisconnectMutation$data;
  variables: AccountDisconnectMutation$variables;
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
    "concreteType": "DisconnectIntegrationPayload",
    "kind": "LinkedField",
    "name": "disconnectIntegration",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "deletedId",
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
    "name": "AccountDisconnectMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "AccountDisconnectMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "3e24066b1949b5cc49c67d58ef664eea9415e0d1bb3f9bf6e0124597027cf926",
    "metadata": {},
    "name": "AccountDisconnectMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "ff3ff8ca525dfc74f5902129cbf6393e";

export default node;
