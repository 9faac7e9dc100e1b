/**
 * @generated SignedSource<<edc5cbc7c723fdaf2d0ec991de6c6491>>
 * @relayHash dfb5b61f5d6048fe0ba3b33acd70aae7
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID a758655b3b859a76cd48bce2ec611d4124862a1ec2f4e12edd1dde03d84c250a

import { ConcreteRequest } from 'relay-runtime';
export type MembersEndMutation$variables = {
  id: string;
};
export type MembersEndMutation$data = {
  readonly endMemberSessions: {
    readonly sessionsEnded: number;
  } | null | undefined;
};
export type MembersEndMutation = {
  response: MembersEndMutation$data;
  variables: MembersEndMutation$variables;
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
    "concreteType": "EndMemberSessionsPayload",
    "kind": "LinkedField",
    "name": "endMemberSessions",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "sessionsEnded",
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
    "name": "MembersEndMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "MembersEndMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "a758655b3b859a76cd48bce2ec611d4124862a1ec2f4e12edd1dde03d84c250a",
    "metadata": {},
    "name": "MembersEndMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "ca0b45bff20aa969b5021af2e2342fb1";

export default node;
