/**
 * @generated SignedSource<<893a34c5a871d4b731f85f5bc90d640d>>
 * @relayHash 5b83929faed0b3f72abbf8a30ef374b3
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 77e1c8a0e93907fa0d88bda0c50f69d54ba5279be45ac75cf678eeaed1ee31e3

import { ConcreteRequest } from 'relay-runtime';
export type MissionStatus = "ACTIVE" | "COMPLETED" | "DRAFT" | "PAUSED";
export type PaletteQuery$variables = {
  search?: string | null | undefined;
};
export type PaletteQuery$data = {
  readonly missions: {
    readonly edges: ReadonlyArray<{
      readonly node: {
        readonly id: string;
        readonly name: string;
        readonly status: MissionStatus;
      };
    }>;
  } | null | undefined;
};
export type PaletteQuery = {
  response: PaletteQuery$data;
  variables: PaletteQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "search"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "fields": [
          {
            "kind": "Variable",
            "name": "search",
            "variableName": "search"
          }
        ],
        "kind": "ObjectValue",
        "name": "filter"
      },
      {
        "kind": "Literal",
        "name": "first",
        "value": 8
      }
    ],
    "concreteType": "MissionConnection",
    "kind": "LinkedField",
    "name": "missions",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "MissionEdge",
        "kind": "LinkedField",
        "name": "edges",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "Mission",
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
                "name": "status",
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
    "name": "PaletteQuery",
    "selections": (v1/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "PaletteQuery",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "77e1c8a0e93907fa0d88bda0c50f69d54ba5279be45ac75cf678eeaed1ee31e3",
    "metadata": {},
    "name": "PaletteQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "9bc6fc537dc52a7c1c9b132f4e5cfe8f";

export default node;
