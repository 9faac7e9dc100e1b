/**
 * @generated SignedSource<<a16bcfd7ab6827b626c848a8ddf297c5>>
 * @relayHash 9e5b0251103d1136f47fb5d9328cb260
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 513b709bf39904f2e0376b8935d40ed88dc9e3e233f2989c97fdbf26a1fd0fbe

import { ConcreteRequest } from 'relay-runtime';
export type actionsDeleteMutation$variables = {
  id: string;
};
export type actionsDeleteMutation$data = {
  readonly deleteMission: {
    readonly deletedId: string;
  } | null | undefined;
};
export type actionsDeleteMutation = {
  response: actionsDeleteMutation$data;
  variables: actionsDeleteMutation$variables;
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
    "kind": "Variable",
    "name": "id",
    "variableName": "id"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "deletedId",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "actionsDeleteMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "DeleteMissionPayload",
        "kind": "LinkedField",
        "name": "deleteMission",
        "plural": false,
        "selections": [
          (v2/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "actionsDeleteMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "DeleteMissionPayload",
        "kind": "LinkedField",
        "name": "deleteMission",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "filters": null,
            "handle": "deleteRecord",
            "key": "",
            "kind": "ScalarHandle",
            "name": "deletedId"
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "513b709bf39904f2e0376b8935d40ed88dc9e3e233f2989c97fdbf26a1fd0fbe",
    "metadata": {},
    "name": "actionsDeleteMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "b4aad2bded019dc7f8cbb857f2d3c08f";

export default node;
