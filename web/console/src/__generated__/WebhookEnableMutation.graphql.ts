/**
 * @generated SignedSource<<8137bcf80a6e47fbbb4c62167770ca3d>>
 * @relayHash 8fd8780e4bb76add5aec2e754f25cbaa
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 772ce00615272c5a75a5f9ab4d136717197eb22255f54b12542d1ea040539976

import { ConcreteRequest } from 'relay-runtime';
export type EventType = "ANALYTICS_ANOMALY_DETECTED" | "ANALYTICS_KPI_ACHIEVED" | "CONTENT_APPROVED" | "CONTENT_CANCELED" | "CONTENT_CREATED" | "CONTENT_EXPIRED" | "CONTENT_EXPIRING" | "CONTENT_FAILED" | "CONTENT_HELD" | "CONTENT_PUBLISHED" | "CONTENT_REJECTED" | "CONTENT_REOPENED" | "CONTENT_SCHEDULED" | "MISSION_COMPLETED" | "MISSION_CREATED" | "MISSION_PAUSED" | "MISSION_RESUMED" | "MISSION_STARTED" | "PIPELINE_JOB_COMPLETED" | "PIPELINE_JOB_FAILED" | "PIPELINE_STAGE_COMPLETED" | "WEBHOOK_TEST";
export type WebhookStatus = "ACTIVE" | "FAILING";
export type UpdateWebhookInput = {
  enabled?: boolean | null | undefined;
  events?: ReadonlyArray<EventType> | null | undefined;
  url?: string | null | undefined;
};
export type WebhookEnableMutation$variables = {
  id: string;
  input: UpdateWebhookInput;
};
export type WebhookEnableMutation$data = {
  readonly updateWebhook: {
    readonly webhook: {
      readonly enabled: boolean;
      readonly id: string;
      readonly status: WebhookStatus;
    };
  } | null | undefined;
};
export type WebhookEnableMutation = {
  response: WebhookEnableMutation$data;
  variables: WebhookEnableMutation$variables;
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
            "name": "enabled",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "status",
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
    "name": "WebhookEnableMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "WebhookEnableMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "772ce00615272c5a75a5f9ab4d136717197eb22255f54b12542d1ea040539976",
    "metadata": {},
    "name": "WebhookEnableMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "83f2fdc5a535d00a31b327b7cd82f07a";

export default node;
