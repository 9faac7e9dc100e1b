/**
 * @generated SignedSource<<b99f34ab76d46028664c23c5dbd32ef3>>
 * @relayHash 0a97a1dac27722c6020249bb8a34a6b0
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 041c8b99d60a4ee029d2e281614ee2b5c6352f50bb071bdd357ca2fd23d2fc71

import { ConcreteRequest } from 'relay-runtime';
export type Angle = "HOW_TO" | "INSIGHT" | "MYTH" | "QUESTION" | "STORY" | "TIP";
export type BeliefUnit = "METRIC" | "PERCENT";
export type ContentType = "ARTICLE" | "POST" | "THREAD";
export type LearningFactor = "ANGLE" | "FORMAT" | "HOUR" | "PLATFORM";
export type Metric = "CLICKS" | "COMMENTS" | "ENGAGEMENT_RATE" | "FOLLOWERS_GAINED" | "IMPRESSIONS" | "LIKES" | "LINK_CLICKS" | "REACH" | "SHARES";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type LearnedQuery$variables = {
  id: string;
};
export type LearnedQuery$data = {
  readonly mission: {
    readonly kpis: ReadonlyArray<{
      readonly metric: Metric;
    }>;
    readonly learning: {
      readonly credibleLevel: number;
      readonly learnedAt: string;
      readonly metrics: ReadonlyArray<{
        readonly beliefs: ReadonlyArray<{
          readonly angle: Angle | null | undefined;
          readonly factor: LearningFactor;
          readonly format: ContentType | null | undefined;
          readonly high: number | null | undefined;
          readonly hours: string | null | undefined;
          readonly integrationId: string | null | undefined;
          readonly low: number | null | undefined;
          readonly mean: number | null | undefined;
          readonly observations: number;
          readonly platform: Platform | null | undefined;
          readonly preferred: boolean;
          readonly unit: BeliefUnit;
        }>;
        readonly metric: Metric;
        readonly observations: number;
      }>;
    } | null | undefined;
  } | null | undefined;
};
export type LearnedQuery = {
  response: LearnedQuery$data;
  variables: LearnedQuery$variables;
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
  "kind": "ScalarField",
  "name": "metric",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "concreteType": "KPI",
  "kind": "LinkedField",
  "name": "kpis",
  "plural": true,
  "selections": [
    (v2/*:: as any*/)
  ],
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "observations",
  "storageKey": null
},
v5 = {
  "alias": null,
  "args": null,
  "concreteType": "Learning",
  "kind": "LinkedField",
  "name": "learning",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "learnedAt",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "credibleLevel",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "MetricBeliefs",
      "kind": "LinkedField",
      "name": "metrics",
      "plural": true,
      "selections": [
        (v2/*:: as any*/),
        (v4/*:: as any*/),
        {
          "alias": null,
          "args": null,
          "concreteType": "Belief",
          "kind": "LinkedField",
          "name": "beliefs",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "factor",
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
              "name": "integrationId",
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
              "name": "format",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "hours",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "mean",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "low",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "high",
              "storageKey": null
            },
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "unit",
              "storageKey": null
            },
            (v4/*:: as any*/),
            {
              "alias": null,
              "args": null,
              "kind": "ScalarField",
              "name": "preferred",
              "storageKey": null
            }
          ],
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
    "name": "LearnedQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Mission",
        "kind": "LinkedField",
        "name": "mission",
        "plural": false,
        "selections": [
          (v3/*:: as any*/),
          (v5/*:: as any*/)
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
    "name": "LearnedQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Mission",
        "kind": "LinkedField",
        "name": "mission",
        "plural": false,
        "selections": [
          (v3/*:: as any*/),
          (v5/*:: as any*/),
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
    "id": "041c8b99d60a4ee029d2e281614ee2b5c6352f50bb071bdd357ca2fd23d2fc71",
    "metadata": {},
    "name": "LearnedQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "2f5b3d3adabda6b43394e33c63c6b4c5";

export default node;
