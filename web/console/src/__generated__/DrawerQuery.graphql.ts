/**
 * @generated SignedSource<<e263379f479e6d1435c00073bf469de3>>
 * @relayHash 433dfae266fa9fcb75f804d8dd4ccc2d
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 8e4acdf41c0d29b45c1a2f137932747db8ee05cfdeb37d7b9325cdab958d91d1

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type DrawerQuery$variables = {
  id: string;
};
export type DrawerQuery$data = {
  readonly content: {
    readonly error: {
      readonly message: string;
    } | null | undefined;
    readonly firstComment: {
      readonly text: string;
    } | null | undefined;
    readonly id: string;
    readonly integrationId: string | null | undefined;
    readonly mission: {
      readonly id: string;
      readonly name: string;
    } | null | undefined;
    readonly missionId: string;
    readonly parts: ReadonlyArray<string>;
    readonly platform: Platform;
    readonly platformUrl: string | null | undefined;
    readonly publishedAt: string | null | undefined;
    readonly revision: number;
    readonly scheduledAt: string | null | undefined;
    readonly status: ContentStatus;
    readonly text: string;
    readonly " $fragmentSpreads": FragmentRefs<"PostContent_content" | "Settle_content" | "items_content">;
  } | null | undefined;
};
export type DrawerQuery = {
  response: DrawerQuery$data;
  variables: DrawerQuery$variables;
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
  "name": "id",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "missionId",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "platform",
  "storageKey": null
},
v5 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "integrationId",
  "storageKey": null
},
v6 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
},
v7 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "text",
  "storageKey": null
},
v8 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "parts",
  "storageKey": null
},
v9 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "revision",
  "storageKey": null
},
v10 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "scheduledAt",
  "storageKey": null
},
v11 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "publishedAt",
  "storageKey": null
},
v12 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "platformUrl",
  "storageKey": null
},
v13 = {
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
      "name": "message",
      "storageKey": null
    }
  ],
  "storageKey": null
},
v14 = {
  "alias": null,
  "args": null,
  "concreteType": "Mission",
  "kind": "LinkedField",
  "name": "mission",
  "plural": false,
  "selections": [
    (v2/*:: as any*/),
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "name",
      "storageKey": null
    }
  ],
  "storageKey": null
},
v15 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "accountHandle",
  "storageKey": null
},
v16 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "type",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "DrawerQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Content",
        "kind": "LinkedField",
        "name": "content",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/),
          (v5/*:: as any*/),
          (v6/*:: as any*/),
          (v7/*:: as any*/),
          (v8/*:: as any*/),
          (v9/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "concreteType": "FirstComment",
            "kind": "LinkedField",
            "name": "firstComment",
            "plural": false,
            "selections": [
              (v7/*:: as any*/)
            ],
            "storageKey": null
          },
          (v10/*:: as any*/),
          (v11/*:: as any*/),
          (v12/*:: as any*/),
          (v13/*:: as any*/),
          (v14/*:: as any*/),
          {
            "args": null,
            "kind": "FragmentSpread",
            "name": "PostContent_content"
          },
          {
            "args": null,
            "kind": "FragmentSpread",
            "name": "Settle_content"
          },
          {
            "kind": "InlineDataFragmentSpread",
            "name": "items_content",
            "selections": [
              (v2/*:: as any*/),
              (v3/*:: as any*/),
              (v4/*:: as any*/),
              (v15/*:: as any*/),
              (v6/*:: as any*/),
              (v7/*:: as any*/),
              (v16/*:: as any*/),
              (v10/*:: as any*/),
              (v11/*:: as any*/),
              (v13/*:: as any*/)
            ],
            "args": null,
            "argumentDefinitions": []
          }
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
    "name": "DrawerQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Content",
        "kind": "LinkedField",
        "name": "content",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/),
          (v5/*:: as any*/),
          (v6/*:: as any*/),
          (v7/*:: as any*/),
          (v8/*:: as any*/),
          (v9/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "concreteType": "FirstComment",
            "kind": "LinkedField",
            "name": "firstComment",
            "plural": false,
            "selections": [
              (v7/*:: as any*/),
              (v6/*:: as any*/),
              (v12/*:: as any*/),
              (v13/*:: as any*/)
            ],
            "storageKey": null
          },
          (v10/*:: as any*/),
          (v11/*:: as any*/),
          (v12/*:: as any*/),
          (v13/*:: as any*/),
          (v14/*:: as any*/),
          (v15/*:: as any*/),
          (v16/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "allowedActions",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "8e4acdf41c0d29b45c1a2f137932747db8ee05cfdeb37d7b9325cdab958d91d1",
    "metadata": {},
    "name": "DrawerQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "065507e0ad2b0da66e431d2622798cbb";

export default node;
