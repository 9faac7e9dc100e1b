/**
 * @generated SignedSource<<381f9c4b86077a2c1ef72ccfb1af18b3>>
 * @relayHash 8dde05da849932c80ae3a99801b8420c
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 9705f70a9d642ffbbaa4391f954fc4a49d956469affed90b48521939bda83ba7

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type AnalyticsQuery$variables = {
  account?: string | null | undefined;
  from: string;
  mission?: string | null | undefined;
  to: string;
};
export type AnalyticsQuery$data = {
  readonly byDay: {
    readonly days: ReadonlyArray<{
      readonly date: string;
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
      readonly posts: number;
    }> | null | undefined;
    readonly posts: number;
    readonly totals: {
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
  } | null | undefined;
  readonly missions: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly id: string;
        readonly name: string;
      };
    }>;
  } | null | undefined;
  readonly " $fragmentSpreads": FragmentRefs<"Accounts_query" | "Posts_analytics">;
};
export type AnalyticsQuery = {
  response: AnalyticsQuery$data;
  variables: AnalyticsQuery$variables;
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
  "name": "from"
},
v2 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "mission"
},
v3 = {
  "defaultValue": null,
  "kind": "LocalArgument",
  "name": "to"
},
v4 = {
  "kind": "Variable",
  "name": "from",
  "variableName": "from"
},
v5 = {
  "kind": "Variable",
  "name": "integrationId",
  "variableName": "account"
},
v6 = {
  "kind": "Variable",
  "name": "missionId",
  "variableName": "mission"
},
v7 = {
  "kind": "Variable",
  "name": "to",
  "variableName": "to"
},
v8 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "posts",
  "storageKey": null
},
v9 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "engagementRate",
  "storageKey": null
},
v10 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "impressions",
  "storageKey": null
},
v11 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "linkClicks",
  "storageKey": null
},
v12 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "likes",
  "storageKey": null
},
v13 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "comments",
  "storageKey": null
},
v14 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "shares",
  "storageKey": null
},
v15 = [
  (v9/*:: as any*/),
  (v10/*:: as any*/),
  {
    "alias": null,
    "args": null,
    "kind": "ScalarField",
    "name": "clicks",
    "storageKey": null
  },
  (v11/*:: as any*/),
  (v12/*:: as any*/),
  (v13/*:: as any*/),
  (v14/*:: as any*/),
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
v16 = {
  "alias": "byDay",
  "args": [
    (v4/*:: as any*/),
    {
      "kind": "Literal",
      "name": "groupBy",
      "value": "DAY"
    },
    (v5/*:: as any*/),
    (v6/*:: as any*/),
    (v7/*:: as any*/)
  ],
  "concreteType": "Analytics",
  "kind": "LinkedField",
  "name": "analytics",
  "plural": false,
  "selections": [
    (v8/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "concreteType": "Metrics",
      "kind": "LinkedField",
      "name": "totals",
      "plural": false,
      "selections": (v15/*:: as any*/),
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "concreteType": "AnalyticsDay",
      "kind": "LinkedField",
      "name": "days",
      "plural": true,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "date",
          "storageKey": null
        },
        (v8/*:: as any*/),
        {
          "alias": null,
          "args": null,
          "concreteType": "Metrics",
          "kind": "LinkedField",
          "name": "metrics",
          "plural": false,
          "selections": (v15/*:: as any*/),
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "storageKey": null
},
v17 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v18 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "name",
  "storageKey": null
},
v19 = {
  "alias": null,
  "args": [
    {
      "kind": "Literal",
      "name": "first",
      "value": 100
    }
  ],
  "concreteType": "MissionConnection",
  "kind": "LinkedField",
  "name": "missions",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "concreteType": "MissionEdge",
      "kind": "LinkedField",
      "name": "edges",
      "plural": true,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "Mission",
          "kind": "LinkedField",
          "name": "node",
          "plural": false,
          "selections": [
            (v17/*:: as any*/),
            (v18/*:: as any*/)
          ],
          "storageKey": null
        }
      ],
      "storageKey": null
    }
  ],
  "storageKey": "missions(first:100)"
},
v20 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "platform",
  "storageKey": null
},
v21 = {
  "alias": null,
  "args": null,
  "concreteType": "IntegrationAccount",
  "kind": "LinkedField",
  "name": "account",
  "plural": false,
  "selections": [
    (v18/*:: as any*/),
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
v22 = [
  {
    "kind": "Literal",
    "name": "first",
    "value": 15
  }
];
return {
  "fragment": {
    "argumentDefinitions": [
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v2/*:: as any*/),
      (v3/*:: as any*/)
    ],
    "kind": "Fragment",
    "metadata": null,
    "name": "AnalyticsQuery",
    "selections": [
      (v16/*:: as any*/),
      (v19/*:: as any*/),
      {
        "args": [
          (v4/*:: as any*/),
          (v7/*:: as any*/)
        ],
        "kind": "FragmentSpread",
        "name": "Accounts_query"
      },
      {
        "args": [
          {
            "kind": "Variable",
            "name": "account",
            "variableName": "account"
          },
          (v4/*:: as any*/),
          {
            "kind": "Variable",
            "name": "mission",
            "variableName": "mission"
          },
          (v7/*:: as any*/)
        ],
        "kind": "FragmentSpread",
        "name": "Posts_analytics"
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [
      (v2/*:: as any*/),
      (v0/*:: as any*/),
      (v1/*:: as any*/),
      (v3/*:: as any*/)
    ],
    "kind": "Operation",
    "name": "AnalyticsQuery",
    "selections": [
      (v16/*:: as any*/),
      (v19/*:: as any*/),
      {
        "alias": "connected",
        "args": [
          {
            "kind": "Literal",
            "name": "first",
            "value": 50
          }
        ],
        "concreteType": "IntegrationConnection",
        "kind": "LinkedField",
        "name": "integrations",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "IntegrationEdge",
            "kind": "LinkedField",
            "name": "edges",
            "plural": true,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "Integration",
                "kind": "LinkedField",
                "name": "node",
                "plural": false,
                "selections": [
                  (v17/*:: as any*/),
                  (v20/*:: as any*/),
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "label",
                    "storageKey": null
                  },
                  (v21/*:: as any*/)
                ],
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ],
        "storageKey": "integrations(first:50)"
      },
      {
        "alias": "measured",
        "args": [
          (v4/*:: as any*/),
          {
            "kind": "Literal",
            "name": "groupBy",
            "value": "ACCOUNT"
          },
          (v7/*:: as any*/)
        ],
        "concreteType": "Analytics",
        "kind": "LinkedField",
        "name": "analytics",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "AnalyticsAccount",
            "kind": "LinkedField",
            "name": "accounts",
            "plural": true,
            "selections": [
              (v20/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "integrationId",
                "storageKey": null
              },
              (v21/*:: as any*/)
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": "byPost",
        "args": [
          (v4/*:: as any*/),
          {
            "kind": "Literal",
            "name": "groupBy",
            "value": "CONTENT"
          },
          (v5/*:: as any*/),
          (v6/*:: as any*/),
          (v7/*:: as any*/)
        ],
        "concreteType": "Analytics",
        "kind": "LinkedField",
        "name": "analytics",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": (v22/*:: as any*/),
            "concreteType": "MeasuredPostConnection",
            "kind": "LinkedField",
            "name": "contents",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "concreteType": "MeasuredPostEdge",
                "kind": "LinkedField",
                "name": "edges",
                "plural": true,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "MeasuredPost",
                    "kind": "LinkedField",
                    "name": "node",
                    "plural": false,
                    "selections": [
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "contentId",
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "missionId",
                        "storageKey": null
                      },
                      (v20/*:: as any*/),
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "publishedAt",
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "concreteType": "Content",
                        "kind": "LinkedField",
                        "name": "content",
                        "plural": false,
                        "selections": [
                          (v17/*:: as any*/),
                          {
                            "alias": null,
                            "args": null,
                            "kind": "ScalarField",
                            "name": "text",
                            "storageKey": null
                          }
                        ],
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "concreteType": "Metrics",
                        "kind": "LinkedField",
                        "name": "metrics",
                        "plural": false,
                        "selections": [
                          (v10/*:: as any*/),
                          (v9/*:: as any*/),
                          (v12/*:: as any*/),
                          (v13/*:: as any*/),
                          (v14/*:: as any*/),
                          (v11/*:: as any*/)
                        ],
                        "storageKey": null
                      },
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "__typename",
                        "storageKey": null
                      }
                    ],
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "cursor",
                    "storageKey": null
                  }
                ],
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "concreteType": "PageInfo",
                "kind": "LinkedField",
                "name": "pageInfo",
                "plural": false,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "endCursor",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "hasNextPage",
                    "storageKey": null
                  }
                ],
                "storageKey": null
              }
            ],
            "storageKey": "contents(first:15)"
          },
          {
            "alias": null,
            "args": (v22/*:: as any*/),
            "filters": null,
            "handle": "connection",
            "key": "Measured_contents",
            "kind": "LinkedHandle",
            "name": "contents"
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "9705f70a9d642ffbbaa4391f954fc4a49d956469affed90b48521939bda83ba7",
    "metadata": {},
    "name": "AnalyticsQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "7543f6e5b6a92ee8d7642283e047f76a";

export default node;
