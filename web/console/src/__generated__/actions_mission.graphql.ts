/**
 * @generated SignedSource<<083211be16d824a8b19b963acff29205>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type MissionAction = "COMPLETE" | "DELETE" | "PAUSE" | "RESUME" | "START" | "UPDATE";
export type MissionStatus = "ACTIVE" | "COMPLETED" | "DRAFT" | "PAUSED";
export type RunStatus = "CANCELED" | "COMPLETED" | "FAILED" | "PAUSED" | "PENDING" | "RUNNING";
import { FragmentRefs } from "relay-runtime";
export type actions_mission$data = {
  readonly allowedActions: ReadonlyArray<MissionAction>;
  readonly constraints: {
    readonly timezone: string;
  };
  readonly endsAt: string | null | undefined;
  readonly id: string;
  readonly job: {
    readonly id: string;
    readonly status: RunStatus;
  } | null | undefined;
  readonly name: string;
  readonly status: MissionStatus;
  readonly " $fragmentType": "actions_mission";
};
export type actions_mission$key = {
  readonly " $data"?: actions_mission$data;
  readonly " $fragmentSpreads": FragmentRefs<"actions_mission">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
};
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "actions_mission",
  "selections": [
    (v0/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "name",
      "storageKey": null
    },
    (v1/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "endsAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "allowedActions",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Constraints",
      "kind": "LinkedField",
      "name": "constraints",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "timezone",
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Job",
      "kind": "LinkedField",
      "name": "job",
      "plural": false,
      "selections": [
        (v0/*:: as any*/),
        (v1/*:: as any*/)
      ],
      "storageKey": null
    }
  ],
  "type": "Mission",
  "abstractKey": null
};
})();

(node as any).hash = "db06c32597bc32c9b48dda92143fb4a3";

export default node;
