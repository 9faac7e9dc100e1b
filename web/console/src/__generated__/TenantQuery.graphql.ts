/**
 * @generated SignedSource<<20891810df204fbd98bf1e727079fbe1>>
 * @relayHash 70ec489517a3effa6417f7874e3b4898
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 60d9a0216ea0c82172c95ebc6b5816f13cfcb253d6890bb88486c7980fc55b9c

import { ConcreteRequest } from 'relay-runtime';
export type Plan = "ENTERPRISE" | "FREE" | "PRO";
export type TenantQuery$variables = Record<PropertyKey, never>;
export type TenantQuery$data = {
  readonly tenant: {
    readonly createdAt: string;
    readonly deletesAt: string | null | undefined;
    readonly id: string;
    readonly name: string;
    readonly plan: Plan;
    readonly slug: string;
  } | null | undefined;
};
export type TenantQuery = {
  response: TenantQuery$data;
  variables: TenantQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "Tenant",
    "kind": "LinkedField",
    "name": "tenant",
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
        "name": "slug",
        "storageKey": null
      },
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
        "name": "createdAt",
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
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "TenantQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "TenantQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "id": "60d9a0216ea0c82172c95ebc6b5816f13cfcb253d6890bb88486c7980fc55b9c",
    "metadata": {},
    "name": "TenantQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "3cb934b986d010e1cd86da15520c3e53";

export default node;
