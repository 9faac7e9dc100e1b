/**
 * @generated SignedSource<<4058cf6d67a5f92d07720371c9f92e23>>
 * @relayHash 63e37b0fcf1bccfbd86e79b085e3443c
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 445b2733baf048f0e4ba2b5846538fd6425e9830f673970ed5f848a37e8df06f

import { ConcreteRequest } from 'relay-runtime';
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type DrawerCancelMutation$variables = {
  id: string;
};
export type DrawerCancelMutation$data = {
  readonly cancelContent: {
    readonly content: {
      readonly id: string;
      readonly scheduledAt: string | null | undefined;
      readonly status: ContentStatus;
    };
  } | null | undefined;
};
export type DrawerCancelMutation = {
  response: DrawerCancelMutation$data;
  variables: DrawerCancelMutation$variables;
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
    "concreteType": "CancelContentPayload",
    "kind": "LinkedField",
    "name": "cancelContent",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Content",
        "kind": "LinkedField",
        "name": "content",
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
            "name": "scheduledAt",
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
    "name": "DrawerCancelMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "DrawerCancelMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "445b2733baf048f0e4ba2b5846538fd6425e9830f673970ed5f848a37e8df06f",
    "metadata": {},
    "name": "DrawerCancelMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "79ecae786b89540a57bbfe42afd026db";

export default node;
