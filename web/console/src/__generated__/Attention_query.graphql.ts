/**
 * @generated SignedSource<<e02350079bc59122383b7799ed7fe011>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type IntegrationStatus = "CONNECTED" | "NEEDS_RECONNECT" | "PENDING";
export type NotificationKind = "CONTENT_EXPIRED" | "INTEGRATION_NEEDS_RECONNECT" | "TENANT_DELETION" | "WEBHOOK_DISABLED" | "WEBHOOK_FAILING";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type RunStatus = "CANCELED" | "COMPLETED" | "FAILED" | "PAUSED" | "PENDING" | "RUNNING";
import { FragmentRefs } from "relay-runtime";
export type Attention_query$data = {
  readonly failed: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly error: {
          readonly message: string;
        } | null | undefined;
        readonly id: string;
        readonly mission: {
          readonly id: string;
          readonly name: string;
        } | null | undefined;
        readonly platform: Platform;
      };
    }>;
  } | null | undefined;
  readonly integrations: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly account: {
          readonly handle: string | null | undefined;
        } | null | undefined;
        readonly id: string;
        readonly label: string | null | undefined;
        readonly lastError: {
          readonly message: string;
        } | null | undefined;
        readonly platform: Platform;
        readonly status: IntegrationStatus;
      };
    }>;
  } | null | undefined;
  readonly notifications: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly id: string;
        readonly kind: NotificationKind;
        readonly message: string;
      };
    }>;
  } | null | undefined;
  readonly troubled: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly id: string;
        readonly job: {
          readonly cycle: number;
          readonly error: {
            readonly message: string;
          } | null | undefined;
          readonly id: string;
          readonly status: RunStatus;
        } | null | undefined;
        readonly name: string;
      };
    }>;
  } | null | undefined;
  readonly waiting: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly expiresAt: string | null | undefined;
        readonly id: string;
      };
    }>;
    readonly totalCount: number | null | undefined;
  } | null | undefined;
  readonly " $fragmentType": "Attention_query";
};
export type Attention_query$key = {
  readonly " $data"?: Attention_query$data;
  readonly " $fragmentSpreads": FragmentRefs<"Attention_query">;
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
  "kind": "Literal",
  "name": "first",
  "value": 5
},
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "platform",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "message",
  "storageKey": null
},
v4 = [
  (v3/*:: as any*/)
],
v5 = {
  "alias": null,
  "args": null,
  "concreteType": "Failure",
  "kind": "LinkedField",
  "name": "error",
  "plural": false,
  "selections": (v4/*:: as any*/),
  "storageKey": null
},
v6 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "name",
  "storageKey": null
},
v7 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
};
return {
  "argumentDefinitions": [
    {
      "defaultValue": null,
      "kind": "LocalArgument",
      "name": "since"
    }
  ],
  "kind": "Fragment",
  "metadata": null,
  "name": "Attention_query",
  "selections": [
    {
      "alias": "waiting",
      "args": [
        {
          "kind": "Literal",
          "name": "filter",
          "value": {
            "status": "PENDING_REVIEW"
          }
        },
        {
          "kind": "Literal",
          "name": "first",
          "value": 20
        }
      ],
      "concreteType": "ContentConnection",
      "kind": "LinkedField",
      "name": "contents",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "kind": "ScalarField",
          "name": "totalCount",
          "storageKey": null
        },
        {
          "alias": null,
          "args": null,
          "concreteType": "ContentEdge",
          "kind": "LinkedField",
          "name": "edges",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "concreteType": "Content",
              "kind": "LinkedField",
              "name": "node",
              "plural": false,
              "selections": [
                (v0/*:: as any*/),
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "expiresAt",
                  "storageKey": null
                }
              ],
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": "contents(filter:{\"status\":\"PENDING_REVIEW\"},first:20)"
    },
    {
      "alias": "failed",
      "args": [
        {
          "fields": [
            {
              "kind": "Variable",
              "name": "scheduledFrom",
              "variableName": "since"
            },
            {
              "kind": "Literal",
              "name": "status",
              "value": "FAILED"
            }
          ],
          "kind": "ObjectValue",
          "name": "filter"
        },
        (v1/*:: as any*/),
        {
          "kind": "Literal",
          "name": "order",
          "value": "SCHEDULED"
        }
      ],
      "concreteType": "ContentConnection",
      "kind": "LinkedField",
      "name": "contents",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "ContentEdge",
          "kind": "LinkedField",
          "name": "edges",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "concreteType": "Content",
              "kind": "LinkedField",
              "name": "node",
              "plural": false,
              "selections": [
                (v0/*:: as any*/),
                (v2/*:: as any*/),
                (v5/*:: as any*/),
                {
                  "alias": null,
                  "args": null,
                  "concreteType": "Mission",
                  "kind": "LinkedField",
                  "name": "mission",
                  "plural": false,
                  "selections": [
                    (v0/*:: as any*/),
                    (v6/*:: as any*/)
                  ],
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
    },
    {
      "alias": "troubled",
      "args": [
        {
          "kind": "Literal",
          "name": "filter",
          "value": {
            "status": "ACTIVE"
          }
        },
        {
          "kind": "Literal",
          "name": "first",
          "value": 30
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
                (v0/*:: as any*/),
                (v6/*:: as any*/),
                {
                  "alias": null,
                  "args": null,
                  "concreteType": "Job",
                  "kind": "LinkedField",
                  "name": "job",
                  "plural": false,
                  "selections": [
                    (v0/*:: as any*/),
                    (v7/*:: as any*/),
                    {
                      "alias": null,
                      "args": null,
                      "kind": "ScalarField",
                      "name": "cycle",
                      "storageKey": null
                    },
                    (v5/*:: as any*/)
                  ],
                  "storageKey": null
                }
              ],
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": "missions(filter:{\"status\":\"ACTIVE\"},first:30)"
    },
    {
      "alias": null,
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
                (v0/*:: as any*/),
                (v2/*:: as any*/),
                (v7/*:: as any*/),
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "label",
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
                {
                  "alias": null,
                  "args": null,
                  "concreteType": "Failure",
                  "kind": "LinkedField",
                  "name": "lastError",
                  "plural": false,
                  "selections": (v4/*:: as any*/),
                  "storageKey": null
                }
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
      "alias": null,
      "args": [
        (v1/*:: as any*/),
        {
          "kind": "Literal",
          "name": "unread",
          "value": true
        }
      ],
      "concreteType": "NotificationConnection",
      "kind": "LinkedField",
      "name": "notifications",
      "plural": false,
      "selections": [
        {
          "alias": null,
          "args": null,
          "concreteType": "NotificationEdge",
          "kind": "LinkedField",
          "name": "edges",
          "plural": true,
          "selections": [
            {
              "alias": null,
              "args": null,
              "concreteType": "Notification",
              "kind": "LinkedField",
              "name": "node",
              "plural": false,
              "selections": [
                (v0/*:: as any*/),
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "kind",
                  "storageKey": null
                },
                (v3/*:: as any*/)
              ],
              "storageKey": null
            }
          ],
          "storageKey": null
        }
      ],
      "storageKey": "notifications(first:5,unread:true)"
    }
  ],
  "type": "Query",
  "abstractKey": null
};
})();

(node as any).hash = "773129a5aecb88bddc713f91819bf587";

export default node;
