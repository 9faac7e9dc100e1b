/**
 * @generated SignedSource<<2bc7e78355545bf6a4f35f54467cd211>>
 * @relayHash 8499b102e1a0b617179eac3ba9e522a1
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID a77104d3bf825510c67bb671d6b5a64f5b6f84c7e735a0bc892a23c5a330e25c

import { ConcreteRequest } from 'relay-runtime';
export type BrandQuery$variables = Record<PropertyKey, never>;
export type BrandQuery$data = {
  readonly tenant: {
    readonly brand: {
      readonly audience: string | null | undefined;
      readonly excludedTopics: ReadonlyArray<string>;
      readonly voice: string | null | undefined;
      readonly website: string | null | undefined;
    } | null | undefined;
    readonly id: string;
  } | null | undefined;
};
export type BrandQuery = {
  response: BrandQuery$data;
  variables: BrandQuery$variables;
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
        "concreteType": "Brand",
        "kind": "LinkedField",
        "name": "brand",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "voice",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "audience",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "website",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "excludedTopics",
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
    "name": "BrandQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "BrandQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "id": "a77104d3bf825510c67bb671d6b5a64f5b6f84c7e735a0bc892a23c5a330e25c",
    "metadata": {},
    "name": "BrandQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "d8a8d2df20c41c15691f5b2c0883bc6b";

export default node;
