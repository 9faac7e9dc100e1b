/**
 * @generated SignedSource<<f400d02212c0eb1cb1cfd3137e31e671>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type DeliveryStatus = "CANCELED" | "DELIVERED" | "FAILED" | "PENDING";
export type EventType = "ANALYTICS_ANOMALY_DETECTED" | "ANALYTICS_KPI_ACHIEVED" | "CONTENT_APPROVED" | "CONTENT_CANCELED" | "CONTENT_CREATED" | "CONTENT_EXPIRED" | "CONTENT_EXPIRING" | "CONTENT_FAILED" | "CONTENT_HELD" | "CONTENT_PUBLISHED" | "CONTENT_REJECTED" | "CONTENT_REOPENED" | "CONTENT_SCHEDULED" | "MISSION_COMPLETED" | "MISSION_CREATED" | "MISSION_PAUSED" | "MISSION_RESUMED" | "MISSION_STARTED" | "PIPELINE_JOB_COMPLETED" | "PIPELINE_JOB_FAILED" | "PIPELINE_STAGE_COMPLETED" | "WEBHOOK_TEST";
import { FragmentRefs } from "relay-runtime";
export type Delivery_delivery$data = {
  readonly attemptCount: number;
  readonly createdAt: string;
  readonly eventType: EventType;
  readonly id: string;
  readonly nextAttemptAt: string | null | undefined;
  readonly status: DeliveryStatus;
  readonly " $fragmentType": "Delivery_delivery";
};
export type Delivery_delivery$key = {
  readonly " $data"?: Delivery_delivery$data;
  readonly " $fragmentSpreads": FragmentRefs<"Delivery_delivery">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Delivery_delivery",
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
      "name": "eventType",
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
      "name": "attemptCount",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "nextAttemptAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "createdAt",
      "storageKey": null
    }
  ],
  "type": "Delivery",
  "abstractKey": null
};

(node as any).hash = "4f4a80c99ea45c93714675082b78be50";

export default node;
