/**
 * @generated SignedSource<<eaadfc16f982812f7d1be365cbddf3c0>>
 * @relayHash d7e661744c6143207e52fb9fbf37cf9b
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID ebdbb329c45656d86ee6c17d92fec4632354a9283a41745508f8319ffc6beaea

import { ConcreteRequest } from 'relay-runtime';
export type ApiKeyStatus = "ACTIVE" | "REVOKED" | "ROTATING";
export type Scope = "ADMIN" | "ANALYTICS_READ" | "CONTENT_READ" | "CONTENT_WRITE" | "INTEGRATIONS_READ" | "INTEGRATIONS_WRITE" | "MISSIONS_READ" | "MISSIONS_WRITE";
export type KeysQuery$variables = Record<PropertyKey, never>;
export type KeysQuery$data = {
  readonly apiKeys: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly createdAt: string;
        readonly expiresAt: string | null | undefined;
        readonly id: string;
        readonly keyPrefix: string;
        readonly lastUsedAt: string | null | undefined;
        readonly name: string;
        readonly scopes: ReadonlyArray<Scope>;
        readonly status: ApiKeyStatus;
        readonly usage: {
          readonly last30Days: number;
        };
        readonly validUntil: string | null | undefined;
      };
    }>;
  } | null | undefined;
};
export type KeysQuery = {
  response: KeysQuery$data;
  variables: KeysQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Literal",
        "name": "first",
        "value": 100
      }
    ],
    "concreteType": "ApiKeyConnection",
    "kind": "LinkedField",
    "name": "apiKeys",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "ApiKeyEdge",
        "kind": "LinkedField",
        "name": "edges",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "ApiKey",
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
                "name": "name",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "keyPrefix",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "scopes",
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
                "name": "lastUsedAt",
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
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "validUntil",
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
                "concreteType": "ApiKeyUsage",
                "kind": "LinkedField",
                "name": "usage",
                "plural": false,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "last30Days",
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
    ],
    "storageKey": "apiKeys(first:100)"
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "KeysQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "KeysQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "id": "ebdbb329c45656d86ee6c17d92fec4632354a9283a41745508f8319ffc6beaea",
    "metadata": {},
    "name": "KeysQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "31c209f31d30dcd5ee775f543c67b765";

export default node;
