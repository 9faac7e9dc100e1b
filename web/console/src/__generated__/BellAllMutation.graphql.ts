/**
 * @generated SignedSource<<68b3ed9e43ec698ca373e2c4ca9f1754>>
 * @relayHash fae836892af0217b2b8377eab58732f3
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 126cbdefc0a7c6c5fbde334e8ada4e3d8a0b706efd80bcaba5420d3ff2b423a4

import { ConcreteRequest } from 'relay-runtime';
export type BellAllMutation$variables = {
  upTo?: string | null | undefined;
};
export type BellAllMutation$data = {
  readonly markAllNotificationsRead: {
    readonly marked: number;
  } | null | undefined;
};
export type BellAllMutation = {
  response: BellAllMutation$data;
  variables: BellAllMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "upTo"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "upTo",
        "variableName": "upTo"
      }
    ],
    "concreteType": "MarkAllNotificationsReadPayload",
    "kind": "LinkedField",
    "name": "markAllNotificationsRead",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "marked",
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
    "name": "BellAllMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "BellAllMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "126cbdefc0a7c6c5fbde334e8ada4e3d8a0b706efd80bcaba5420d3ff2b423a4",
    "metadata": {},
    "name": "BellAllMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "79044bf1c8fff0b787ab45396b421fdb";

export default node;
