/**
 * @generated SignedSource<<ac29d97e80da4c59a48ea796616eae83>>
 * @relayHash b4ba3efef63dcb3cad63eed298a3d4de
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 72f45fac66d498f9e0f8802f6ad76dd959c6e70dca40ac08289748baa4308cb4

import { ConcreteRequest } from 'relay-runtime';
export type WebhookDeleteMutation$variables = {
  id: string;
};
export type WebhookDeleteMutation$data = {
  readonly deleteWebhook: {
    readonly deletedId: string;
  } | null | undefined;
};
export type WebhookDeleteMutation = {
  response: WebhookDeleteMutation$data;
  variables: WebhookDeleteMutation$variables;
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
    "concreteType": "DeleteWebhookPayload",
    "kind": "LinkedField",
    "name": "deleteWebhook",
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
    "name": "WebhookDeleteMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "WebhookDeleteMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "72f45fac66d498f9e0f8802f6ad76dd959c6e70dca40ac08289748baa4308cb4",
    "metadata": {},
    "name": "WebhookDeleteMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "a540742d3e157404d8d12d50b858e071";

export default node;
