/**
 * @generated SignedSource<<6694ef561a55361121b190f5b4ade8ee>>
 * @relayHash f005e79d17f9495e1cbc1370f58806e3
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID adb692e3355daa8af70c02e5192d661ae3958b1db650c72845f0fd14beff430a

import { ConcreteRequest } from 'relay-runtime';
export type AuthMethod = "API_KEY" | "SESSION";
export type Plan = "ENTERPRISE" | "FREE" | "PRO";
export type Role = "ADMIN" | "EDITOR" | "VIEWER";
export type Scope = "ADMIN" | "ANALYTICS_READ" | "CONTENT_READ" | "CONTENT_WRITE" | "INTEGRATIONS_READ" | "INTEGRATIONS_WRITE" | "MISSIONS_READ" | "MISSIONS_WRITE";
export type ShellQuery$variables = Record<PropertyKey, never>;
export type ShellQuery$data = {
  readonly clock: {
    readonly now: string;
    readonly speed: number;
  } | null | undefined;
  readonly latest: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly id: string;
      };
    }>;
  } | null | undefined;
  readonly viewer: {
    readonly authMethod: AuthMethod;
    readonly scopes: ReadonlyArray<Scope>;
    readonly tenant: {
      readonly deletesAt: string | null | undefined;
      readonly id: string;
      readonly name: string;
      readonly plan: Plan;
    };
    readonly user: {
      readonly email: string | null | undefined;
      readonly id: string;
      readonly name: string | null | undefined;
      readonly role: Role;
    };
  } | null | undefined;
  readonly waiting: {
    readonly totalCount: number | null | undefined;
  } | null | undefined;
};
export type ShellQuery = {
  response: ShellQuery$data;
  variables: ShellQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v1 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "name",
  "storageKey": null
},
v2 = {
  "kind": "Literal",
  "name": "first",
  "value": 1
},
v3 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "Clock",
    "kind": "LinkedField",
    "name": "clock",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "now",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "speed",
        "storageKey": null
      }
    ],
    "storageKey": null
  },
  {
    "alias": null,
    "args": null,
    "concreteType": "Viewer",
    "kind": "LinkedField",
    "name": "viewer",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "User",
        "kind": "LinkedField",
        "name": "user",
        "plural": false,
        "selections": [
          (v0/*:: as any*/),
          (v1/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "email",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "role",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "Tenant",
        "kind": "LinkedField",
        "name": "tenant",
        "plural": false,
        "selections": [
          (v0/*:: as any*/),
          (v1/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "plan",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "deletesAt",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "authMethod",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "scopes",
        "storageKey": null
      }
    ],
    "storageKey": null
  },
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
      (v2/*:: as any*/)
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
      }
    ],
    "storageKey": "contents(filter:{\"status\":\"PENDING_REVIEW\"},first:1)"
  },
  {
    "alias": "latest",
    "args": [
      (v2/*:: as any*/)
    ],
    "concreteType": "EventConnection",
    "kind": "LinkedField",
    "name": "events",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "EventEdge",
        "kind": "LinkedField",
        "name": "edges",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "Event",
            "kind": "LinkedField",
            "name": "node",
            "plural": false,
            "selections": [
              (v0/*:: as any*/)
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": "events(first:1)"
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "ShellQuery",
    "selections": (v3/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "ShellQuery",
    "selections": (v3/*:: as any*/)
  },
  "params": {
    "id": "adb692e3355daa8af70c02e5192d661ae3958b1db650c72845f0fd14beff430a",
    "metadata": {},
    "name": "ShellQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "9c8879957acd2dea04c3753261f16549";

export default node;
