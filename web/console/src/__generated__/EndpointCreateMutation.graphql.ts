/**
 * @generated SignedSource<<503fccde004cb3abe0ccf8e4f523799b>>
 * @relayHash 12a4e77325d0f918ea72da26b2df50c3
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID af378c36b81989e02e83ffa5fc4643d8a405b603413d5fd81ea1c18a5e3c484d

import { ConcreteRequest } from 'relay-runtime';
export type EventType = "ANALYTICS_ANOMALY_DETECTED" | "ANALYTICS_KPI_ACHIEVED" | "CONTENT_APPROVED" | "CONTENT_CANCELED" | "CONTENT_CREATED" | "CONTENT_EXPIRED" | "CONTENT_EXPIRING" | "CONTENT_FAILED" | "CONTENT_HELD" | "CONTENT_PUBLISHED" | "CONTENT_REJECTED" | "CONTENT_REOPENED" | "CONTENT_SCHEDULED" | "MISSION_COMPLETED" | "MISSION_CREATED" | "MISSION_PAUSED" | "MISSION_RESUMED" | "MISSION_STARTED" | "PIPELINE_JOB_COMPLETED" | "PIPELINE_JOB_FAILED" | "PIPELINE_STAGE_COMPLETED" | "WEBHOOK_TEST";
export type CreateWebhookInput = {
  enabled?: boolean | null | undefined;
  events: ReadonlyArray<EventType>;
  secret?: string | null | undefined;
  url: string;
};
export type EndpointCreateMutation$variables = {
  input: CreateWebhookInput;
};
export type EndpointCreateMutation$data = {
  readonly createWebhook: {
    readonly secret: string;
  } | null | undefined;
};
export type EndpointCreateMutation = {
  response: EndpointCreateMutation$data;
  variables: EndpointCreateMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "CreateWebhookPayload",
    "kind": "LinkedField",
    "name": "createWebhook",
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
    "name": "EndpointCreateMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "EndpointCreateMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "af378c36b81989e02e83ffa5fc4643d8a405b603413d5fd81ea1c18a5e3c484d",
    "metadata": {},
    "name": "EndpointCreateMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "160312510be435980457b8b0dafa8eb9";

export default node;
