/**
 * @generated SignedSource<<a298ceeb5c88d73d1795d471a035cf39>>
 * @relayHash 6b07f485a1d7f5e99fb134f0aa2ebcdb
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID c68a4bf77fe5c68e6bcf336567f4dfbe3ffac7159ecac54d8b93ec5f7ed890af

import { ConcreteRequest } from 'relay-runtime';
export type BellSubscription$variables = {
  after?: string | null | undefined;
};
export type BellSubscription$data = {
  readonly notifications: {
    readonly id: string;
  } | null | undefined;
};
export type BellSubscription = {
  response: BellSubscription$data;
  variables: BellSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "after"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "after",
        "variableName": "after"
      }
    ],
    "concreteType": "Notification",
    "kind": "LinkedField",
    "name": "notifications",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "id",
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
    "name": "BellSubscription",
    "selections": (v1/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "BellSubscription",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "c68a4bf77fe5c68e6bcf336567f4dfbe3ffac7159ecac54d8b93ec5f7ed890af",
    "metadata": {},
    "name": "BellSubscription",
    "operationKind": "subscription",
    "text": null
  }
};
})();

(node as any).hash = "a89fc835dbb0aa7f2abfdc9a82a7fe01";

export default node;
