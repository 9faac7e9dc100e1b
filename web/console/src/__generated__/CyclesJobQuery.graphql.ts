/**
 * @generated SignedSource<<6581019b5fc00c8d0738afdb652b59fe>>
 * @relayHash a0476bfd6219a370309e00aff2925b9a
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID c0db190231ff6edc5bea108137c2949496f0d3c663711fed49020c21917d2d5b

import { ConcreteRequest } from 'relay-runtime';
export type Angle = "HOW_TO" | "INSIGHT" | "MYTH" | "QUESTION" | "STORY" | "TIP";
export type ContentType = "ARTICLE" | "POST" | "THREAD";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type CyclesJobQuery$variables = {
  id: string;
};
export type CyclesJobQuery$data = {
  readonly job: {
    readonly strategy: {
      readonly reasons: ReadonlyArray<string>;
      readonly slots: ReadonlyArray<{
        readonly angle: Angle;
        readonly at: string;
        readonly objective: string;
        readonly platform: Platform;
        readonly type: ContentType;
      }>;
    } | null | undefined;
  } | null | undefined;
};
export type CyclesJobQuery = {
  response: CyclesJobQuery$data;
  variables: CyclesJobQuery$variables;
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
    "kind": "Variable",
    "name": "id",
    "variableName": "id"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "concreteType": "Strategy",
  "kind": "LinkedField",
  "name": "strategy",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "reasons",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "Slot",
      "kind": "LinkedField",
      "name": "slots",
      "plural": true,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "at",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "platform",
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
          "name": "objective",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "type",
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "CyclesJobQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Job",
        "kind": "LinkedField",
        "name": "job",
        "plural": false,
        "selections": [
          (v2/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "CyclesJobQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Job",
        "kind": "LinkedField",
        "name": "job",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "c0db190231ff6edc5bea108137c2949496f0d3c663711fed49020c21917d2d5b",
    "metadata": {},
    "name": "CyclesJobQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "db1ae7d526d85e77bdfd86869e15712f";

export default node;
