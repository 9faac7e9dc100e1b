/**
 * @generated SignedSource<<6ac4656ccf241087c369a479d5a76eb4>>
 * @relayHash 5bcac443c4a8d39c301831361d500e8a
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID e083942178125b725a8989c24521ec04cd2df7f3b3adbbd9ef8f4bf55eefe24f

import { ConcreteRequest } from 'relay-runtime';
export type BellMutation$variables = {
  id: string;
};
export type BellMutation$data = {
  readonly markNotificationsRead: {
    readonly notifications: ReadonlyArray<{
      readonly id: string;
      readonly readAt: string | null | undefined;
    }>;
  } | null | undefined;
};
export type BellMutation = {
  response: BellMutation$data;
  variables: BellMutation$variables;
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
        "items": [
          {
            "kind": "Variable",
            "name": "ids.0",
            "variableName": "id"
          }
        ],
        "kind": "ListValue",
        "name": "ids"
      }
    ],
    "concreteType": "MarkNotificationsReadPayload",
    "kind": "LinkedField",
    "name": "markNotificationsRead",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Notification",
        "kind": "LinkedField",
        "name": "notifications",
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
            "name": "readAt",
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
    "name": "BellMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "BellMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "e083942178125b725a8989c24521ec04cd2df7f3b3adbbd9ef8f4bf55eefe24f",
    "metadata": {},
    "name": "BellMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "8dfdfa7c7993c4b7a9b5a4bd9f577561";

export default node;
