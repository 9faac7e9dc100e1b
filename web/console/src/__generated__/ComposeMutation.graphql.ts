/**
 * @generated SignedSource<<ca309e71519c77096a1370289fcb6984>>
 * @relayHash a7e756f10bc10d8e1288ceba19f65fca
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID d68f40c6b125b46b75369f423713cc67033ace55deb15bb96a7103b478991830

import { ConcreteRequest } from 'relay-runtime';
export type ContentStatus = "APPROVED" | "CANCELED" | "EXPIRED" | "FAILED" | "PENDING_REVIEW" | "PUBLISHED" | "PUBLISHING" | "REJECTED" | "SCHEDULED" | "UNKNOWN";
export type Platform = "BLUESKY" | "FACEBOOK" | "INSTAGRAM" | "LINKEDIN" | "MASTODON" | "PINTEREST" | "THREADS" | "TIKTOK" | "TWITTER" | "YOUTUBE";
export type CreateContentInput = {
  firstComment?: string | null | undefined;
  integrationId?: string | null | undefined;
  missionId: string;
  parts?: ReadonlyArray<string> | null | undefined;
  platform: Platform;
  scheduledAt?: string | null | undefined;
  text?: string | null | undefined;
};
export type ComposeMutation$variables = {
  input: CreateContentInput;
};
export type ComposeMutation$data = {
  readonly createContent: {
    readonly content: {
      readonly id: string;
      readonly scheduledAt: string | null | undefined;
      readonly status: ContentStatus;
    };
  } | null | undefined;
};
export type ComposeMutation = {
  response: ComposeMutation$data;
  variables: ComposeMutation$variables;
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
    "concreteType": "CreateContentPayload",
    "kind": "LinkedField",
    "name": "createContent",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Content",
        "kind": "LinkedField",
        "name": "content",
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
            "name": "status",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "scheduledAt",
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
    "name": "ComposeMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "ComposeMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "d68f40c6b125b46b75369f423713cc67033ace55deb15bb96a7103b478991830",
    "metadata": {},
    "name": "ComposeMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "66d8ea35453d6790f5a0b205598fd040";

export default node;
