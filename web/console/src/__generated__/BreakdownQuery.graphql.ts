/**
 * @generated SignedSource<<3e2db5b4e5bf83d804b23e0ebbe21fd0>>
 * @relayHash f58a0b24fcb60e981340211e3eba1d8a
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID c870da8a694b2caaa939397c5c800608845e12ff3707376bd59f970e59924ee7

import { ConcreteRequest } from 'relay-runtime';
export type AnalyticsGrouping = "ACCOUNT" | "CONTENT" | "DAY" | "MISSION" | "PLATFORM";
export type Metric = "CLICKS" | "COMMENTS" | "ENGAGEMENT_RATE" | "FOLLOWERS_GAINED" | "IMPRESSIONS" | "LIKES" | "LINK_CLICKS" | "REACH" | "SHARES";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type BreakdownQuery$variables = {
  account?: string | null | undefined;
  by?: Metric | null | undefined;
  from: string;
  group: AnalyticsGrouping;
  mission?: string | null | undefined;
  to: string;
};
export type BreakdownQuery$data = {
  readonly analytics: {
    readonly accounts: ReadonlyArray<{
      readonly account: {
        readonly handle: string | null | undefined;
        readonly name: string;
      } | null | undefined;
      readonly integration: {
        readonly id: string;
        readonly label: string | null | undefined;
      } | null | undefined;
      readonly integrationId: string | null | undefined;
      readonly metrics: {
        readonly clicks: number | null | undefined;
        readonly comments: number | null | undefined;
        readonly engagementRate: number | null | undefined;
        readonly followersGained: number | null | undefined;
        readonly impressions: number | null | undefined;
        readonly likes: number | null | undefined;
        readonly linkClicks: number | null | undefined;
        readonly reach: number | null | undefined;
        readonly shares: number | null | undefined;
      };
      readonly platform: Platform;
      readonly posts: number;
    }> | null | undefined;
    readonly missions: ReadonlyArray<{
      readonly metrics: {
        readonly clicks: number | null | undefined;
        readonly comments: number | null | undefined;
        readonly engagementRate: number | null | undefined;
        readonly followersGained: number | null | undefined;
        readonly impressions: number | null | undefined;
        readonly likes: number | null | undefined;
        readonly linkClicks: number | null | undefined;
        readonly reach: number | null | undefined;
        readonly shares: number | null | undefined;
      };
      readonly mission: {
        readonly id: string;
        readonly name: string;
      } | null | undefined;
      readonly missionId: string;
      readonly posts: number;
    }> | null | undefined;
    readonly platforms: ReadonlyArray<{
      readonly metrics: {
        readonly clicks: number | null | undefined;
        readonly comments: number | null | undefined;
        readonly engagementRate: number | null | undefined;
        readonly followersGained: number | null | undefined;
        readonly impressions: number | null | undefined;
        readonly likes: number | null | undefined;
        readonly linkClicks: number | null | undefined;
        readonly reach: number | null | undefined;
        readonly shares: number | null | undefined;
      };
      readonly platform: Platform;
      readonly posts: number;
    }> | null | undefined;
  } | null | undefined;
};
export type BreakdownQuery = {
  response: BreakdownQuery$data;
  variables: BreakdownQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "account"
},
v1 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "by"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "from"
},
v3 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "group"
},
v4 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "mission"
},
v5 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "to"
},
v6 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "platform",
  "storageKey": null
},
v7 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "posts",
  "storageKey": null
},
v8 = {
  "alias": null,
  "args": null,
  "concreteType": "Metrics",
  "kind": "LinkedField",
  "name": "metrics",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "engagementRate",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "impressions",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "clicks",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "linkClicks",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "likes",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "comments",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "shares",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "followersGained",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "reach",
      "storageKey": null
    }
  ],
  "storageKey": null
},
v9 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v10 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "name",
  "storageKey": null
},
v11 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "from",
        "variableName": "from"
      },
      {
        "kind": "Variable",
        "name": "groupBy",
        "variableName": "group"
      },
      {
        "kind": "Variable",
        "name": "integrationId",
        "variableName": "account"
      },
      {
        "kind": "Variable",
        "name": "missionId",
        "variableName": "mission"
      },
      {
        "kind": "Variable",
        "name": "to",
        "variableName": "to"
      }
    ],
    "concreteType": "Analytics",
    "kind": "LinkedField",
    "name": "analytics",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "AnalyticsPlatform",
        "kind": "LinkedField",
        "name": "platforms",
        "plural": true,
        "selections": [
          (v6/*:: as any*/),
          (v7/*:: as any*/),
          (v8/*:: as any*/)
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "AnalyticsAccount",
        "kind": "LinkedField",
        "name": "accounts",
        "plural": true,
        "selections": [
          (v6/*:: as any*/),
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
            "concreteType": "Integration",
            "kind": "LinkedField",
            "name": "integration",
            "plural": false,
            "selections": [
              (v9/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "label",
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "IntegrationAccount",
            "kind": "LinkedField",
            "name": "account",
            "plural": false,
            "selections": [
              (v10/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "handle",
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          (v7/*:: as any*/),
          (v8/*:: as any*/)
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": [
          {
            "kind": "Variable",
            "name": "by",
            "variableName": "by"
          }
        ],
        "concreteType": "AnalyticsMission",
        "kind": "LinkedField",
        "name": "missions",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "missionId",
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
              (v9/*:: as any*/),
              (v10/*:: as any*/)
            ],
            "storageKey": null
          },
          (v7/*:: as any*/),
          (v8/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/),
      (v3/*:: as any*/),
      (v4/*:: as any*/),
      (v5/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "BreakdownQuery",
    "selections": (v11/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v4/*:: as any*/),
      (v0/*:: as any*/),
      (v2/*:: as any*/),
      (v5/*:: as any*/),
      (v3/*:: as any*/),
      (v1/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "BreakdownQuery",
    "selections": (v11/*:: as any*/)
  },
  "params": {
    "id": "c870da8a694b2caaa939397c5c800608845e12ff3707376bd59f970e59924ee7",
    "metadata": {},
    "name": "BreakdownQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "660c3721fdf6b215182e650be9e312e9";

export default node;
