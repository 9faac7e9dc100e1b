/**
 * @generated SignedSource<<2958afd12a7594ba37b35308b2d6659c>>
 * @relayHash d1a562857fc7791a27f059a4811f4b64
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 9cd10197e688aee9c265d0ec82517b57182c2ca2f88d6ebe8872fa8b31ab22ce

import { ConcreteRequest } from 'relay-runtime';
export type ContentType = "ARTICLE" | "POST" | "THREAD";
export type IntegrationStatus = "CONNECTED" | "NEEDS_RECONNECT" | "PENDING";
export type LengthUnit = "CHARACTERS" | "ESCAPED" | "GRAPHEMES" | "MASTODON" | "WEIGHTED";
export type Metric = "CLICKS" | "COMMENTS" | "ENGAGEMENT_RATE" | "FOLLOWERS_GAINED" | "IMPRESSIONS" | "LIKES" | "LINK_CLICKS" | "REACH" | "SHARES";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type limitsQuery$variables = Record<PropertyKey, never>;
export type limitsQuery$data = {
  readonly missionLimits: {
    readonly description: number;
    readonly durationDays: number;
    readonly item: number;
    readonly listItems: number;
    readonly name: number;
    readonly postsPerDay: number;
    readonly tone: number;
  } | null | undefined;
  readonly platforms: ReadonlyArray<{
    readonly accounts: ReadonlyArray<{
      readonly account: {
        readonly handle: string | null | undefined;
        readonly limits: {
          readonly linkLength: number;
          readonly maxLength: number;
        };
        readonly name: string;
      } | null | undefined;
      readonly default: boolean;
      readonly id: string;
      readonly label: string | null | undefined;
      readonly status: IntegrationStatus;
    }> | null | undefined;
    readonly connected: boolean | null | undefined;
    readonly firstComment: boolean;
    readonly formats: ReadonlyArray<ContentType>;
    readonly linkLength: number;
    readonly maxBytes: number;
    readonly maxHashtags: number;
    readonly maxParts: number;
    readonly metrics: ReadonlyArray<Metric>;
    readonly platform: Platform;
    readonly textLimit: number;
    readonly threads: boolean;
    readonly unit: LengthUnit;
  }> | null | undefined;
};
export type limitsQuery = {
  response: limitsQuery$data;
  variables: limitsQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "name",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "linkLength",
  "storageKey": null
},
v2 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "MissionLimits",
    "kind": "LinkedField",
    "name": "missionLimits",
    "plural": false,
    "selections": [
      (v0/*:: as any*/),
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "description",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "listItems",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "item",
        "storageKey": null
      },
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
        "name": "postsPerDay",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "durationDays",
        "storageKey": null
      }
    ],
    "storageKey": null
  },
  {
    "alias": null,
    "args": null,
    "concreteType": "PlatformCapabilities",
    "kind": "LinkedField",
    "name": "platforms",
    "plural": true,
    "selections": [
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
        "name": "unit",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "textLimit",
        "storageKey": null
      },
      (v1/*:: as any*/),
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "maxBytes",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "formats",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "threads",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "maxParts",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "maxHashtags",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "firstComment",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "metrics",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "connected",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "Integration",
        "kind": "LinkedField",
        "name": "accounts",
        "plural": true,
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
            "name": "label",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "default",
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
              },
              (v0/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": "AccountLimits",
                "kind": "LinkedField",
                "name": "limits",
                "plural": false,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "maxLength",
                    "storageKey": null
                  },
                  (v1/*:: as any*/)
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
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "limitsQuery",
    "selections": (v2/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "limitsQuery",
    "selections": (v2/*:: as any*/)
  },
  "params": {
    "id": "9cd10197e688aee9c265d0ec82517b57182c2ca2f88d6ebe8872fa8b31ab22ce",
    "metadata": {},
    "name": "limitsQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "a1e22aaf6c9dbd74eb716081cf06ffb3";

export default node;
