/**
 * @generated SignedSource<<54b3cda404e697122e6681736b9fd796>>
 * @relayHash 1651f70d85f53f3532c600c0cea35066
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID df4f086b243809af98ad3716c4857c5d674f6a97e701f4b82030575b64453cde

import { ConcreteRequest } from 'relay-runtime';
export type WebhookTestMutation$variables = {
  id: string;
};
export type WebhookTestMutation$data = {
  readonly testWebhook: {
    readonly delivered: boolean;
    readonly durationMs: number;
    readonly error: string | null | undefined;
    readonly statusCode: number | null | undefined;
  } | null | undefined;
};
export type WebhookTestMutation = {
  response: WebhookTestMutation$data;
  variables: WebhookTestMutation$variables;
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
    "concreteType": "TestWebhookPayload",
    "kind": "LinkedField",
    "name": "testWebhook",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "delivered",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "statusCode",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "durationMs",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "error",
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
    "name": "WebhookTestMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "WebhookTestMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "df4f086b243809af98ad3716c4857c5d674f6a97e701f4b82030575b64453cde",
    "metadata": {},
    "name": "WebhookTestMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "85cd883904f85b44ba740d8ee6ada864";

export default node;
