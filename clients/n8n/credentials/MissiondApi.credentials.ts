import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow'

/** An API key of missiond, and where the service is. */
export class MissiondApi implements ICredentialType {
  name = 'missiondApi'
  displayName = 'missiond API'
  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://missiond.example.com',
      description: 'The address of the service, without a path',
    },
    {
      displayName: 'API Key',
      name: 'key',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'With the scopes of what your workflows do; the trigger needs integrations:write and missions:read',
    },
  ]
  authenticate: IAuthenticateGeneric = { type: 'generic', properties: { headers: { Authorization: '=Bearer {{$credentials.key}}' } } }
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}', url: '/v1/auth/whoami', timeout: 10_000 },
  }
}
