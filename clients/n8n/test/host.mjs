// Plays the part of n8n that runs nodes: parameters, expressions and checks are those of
// n8n-workflow, requests are made by fetch with the credential's own rules.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { NodeHelpers, Workflow } = require('n8n-workflow')
const folder = new URL('../node_modules/n8n-nodes-missiond/', import.meta.url).pathname
export const manifest = require(`${folder}package.json`)

const load = (file) => Object.values(require(folder + file))[0]
const kinds = Object.fromEntries(
  manifest.n8n.nodes.map((file) => {
    const kind = new (load(file))()
    return [`${manifest.name}.${kind.description.name}`, kind]
  }),
)
const credential = new (load(manifest.n8n.credentials[0]))()

const nodeTypes = {
  getByName: (type) => kinds[type],
  getByNameAndVersion: (type) => kinds[type],
  getKnownTypes: () => kinds,
}

// Host runs the nodes of a workflow against a service.
export class Host {
  requests = []
  runIndex = 0

  constructor(service, { nodes, connections }) {
    this.service = service
    this.workflow = new Workflow({ id: 'w1', nodes, connections, active: false, nodeTypes })
  }

  // problems returns what n8n would show as wrong before it runs a node.
  problems(name) {
    const node = this.workflow.getNode(name)
    return NodeHelpers.getNodeParametersIssues(kinds[node.type].description.properties, node, kinds[node.type].description)
  }

  // parameter returns a node's parameter, with its expressions evaluated for an item.
  parameter(node, items, name, index, fallback) {
    const value = node.parameters[name]
    if (value === undefined) return fallback
    return this.workflow.expression.getParameterValue(value, null, this.runIndex, index, node.name, items, 'manual', {})
  }

  async request(options) {
    const url = new URL(options.baseURL + options.url)
    for (const [name, value] of Object.entries(options.qs ?? {})) url.searchParams.set(name, String(value))
    const rule = credential.authenticate.properties.headers.Authorization
    const [node] = Object.values(this.workflow.nodes)
    const keys = { $credentials: { key: this.service.key } }
    const Authorization = this.workflow.expression.getSimpleParameterValue(node, rule, 'manual', keys)
    const headers = { ...options.headers, Authorization, Accept: 'application/json' }
    if (options.body) headers['Content-Type'] = 'application/json'
    this.requests.push({ method: options.method, path: url.pathname, key: options.headers?.['Idempotency-Key'] })
    const response = await fetch(url, {
      method: options.method,
      headers,
      body: options.body && JSON.stringify(options.body),
      redirect: options.disableFollowRedirect ? 'manual' : 'follow',
      signal: AbortSignal.timeout(options.timeout),
    })
    const text = await response.text()
    let body = text
    try {
      body = text && JSON.parse(text)
    } catch {
      // It stays a text, as it does in n8n.
    }
    return { statusCode: response.status, headers: Object.fromEntries(response.headers), body }
  }

  context(name, items, more) {
    const node = this.workflow.getNode(name)
    return {
      getNode: () => node,
      getWorkflow: () => ({ id: this.workflow.id }),
      getExecutionId: () => this.execution,
      evaluateExpression: () => this.runIndex,
      getInputData: () => items,
      continueOnFail: () => node.onError === 'continueRegularOutput',
      getCredentials: async () => ({ url: this.service.url, key: this.service.key }),
      getWorkflowStaticData: (type) => this.workflow.getStaticData(type, node),
      helpers: {
        httpRequestWithAuthentication: (_, options) => this.request(options),
        returnJsonArray: (data) => (Array.isArray(data) ? data : [data]).map((json) => ({ json })),
        constructExecutionMetaData: (data, { itemData }) => data.map((one) => ({ ...one, pairedItem: itemData })),
      },
      ...more,
    }
  }

  // run runs a node for items, and returns what comes out of it.
  async run(name, items = [{ json: {} }]) {
    const node = this.workflow.getNode(name)
    const getNodeParameter = (parameter, index, fallback) => this.parameter(node, items, parameter, index, fallback)
    const [out] = await kinds[node.type].execute.call(this.context(name, items, { getNodeParameter }))
    return out
  }

  // hook calls a trigger's method for its webhook: checkExists, create or delete.
  hook(name, method, url) {
    const node = this.workflow.getNode(name)
    const getNodeParameter = (parameter, fallback) => this.parameter(node, [], parameter, 0, fallback)
    const context = this.context(name, [], { getNodeParameter, getNodeWebhookUrl: () => url })
    return kinds[node.type].webhookMethods.default[method].call(context)
  }

  // receive gives a request to a trigger, and returns its status and the items that start the workflow.
  async receive(name, rawBody, headers) {
    const node = this.workflow.getNode(name)
    let status = 200
    const result = await kinds[node.type].webhook.call(
      this.context(name, [], {
        getNodeParameter: (parameter, fallback) => this.parameter(node, [], parameter, 0, fallback),
        getRequestObject: () => ({ rawBody }),
        getHeaderData: () => headers,
        getResponseObject: () => ({
          status(code) {
            status = code
            return this
          },
          send() {},
        }),
      }),
    )
    return { status, items: result.workflowData?.[0] }
  }
}
