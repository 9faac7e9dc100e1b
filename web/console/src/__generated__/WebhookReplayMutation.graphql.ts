/**
 * @generated SignedSource<<694ce498d17c5824e59b1c3fb1ade0b2>>
 * @relayHash 1242e333223dc3175ceda660c460b90c
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 0857eaef2bcf356dc51e9ddcf07ee7e36dac7d533fa1218e32cbbb8640977b04

import { ConcreteRequest } from 'relay-runtime';
export type WebhookReplayMutation$variables = {
  id: string;
  since: string;
};
export type WebhookReplayMutation$data = {
  readonly replayWebhook: {
    readonly events: number;
  } | null | undefined;
};
export type WebhookReplayMutation = {
  response: WebhookReplayMutation$data;
  variables: WebhookReplayMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "id"
  },
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "since"
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
      },
      {
        "kind": "Variable",
        "name": "since",
        "variableName": "since"
      },
      {
        "kind": "Literal",
        "name": "undelivered",
        "value": true
      }
    ],
    "concreteType": "ReplayWebhookPayload",
    "kind": "LinkedField",
    "name": "replayWebhook",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "events",
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
    "name": "WebhookReplayMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "WebhookReplayMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "0857eaef2bcf356dc51e9ddcf07ee7e36dac7d533fa1218e32cbbb8640977b04",
    "metadata": {},
    "name": "WebhookReplayMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "b311181557cf5d55db0680cc19388804";

export default node;
