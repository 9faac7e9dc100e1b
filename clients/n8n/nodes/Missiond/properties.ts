import type { INodeProperties } from 'n8n-workflow'
import { missionStates, platforms } from './generated'

/** only shows a field for some operations of a resource. */
const only = (resource: string, ...operation: string[]) => ({ displayOptions: { show: { resource: [resource], operation } } })

const operation = (resource: string, options: INodeProperties['options'], initial: string): INodeProperties => ({
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  options,
  default: initial,
})

/** The fields of the node. */
export const properties: INodeProperties[] = [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'Mission', value: 'mission' },
      { name: 'Post', value: 'post' },
    ],
    default: 'mission',
  },
  operation(
    'mission',
    [
      { name: 'Complete', value: 'complete', action: 'Complete a mission', description: 'End a mission early' },
      { name: 'Create', value: 'create', action: 'Create a mission' },
      { name: 'Get', value: 'get', action: 'Get a mission' },
      { name: 'Get Many', value: 'getMany', action: 'Get many missions' },
      { name: 'Pause', value: 'pause', action: 'Pause a mission' },
      { name: 'Resume', value: 'resume', action: 'Resume a mission' },
      { name: 'Start', value: 'start', action: 'Start a mission' },
    ],
    'getMany',
  ),
  operation(
    'post',
    [
      { name: 'Approve', value: 'approve', action: 'Approve a post' },
      { name: 'Create', value: 'create', action: 'Create a post', description: 'Add a post of your own to a mission' },
      { name: 'Get', value: 'get', action: 'Get a post' },
      { name: 'Get Many', value: 'getMany', action: 'Get many posts' },
      { name: 'Reject', value: 'reject', action: 'Reject a post' },
    ],
    'getMany',
  ),

  {
    displayName: 'Mission ID',
    name: 'id',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'msn_…',
    ...only('mission', 'get', 'start', 'pause', 'resume', 'complete'),
  },
  { displayName: 'Name', name: 'name', type: 'string', default: '', required: true, ...only('mission', 'create') },
  {
    displayName: 'Objectives',
    name: 'objectives',
    type: 'string',
    typeOptions: { multipleValues: true },
    default: [],
    required: true,
    ...only('mission', 'create'),
  },
  {
    displayName: 'Platforms',
    name: 'platforms',
    type: 'multiOptions',
    options: platforms,
    default: [],
    required: true,
    ...only('mission', 'create'),
  },
  {
    displayName: 'Duration in Days',
    name: 'durationDays',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 366 },
    default: 7,
    ...only('mission', 'create'),
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    ...only('mission', 'create'),
    options: [
      {
        displayName: 'Description',
        name: 'description',
        type: 'string',
        default: '',
        description: 'What the mission is about, in sentences that posts may say: the built-in writer quotes them',
      },
      { displayName: 'Posts per Day', name: 'postsPerDay', type: 'number', default: 1 },
      {
        displayName: 'Require Approval',
        name: 'requireApproval',
        type: 'boolean',
        default: true,
        description: 'Whether posts wait until a person approves them',
      },
      { displayName: 'Start Immediately', name: 'startImmediately', type: 'boolean', default: true },
    ],
  },

  {
    displayName: 'Post ID',
    name: 'id',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'cnt_…',
    ...only('post', 'get', 'approve', 'reject'),
  },
  { displayName: 'Reason', name: 'reason', type: 'string', default: '', ...only('post', 'reject') },
  { displayName: 'Mission ID', name: 'missionId', type: 'string', default: '', required: true, ...only('post', 'create') },
  {
    displayName: 'Platform',
    name: 'platform',
    type: 'options',
    options: platforms,
    default: 'mastodon',
    required: true,
    ...only('post', 'create'),
  },
  { displayName: 'Text', name: 'text', type: 'string', typeOptions: { rows: 4 }, default: '', required: true, ...only('post', 'create') },
  {
    displayName: 'Publish At',
    name: 'scheduledAt',
    type: 'dateTime',
    default: '',
    description: 'Left empty, the service chooses a time',
    ...only('post', 'create'),
  },

  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: { show: { operation: ['getMany'] } },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { operation: ['getMany'], returnAll: [false] } },
  },
  {
    displayName: 'Status',
    name: 'status',
    type: 'options',
    options: [{ name: 'Any', value: '' }, ...missionStates],
    default: '',
    ...only('mission', 'getMany'),
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add filter',
    default: {},
    ...only('post', 'getMany'),
    options: [
      { displayName: 'Mission ID', name: 'mission_id', type: 'string', default: '' },
      { displayName: 'Platform', name: 'platform', type: 'options', options: platforms, default: 'mastodon' },
      { displayName: 'Search', name: 'search', type: 'string', default: '' },
      {
        displayName: 'Status',
        name: 'status',
        type: 'string',
        default: 'pending_review',
        description: 'Such as pending_review or published',
      },
    ],
  },
]
