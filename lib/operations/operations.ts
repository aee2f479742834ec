import { eventsPath, queueCountsPath } from '@/lib/routes'
import {
  canDecideReviews,
  canMoveMoney,
  canReadRequestLog,
  canUploadEvidence,
  defineDeskOperations,
  deskRead,
  deskWrite,
  type Operation,
} from './define'
import { approvals, policies } from './desk/approvals'
import { exports } from './desk/exports'
import { people } from './desk/people'
import { serviceOperations } from './service-operations'

const views = defineDeskOperations({
  'views.list': { ...deskRead, path: '/views', verbPhrase: 'list saved views' },
  'views.create': { ...deskWrite, path: '/views', events: ['applied'], invalidates: ['views'], verbPhrase: 'save a view' },
  'views.update': {
    ...deskWrite,
    method: 'PUT',
    path: '/views/:id',
    events: ['applied'],
    invalidates: ['views'],
    verbPhrase: 'change a saved view',
  },
  'views.delete': {
    ...deskWrite,
    method: 'DELETE',
    path: '/views/:id',
    events: ['applied'],
    invalidates: ['views'],
    verbPhrase: 'remove a saved view',
  },
})

/** Actions of the action log. What is settled, checked or decided is on record under the operation it is about. */
const actions = defineDeskOperations({
  'actions.list': { ...deskRead, path: '/actions', unattended: true, verbPhrase: 'list actions' },
  'actions.read': { ...deskRead, path: '/actions/:id', scope: 'object', unattended: true, verbPhrase: 'read an action' },
  'actions.check': { ...deskWrite, path: '/actions/:id', scope: 'object', invalidates: ['actions'], verbPhrase: 'check an action again' },
  'actions.decide': {
    ...deskWrite,
    path: '/actions/:id/decision',
    scope: 'object',
    allow: canDecideReviews,
    invalidates: ['actions'],
    verbPhrase: 'decide what became of an action',
  },
})

const deletions = defineDeskOperations({
  'deletions.list': { ...deskRead, path: '/deletions', verbPhrase: 'list requests to delete a customer' },
  'deletions.request': {
    ...deskWrite,
    path: '/deletions',
    scope: 'object',
    allow: canUploadEvidence,
    events: ['applied'],
    status: 201,
    invalidates: ['deletions'],
    verbPhrase: 'ask for a deletion',
  },
  'deletions.withdraw': {
    ...deskWrite,
    path: '/deletions/:id/withdraw',
    scope: 'object',
    allow: canUploadEvidence,
    events: ['applied'],
    invalidates: ['deletions'],
    verbPhrase: 'withdraw a request to delete a customer',
  },
  'deletions.certificate': {
    ...deskRead,
    path: '/deletions/:id/certificate',
    scope: 'object',
    answers: 'file',
    verbPhrase: 'download a certificate of deletion',
  },
})

const limits = defineDeskOperations({
  'limit_requests.list': { ...deskRead, path: '/limit-requests', scope: 'account', verbPhrase: 'list limit requests' },
  'limit_requests.use': { ...deskRead, path: '/limit-requests/use', scope: 'account', verbPhrase: 'read what is used of the limits' },
})

/** Who works on a record of a queue. Pages ask and renew while they are open; nothing is decided by it, so nothing goes on record. */
const claims = defineDeskOperations({
  'claims.read': { ...deskRead, path: '/claims/:resource', unattended: true, verbPhrase: 'read who works on what' },
  'claims.take': {
    ...deskWrite,
    method: 'PUT',
    path: '/claims/:resource/:id',
    scope: 'object',
    allow: canUploadEvidence,
    unattended: true,
    invalidates: ['claims'],
    verbPhrase: 'claim a record',
  },
  'claims.give_back': {
    ...deskWrite,
    method: 'DELETE',
    path: '/claims/:resource/:id',
    scope: 'object',
    unattended: true,
    invalidates: ['claims'],
    verbPhrase: 'give a record back',
  },
})

/** What the payments service delivered to the whole platform, whoever's it is. */
const webhooks = defineDeskOperations({
  'webhooks.list': { ...deskRead, path: '/webhooks', scope: 'platform', allow: ['admin'], verbPhrase: 'list webhooks' },
  'webhooks.read': {
    ...deskRead,
    path: '/webhooks/:id',
    scope: 'platform',
    allow: ['admin'],
    unattended: true,
    verbPhrase: 'read a webhook',
  },
  'webhooks.process': {
    ...deskWrite,
    path: '/webhooks/:id/process',
    scope: 'platform',
    allow: ['admin'],
    events: ['applied'],
    invalidates: ['webhooks'],
    verbPhrase: 'process a webhook again',
  },
})

const others = defineDeskOperations({
  'account_choices.list': { ...deskRead, path: '/account-choices', verbPhrase: 'list the accounts to choose from' },
  'events.read': { ...deskRead, path: eventsPath, unattended: true, ownPagesOnly: true, answers: 'events', verbPhrase: 'follow changes' },
  // What is looked for may be an e-mail address.
  'find.search': { ...deskRead, path: '/find', headers: { text: 'Find-Text' }, verbPhrase: 'search' },
  'queue_counts.read': { ...deskRead, path: queueCountsPath, unattended: true, verbPhrase: 'count what waits in the queues' },
  // All accounts share the limit, so what is used of it is nobody's who sees single ones.
  'rate_budget.read': {
    ...deskRead,
    path: '/rate-budget',
    scope: 'platform',
    allow: canMoveMoney,
    unattended: true,
    verbPhrase: 'read what is used of the rate limit',
  },
  'requests.list': { ...deskRead, path: '/requests', allow: canReadRequestLog, unattended: true, verbPhrase: 'read the request log' },
  // It writes nothing, but it spends the rate limit everybody shares.
  'service.check': {
    ...deskRead,
    method: 'POST',
    path: '/service-check',
    scope: 'platform',
    allow: ['admin'],
    verbPhrase: 'check the connection to the payments service',
  },
})

/** What is asked of Paydesk itself: each one is run by what its feature registers for it. */
export const deskOperations = {
  ...views,
  ...actions,
  ...approvals,
  ...policies,
  ...people,
  ...deletions,
  ...limits,
  ...claims,
  ...webhooks,
  ...others,
  ...exports,
}

/** The id of one of Paydesk's own operations. */
export type DeskOperationId = keyof typeof deskOperations

/** All ids of Paydesk's own operations. */
export const deskOperationIds = Object.keys(deskOperations) as DeskOperationId[]

/** Every endpoint of ours: the operations of the service that we pass on, and Paydesk's own. */
const operations = { ...serviceOperations, ...deskOperations }

type Operations = typeof operations

/** `resource.verb`: the same word in the route, the query key, the audit row and the log. Of one source, or of both. */
export type OperationId<S extends Operation['source'] = Operation['source']> = {
  [K in keyof Operations]: Operations[K]['source'] extends S ? K : never
}[keyof Operations]

export const operationIds = Object.keys(operations) as OperationId[]

/** Whether an operation is one of Paydesk's own. */
export const isDesk = (id: OperationId): id is DeskOperationId => Object.hasOwn(deskOperations, id)

/** The resource an operation belongs to: the part before the dot. */
export const resourceOf = (id: OperationId): string => id.slice(0, id.indexOf('.'))

/** An operation by its id, with its type widened to what every one has. */
export const operation = (id: OperationId): Operation => operations[id]
