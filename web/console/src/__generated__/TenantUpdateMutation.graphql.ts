/**
 * @generated SignedSource<<4195a26a3d414ab08f738efa9c0b22de>>
 * @relayHash 26667ea60cef37ba6c886ebcef6380ce
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID e9ff0d8a176571738bc84dc9f7b52be54302a57908c64ef04a2d1a196fe4bdb8

import { ConcreteRequest } from 'relay-runtime';
export type UpdateTenantInput = {
  brand?: BrandInput | null | undefined;
  name?: string | null | undefined;
  slug?: string | null | undefined;
};
export type BrandInput = {
  audience?: string | null | undefined;
  excludedTopics?: ReadonlyArray<string> | null | undefined;
  voice?: string | null | undefined;
  website?: string | null | undefined;
};
export type TenantUpdateMutation$variables = {
  input: UpdateTenantInput;
};
export type TenantUpdateMutation$data = {
  readonly updateTenant: {
    readonly tenant: {
      readonly id: string;
      readonly name: string;
      readonly slug: string;
    };
  } | null | undefined;
};
export type TenantUpdateMutation = {
  response: TenantUpdateMutation$data;
  variables: TenantUpdateMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": "UpdateTenantPayload",
    "kind": "LinkedField",
    "name": "updateTenant",
    "plural": false,
    "selections": [
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
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "TenantUpdateMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "TenantUpdateMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "e9ff0d8a176571738bc84dc9f7b52be54302a57908c64ef04a2d1a196fe4bdb8",
    "metadata": {},
    "name": "TenantUpdateMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "cf65eaaaf35df601cf7caef33558d531";

export default node;
