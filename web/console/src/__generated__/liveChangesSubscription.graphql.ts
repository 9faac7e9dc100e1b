/**
 * @generated SignedSource<<f92b53465910c34750a019fe0a13ad59>>
 * @relayHash 36d76ae1864af0e42177d388ba612cd7
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 4b62b80c80f923e3ea075f148e166975598b6afacc51decd47605c5a83729943

import { ConcreteRequest } from 'relay-runtime';
export type ChangeKind = "API_KEYS" | "DELIVERIES" | "INTEGRATIONS" | "MEMBERS" | "MISSIONS" | "TENANT" | "WEBHOOKS";
export type liveChangesSubscription$variables = Record<PropertyKey, never>;
export type liveChangesSubscription$data = {
  readonly changes: {
    readonly kinds: ReadonlyArray<ChangeKind>;
  } | null | undefined;
};
export type liveChangesSubscription = {
  response: liveChangesSubscription$data;
  variables: liveChangesSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "alias": null,
    "args": null,
    "concreteType": "Changes",
    "kind": "LinkedField",
    "name": "changes",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "kinds",
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
    "name": "liveChangesSubscription",
    "selections": (v0/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "liveChangesSubscription",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "id": "4b62b80c80f923e3ea075f148e166975598b6afacc51decd47605c5a83729943",
    "metadata": {},
    "name": "liveChangesSubscription",
    "operationKind": "subscription",
    "text": null
  }
};
})();

(node as any).hash = "6850aac9658fbb4863b684f1fd18735f";

export default node;
