/**
 * @generated SignedSource<<69c4bbbf697302bb921db519ac19f2b8>>
 * @relayHash ce3f0d2dfeb5af28fdc5cb79e27e08cd
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID ea08c540fc205a67f36c69480554c8f206ee91da1f58d5842ddce458674730ac

import { ConcreteRequest } from 'relay-runtime';
export type WebhookRotateMutation$variables = {
  id: string;
};
export type WebhookRotateMutation$data = {
  readonly rotateWebhookSecret: {
    readonly secret: string;
  } | null | undefined;
};
export type WebhookRotateMutation = {
  response: WebhookRotateMutation$data;
  variables: WebhookRotateMutation$variables;
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
    "concreteType": "RotateWebhookSecretPayload",
    "kind": "LinkedField",
    "name": "rotateWebhookSecret",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "secret",
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
    "name": "WebhookRotateMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "WebhookRotateMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "ea08c540fc205a67f36c69480554c8f206ee91da1f58d5842ddce458674730ac",
    "metadata": {},
    "name": "WebhookRotateMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "e8d1a6e706d9d385ad6258300b629dfb";

export default node;
