/**
 * @generated SignedSource<<47b532f09a21092bb04340a3ece7d549>>
 * @relayHash f7c59e0abcca3f8dc52e20647fd13745
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 03c838d68c014881ef47d97ef55e4081357e448a86c2f9f5b18daba942236f54

import { ConcreteRequest } from 'relay-runtime';
export type TenantDeleteMutation$variables = {
  confirm: string;
};
export type TenantDeleteMutation$data = {
  readonly deleteTenant: {
    readonly tenant: {
      readonly deletesAt: string | null | undefined;
      readonly id: string;
    };
  } | null | undefined;
};
export type TenantDeleteMutation = {
  response: TenantDeleteMutation$data;
  variables: TenantDeleteMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "confirm"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "confirm",
        "variableName": "confirm"
      }
    ],
    "concreteType": "DeleteTenantPayload",
    "kind": "LinkedField",
    "name": "deleteTenant",
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
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "TenantDeleteMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "TenantDeleteMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "03c838d68c014881ef47d97ef55e4081357e448a86c2f9f5b18daba942236f54",
    "metadata": {},
    "name": "TenantDeleteMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "162023c3875821d4ce051a731cf11f1c";

export default node;
