/**
 * @generated SignedSource<<a059dba92f6feced1860095f8985a587>>
 * @relayHash 6658874119e66e024e9b4648444b931a
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 8cb8ded857058538fa3cf3ebe722040bc184eca5e900b9438e049aee84f295a1

import { ConcreteRequest } from 'relay-runtime';
export type SessionsEndMutation$variables = {
  id: string;
};
export type SessionsEndMutation$data = {
  readonly endSession: {
    readonly endedId: string;
  } | null | undefined;
};
export type SessionsEndMutation = {
  response: SessionsEndMutation$data;
  variables: SessionsEndMutation$variables;
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
    "concreteType": "EndSessionPayload",
    "kind": "LinkedField",
    "name": "endSession",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "endedId",
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
    "name": "SessionsEndMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "SessionsEndMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "8cb8ded857058538fa3cf3ebe722040bc184eca5e900b9438e049aee84f295a1",
    "metadata": {},
    "name": "SessionsEndMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "cea0cec06143961d546cd70f07a8df41";

export default node;
