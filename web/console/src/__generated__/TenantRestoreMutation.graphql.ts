/**
 * @generated SignedSource<<98952d549378d2862aa771ac85f81333>>
 * @relayHash fa8b3dd059aa5cf62c50d52dec44b935
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 40259057c95cb3794684e7f311fc345f0405f96900d482066a75250448acdbc5

import { ConcreteRequest } from 'relay-runtime';
export type TenantRestoreMutation$variables = Record<PropertyKey, never>;
export type TenantRestoreMutation$data = {
  readonly restoreTenant: {
    readonly tenant: {
      readonly deletesAt: string | null | undefined;
      readonly id: string;
    };
  } | null | undefined;
};
export type TenantRestoreMutation = {
  response: TenantRestoreMutation$data;
  variables: TenantRestoreMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "RestoreTenantPayload",
    "kind": "LinkedField",
    "name": "restoreTenant",
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
            "name": "deletesAt",
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
    "name": "TenantRestoreMutation",
    "selections": (v0/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "TenantRestoreMutation",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "id": "40259057c95cb3794684e7f311fc345f0405f96900d482066a75250448acdbc5",
    "metadata": {},
    "name": "TenantRestoreMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "e7c699a6708e9a9b579b01049f78d8ab";

export default node;
