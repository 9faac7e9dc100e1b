/**
 * @generated SignedSource<<79870f30317b3b2c3d99dfac2e0c2491>>
 * @relayHash bb8d4366d984f09cd59d060e7b7b1bcc
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 39c754cbd9fe1fabe3e9e39234acd85b97bd796938cbc7b5f02249860402d5f1

import { ConcreteRequest } from 'relay-runtime';
export type EventType = "ANALYTICS_ANOMALY_DETECTED" | "ANALYTICS_KPI_ACHIEVED" | "CONTENT_APPROVED" | "CONTENT_CANCELED" | "CONTENT_CREATED" | "CONTENT_EXPIRED" | "CONTENT_EXPIRING" | "CONTENT_FAILED" | "CONTENT_HELD" | "CONTENT_PUBLISHED" | "CONTENT_REJECTED" | "CONTENT_REOPENED" | "CONTENT_SCHEDULED" | "MISSION_COMPLETED" | "MISSION_CREATED" | "MISSION_PAUSED" | "MISSION_RESUMED" | "MISSION_STARTED" | "PIPELINE_JOB_COMPLETED" | "PIPELINE_JOB_FAILED" | "PIPELINE_STAGE_COMPLETED" | "WEBHOOK_TEST";
export type WebhookStatus = "ACTIVE" | "FAILING";
export type UpdateWebhookInput = {
  enabled?: boolean | null | undefined;
  events?: ReadonlyArray<EventType> | null | undefined;
  url?: string | null | undefined;
};
export type EndpointUpdateMutation$variables = {
  id: string;
  input: UpdateWebhookInput;
};
export type EndpointUpdateMutation$data = {
  readonly updateWebhook: {
    readonly webhook: {
      readonly enabled: boolean;
      readonly events: ReadonlyArray<EventType>;
      readonly id: string;
      readonly status: WebhookStatus;
      readonly url: string;
    };
  } | null | undefined;
};
export type EndpointUpdateMutation = {
  response: EndpointUpdateMutation$data;
  variables: EndpointUpdateMutation$variables;
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
    "name": "input"
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
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "UpdateWebhookPayload",
    "kind": "LinkedField",
    "name": "updateWebhook",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Webhook",
        "kind": "LinkedField",
        "name": "webhook",
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
            "name": "url",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "events",
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
            "name": "enabled",
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
    "name": "EndpointUpdateMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "EndpointUpdateMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "39c754cbd9fe1fabe3e9e39234acd85b97bd796938cbc7b5f02249860402d5f1",
    "metadata": {},
    "name": "EndpointUpdateMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "f74ad350e612a4584b93eefe0d37bbee";

export default node;
