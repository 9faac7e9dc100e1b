/**
 * @generated SignedSource<<4aa79887a87b6d6add389d71d61096df>>
 * @relayHash 9733bacaf6b7235d6306b53ca6163925
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 1a0844139e533d41d7f5ca33e851df60b03a490ec9957565d967bdb07dba6d08

import { ConcreteRequest } from 'relay-runtime';
export type EventType = "ANALYTICS_ANOMALY_DETECTED" | "ANALYTICS_KPI_ACHIEVED" | "CONTENT_APPROVED" | "CONTENT_CANCELED" | "CONTENT_CREATED" | "CONTENT_EXPIRED" | "CONTENT_EXPIRING" | "CONTENT_FAILED" | "CONTENT_HELD" | "CONTENT_PUBLISHED" | "CONTENT_REJECTED" | "CONTENT_REOPENED" | "CONTENT_SCHEDULED" | "MISSION_COMPLETED" | "MISSION_CREATED" | "MISSION_PAUSED" | "MISSION_RESUMED" | "MISSION_STARTED" | "PIPELINE_JOB_COMPLETED" | "PIPELINE_JOB_FAILED" | "PIPELINE_STAGE_COMPLETED" | "WEBHOOK_TEST";
export type ExampleQuery$variables = Record<PropertyKey, never>;
export type ExampleQuery$data = {
  readonly eventKinds: ReadonlyArray<{
    readonly description: string;
    readonly example: Record<string, unknown>;
    readonly type: EventType;
  }> | null | undefined;
};
export type ExampleQuery = {
  response: ExampleQuery$data;
  variables: ExampleQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "EventKind",
    "kind": "LinkedField",
    "name": "eventKinds",
    "plural": true,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "type",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "description",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "example",
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "ExampleQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "ExampleQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "id": "1a0844139e533d41d7f5ca33e851df60b03a490ec9957565d967bdb07dba6d08",
    "metadata": {},
    "name": "ExampleQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "03d74e99bf07781439037b62048ebc3e";

export default node;
