/**
 * @generated SignedSource<<f705760c9dd1458b0548815033023720>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type Angle = "HOW_TO" | "INSIGHT" | "MYTH" | "QUESTION" | "STORY" | "TIP";
export type ContentOrigin = "PERSON" | "WRITER";
import { FragmentRefs } from "relay-runtime";
export type Brief_content$data = {
  readonly angle: Angle | null | undefined;
  readonly costCents: number;
  readonly createdAt: string;
  readonly mission: {
    readonly constraints: {
      readonly excludedTopics: ReadonlyArray<string>;
      readonly tone: string | null | undefined;
    };
  } | null | undefined;
  readonly objective: string | null | undefined;
  readonly origin: ContentOrigin;
  readonly revisions: ReadonlyArray<{
    readonly authorId: string | null | undefined;
    readonly instructions: string | null | undefined;
    readonly rejectionReason: string | null | undefined;
    readonly revision: number;
    readonly verdict: {
      readonly excludedTopic: string | null | undefined;
      readonly passed: boolean;
      readonly topicsChecked: number;
    };
  }> | null | undefined;
  readonly " $fragmentType": "Brief_content";
};
export type Brief_content$key = {
  readonly " $data"?: Brief_content$data;
  readonly " $fragmentSpreads": FragmentRefs<"Brief_content">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "Brief_content",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "origin",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "angle",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "costCents",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "createdAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "objective",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Mission",
      "kind": "LinkedField",
      "name": "mission",
      "plural": false,
      "selections": [
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
              "name": "tone",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "excludedTopics",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Revision",
      "kind": "LinkedField",
      "name": "revisions",
      "plural": true,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "revision",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "authorId",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "instructions",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "rejectionReason",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "Verdict",
          "kind": "LinkedField",
          "name": "verdict",
          "plural": false,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "passed",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "excludedTopic",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "topicsChecked",
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "type": "Content",
  "abstractKey": null
};

(node as any).hash = "8b17ca468d7882e868a756e276b39fb8";

export default node;
