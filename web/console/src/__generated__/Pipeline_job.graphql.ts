/**
 * @generated SignedSource<<23e48e9fb900bf9a4d8e1e55bd2f3a91>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type RunStatus = "CANCELED" | "COMPLETED" | "FAILED" | "PAUSED" | "PENDING" | "RUNNING";
export type StageName = "ANALYTICS" | "CONTENT" | "INTAKE" | "OPTIMIZE" | "PUBLISH" | "STRATEGY";
import { FragmentRefs } from "relay-runtime";
export type Pipeline_job$data = {
  readonly currentStage: StageName;
  readonly cycle: number;
  readonly error: {
    readonly code: string;
    readonly message: string;
  } | null | undefined;
  readonly id: string;
  readonly progressPercent: number;
  readonly stages: ReadonlyArray<{
    readonly attempts: number;
    readonly durationMs: number | null | undefined;
    readonly error: {
      readonly message: string;
    } | null | undefined;
    readonly name: StageName;
    readonly progressPercent: number;
    readonly status: RunStatus;
  }>;
  readonly status: RunStatus;
  readonly " $fragmentType": "Pipeline_job";
};
export type Pipeline_job$key = {
  readonly " $data"?: Pipeline_job$data;
  readonly " $fragmentSpreads": FragmentRefs<"Pipeline_job">;
};

const node: ReaderFragment = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "progressPercent",
  "storageKey": null
},
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "message",
  "storageKey": null
};
return {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Pipeline_job",
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
      "name": "cycle",
      "storageKey": null
    },
    (v0/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "currentStage",
      "storageKey": null
    },
    (v1/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "concreteType": "Failure",
      "kind": "LinkedField",
      "name": "error",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "code",
          "storageKey": null
        },
        (v2/*:: as any*/)
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Stage",
      "kind": "LinkedField",
      "name": "stages",
      "plural": true,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "name",
          "storageKey": null
        },
        (v0/*:: as any*/),
        (v1/*:: as any*/),
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
          "name": "attempts",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "Failure",
          "kind": "LinkedField",
          "name": "error",
          "plural": false,
          "selections": [
            (v2/*:: as any*/)
          ],
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "Job",
  "abstractKey": null
};
})();

(node as any).hash = "21e81d71ca34b875d7117a77d9eb4197";

export default node;
