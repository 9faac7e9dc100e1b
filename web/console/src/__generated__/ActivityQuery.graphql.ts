/**
 * @generated SignedSource<<87f6fdd2ac27ec25273293858f387707>>
 * @relayHash e5fac637367894707c908b0a115bcaef
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 54cbddcbfa06512e43e1155d5cc42081290526f2a140e9be253d7783b55772cb

import { ConcreteRequest } from 'relay-runtime';
import { FragmentRefs } from "relay-runtime";
export type EventType = "ANALYTICS_ANOMALY_DETECTED" | "ANALYTICS_KPI_ACHIEVED" | "CONTENT_APPROVED" | "CONTENT_CANCELED" | "CONTENT_CREATED" | "CONTENT_EXPIRED" | "CONTENT_EXPIRING" | "CONTENT_FAILED" | "CONTENT_HELD" | "CONTENT_PUBLISHED" | "CONTENT_REJECTED" | "CONTENT_REOPENED" | "CONTENT_SCHEDULED" | "MISSION_COMPLETED" | "MISSION_CREATED" | "MISSION_PAUSED" | "MISSION_RESUMED" | "MISSION_STARTED" | "PIPELINE_JOB_COMPLETED" | "PIPELINE_JOB_FAILED" | "PIPELINE_STAGE_COMPLETED" | "WEBHOOK_TEST";
export type ActivityQuery$variables = {
  types?: ReadonlyArray<EventType> | null | undefined;
};
export type ActivityQuery$data = {
  readonly " $fragmentSpreads": FragmentRefs<"Activity_events">;
};
export type ActivityQuery = {
  response: ActivityQuery$data;
  variables: ActivityQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "types"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "types",
    "variableName": "types"
  }
],
v2 = [
  {
    "fields": (v1/*:: as any*/),
    "kind": "ObjectValue",
    "name": "filter"
  },
  {
    "kind": "Literal",
    "name": "first",
    "value": 40
  }
],
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "ActivityQuery",
    "selections": [
      {
        "args": (v1/*:: as any*/),
        "kind": "FragmentSpread",
        "name": "Activity_events"
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "ActivityQuery",
    "selections": [
      {
        "alias": null,
        "args": (v2/*:: as any*/),
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
                  (v3/*:: as any*/),
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
                    "name": "type",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "data",
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "concreteType": "Mission",
                    "kind": "LinkedField",
                    "name": "mission",
                    "plural": false,
                    "selections": [
                      (v3/*:: as any*/),
                      {
                        "alias": null,
                        "args": null,
                        "kind": "ScalarField",
                        "name": "name",
                        "storageKey": null
                      }
                    ],
                    "storageKey": null
                  },
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "__typename",
                    "storageKey": null
                  }
                ],
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "cursor",
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "PageInfo",
            "kind": "LinkedField",
            "name": "pageInfo",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "endCursor",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "hasNextPage",
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": (v2/*:: as any*/),
        "filters": [
          "filter"
        ],
        "handle": "connection",
        "key": "Activity_events",
        "kind": "LinkedHandle",
        "name": "events"
      }
    ]
  },
  "params": {
    "id": "54cbddcbfa06512e43e1155d5cc42081290526f2a140e9be253d7783b55772cb",
    "metadata": {},
    "name": "ActivityQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "930ab773f5aec3e11da1a7f9dd2e20aa";

export default node;
