/**
 * @generated SignedSource<<29ec02142a3f6b9543dc8e8459f3b440>>
 * @relayHash af237d40f9cd6a07421dd2f529297d00
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 68255118202fedc5bbeb26def032cd90ccfdf7dc1ed04e05672a33e01e4cefce

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
export type BrandMutation$variables = {
  input: UpdateTenantInput;
};
export type BrandMutation$data = {
  readonly updateTenant: {
    readonly tenant: {
      readonly brand: {
        readonly audience: string | null | undefined;
        readonly excludedTopics: ReadonlyArray<string>;
        readonly voice: string | null | undefined;
        readonly website: string | null | undefined;
      } | null | undefined;
      readonly id: string;
    };
  } | null | undefined;
};
export type BrandMutation = {
  response: BrandMutation$data;
  variables: BrandMutation$variables;
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
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "BrandMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "BrandMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "68255118202fedc5bbeb26def032cd90ccfdf7dc1ed04e05672a33e01e4cefce",
    "metadata": {},
    "name": "BrandMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "83feef9b0c8b043175a1ef9a4441a228";

export default node;
