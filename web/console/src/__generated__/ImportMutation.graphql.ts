/**
 * @generated SignedSource<<d9adcddbee2fd245b10c23bdb0872529>>
 * @relayHash c6dc7299ff7aaa7b44bf5109cc4ede48
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 2e088c7cd4934a0f427e99bdb08755fac31ccb032502b9db371b1fd7fd4225bc

import { ConcreteRequest } from 'relay-runtime';
export type ImportFormat = "CSV" | "NDJSON";
export type ImportContentsInput = {
  data: string;
  dryRun?: boolean;
  format: ImportFormat;
  missionId?: string | null | undefined;
  partial?: boolean;
};
export type ImportMutation$variables = {
  input: ImportContentsInput;
};
export type ImportMutation$data = {
  readonly importContents: {
    readonly created: number;
    readonly rows: ReadonlyArray<{
      readonly line: number;
      readonly problem: {
        readonly message: string;
        readonly param: string;
      } | null | undefined;
    }>;
  } | null | undefined;
};
export type ImportMutation = {
  response: ImportMutation$data;
  variables: ImportMutation$variables;
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
    "concreteType": "ImportContentsPayload",
    "kind": "LinkedField",
    "name": "importContents",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "created",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "ImportedRow",
        "kind": "LinkedField",
        "name": "rows",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "line",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "ContentProblem",
            "kind": "LinkedField",
            "name": "problem",
            "plural": false,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "param",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "message",
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
    "name": "ImportMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "ImportMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "2e088c7cd4934a0f427e99bdb08755fac31ccb032502b9db371b1fd7fd4225bc",
    "metadata": {},
    "name": "ImportMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "327cdfc7cd5acc8cbf441edd3b3ce654";

export default node;
