/**
 * @generated SignedSource<<98ba73410960cfcfdc07f5afdd7ffc1e>>
 * @relayHash f8f941a6a7d5fe83163b247172e7afd9
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 459b8396251aa134aa273829c7ceedbec06cb8696f384792b8eb45f970c77e1d

import { ConcreteRequest } from 'relay-runtime';
export type actionsDuplicateMutation$variables = {
  id: string;
};
export type actionsDuplicateMutation$data = {
  readonly duplicateMission: {
    readonly mission: {
      readonly id: string;
      readonly name: string;
    };
  } | null | undefined;
};
export type actionsDuplicateMutation = {
  response: actionsDuplicateMutation$data;
  variables: actionsDuplicateMutation$variables;
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
    "concreteType": "DuplicateMissionPayload",
    "kind": "LinkedField",
    "name": "duplicateMission",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Mission",
        "kind": "LinkedField",
        "name": "mission",
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
            "name": "name",
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
    "name": "actionsDuplicateMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "actionsDuplicateMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "459b8396251aa134aa273829c7ceedbec06cb8696f384792b8eb45f970c77e1d",
    "metadata": {},
    "name": "actionsDuplicateMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "e7f4460178a318bd4ade66ef95a3e532";

export default node;
