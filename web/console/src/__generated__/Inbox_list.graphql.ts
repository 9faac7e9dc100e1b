/**
 * @generated SignedSource<<c4532fa0b4c10e89d5f0318ea140caa3>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import { ReaderFragment } from 'relay-runtime';
export type ContentAction = "APPROVE" | "CANCEL" | "EDIT" | "REGENERATE" | "REJECT" | "REOPEN" | "RESCHEDULE" | "SETTLE";
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
import { FragmentRefs } from "relay-runtime";
export type Inbox_list$data = {
  readonly contents: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly allowedActions: ReadonlyArray<ContentAction>;
        readonly createdAt: string;
        readonly expiresAt: string | null | undefined;
        readonly id: string;
        readonly revision: number;
        readonly status: ContentStatus;
        readonly text: string;
        readonly updatedAt: string;
        readonly " $fragmentSpreads": FragmentRefs<"InboxRow_content" | "Review_content">;
      };
    }>;
  } | null | undefined;
  readonly " $fragmentType": "Inbox_list";
};
export type Inbox_list$key = {
  readonly " $data"?: Inbox_list$data;
  readonly " $fragmentSpreads": FragmentRefs<"Inbox_list">;
};

import InboxListQuery_graphql from './InboxListQuery.graphql';

const node: ReaderFragment = (function(){
var v0 = [
  "contents"
];
return {
  "argumentDefinitions": [
    {
      "defaultValue": 40,
      "kind": "LocalArgument",
      "name": "count"
    },
    {
      "defaultValue": null,
      "kind": "LocalArgument",
      "name": "cursor"
    }
  ],
  "kind": "Fragment",
  "metadata": {
    "connection": [
      {
        "count": "count",
        "cursor": "cursor",
        "direction": "forward",
        "path": (v0/*:: as any*/)
      }
    ],
    "refetch": {
      "connection": {
        "forward": {
          "count": "count",
          "cursor": "cursor"
        },
        "backward": null,
        "path": (v0/*:: as any*/)
      },
      "fragmentPathInResult": [],
      "operation": InboxListQuery_graphql
    }
  },
  "name": "Inbox_list",
  "selections": [
    {
      "alias": "contents",
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
          "name": "order",
          "value": "DEADLINE"
        }
      ],
      "concreteType": "ContentConnection",
      "kind": "LinkedField",
      "name": "__Inbox_contents_connection",
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
                  "name": "status",
                  "storageKey": null
                },
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
                  "name": "text",
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
                  "kind": "ScalarField",
                  "name": "createdAt",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "updatedAt",
                  "storageKey": null
                },
                {
                  "alias": null,
                  "args": null,
                  "kind": "ScalarField",
                  "name": "expiresAt",
                  "storageKey": null
                },
                {
                  "args": null,
                  "kind": "FragmentSpread",
                  "name": "InboxRow_content"
                },
                {
                  "args": null,
                  "kind": "FragmentSpread",
                  "name": "Review_content"
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
      "storageKey": "__Inbox_contents_connection(filter:{\"status\":\"PENDING_REVIEW\"},order:\"DEADLINE\")"
    }
  ],
  "type": "Query",
  "abstractKey": null
};
})();

(node as any).hash = "9198a87baee3194d7d08282a44af85da";

export default node;
