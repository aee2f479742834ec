import 'server-only'
import type { ErrorCode } from '@/lib/errors'
import type { OperationId } from '@/lib/operations/rows'

/** How asking can be refused for who asks, by the code of the error, and how the audit code of such a row ends. */
export const refusalEvents = {
  forbidden: 'denied',
  unauthenticated: 'unauthenticated',
  other_site: 'other_site',
  too_many: 'too_many',
} as const satisfies { readonly [K in ErrorCode]?: string }

/** The error codes that are refusals. */
export type Refusal = keyof typeof refusalEvents

/** What can come of an operation of the service, besides a refusal of who asks. */
export const operationEvents = ['start', 'applied', 'refused', 'unknown', 'needs_human', 'checked', 'decided', 'blocked'] as const

/**
 * What can be asked of Paydesk itself and what can come of each, besides a refusal of who asks. A code that was ever written keeps its meaning: add
 * to this table, never rename in it.
 */
export const deskEvents = {
  'account_of.find': [],
  'actions.check': [],
  'actions.decide': [],
  'actions.list': [],
  'actions.read': [],
  'activity.open': [],
  'deletions.certificate': [],
  'deletions.certify': ['applied'],
  'deletions.list': [],
  'deletions.request': ['applied'],
  'deletions.withdraw': ['applied'],
  'find.search': [],
  'limit_requests.list': [],
  'limit_requests.use': [],
  'page.open': [],
  'payments.export': ['start', 'applied', 'broken', 'cancelled'],
  'people.create': ['applied'],
  /** Refusals that were only counted, because too many networks or people were refused at once. */
  'refusals.others': ['counted'],
  'requests.list': [],
  'session.sign_in': ['applied', 'refused'],
  'session.sign_out': ['applied'],
  'views.create': ['applied'],
  'views.delete': ['applied'],
  'views.list': [],
  'views.update': ['applied'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** A request Paydesk answers out of itself. */
export type DeskRequest = keyof typeof deskEvents

/** What somebody can be refused: an operation of the service, or a request of the desk's own. */
export type Refusable = OperationId | DeskRequest

type DeskEvent = { [K in DeskRequest]: `${K}.${(typeof deskEvents)[K][number]}` }[DeskRequest]

/** What can come of an action, as its rows end. */
export type OperationEvent = (typeof operationEvents)[number]

/** The stable name of what an audit row tells: what was asked, and what came of it. */
export type AuditCode = `${OperationId}.${OperationEvent}` | DeskEvent | `${Refusable}.${(typeof refusalEvents)[Refusal]}`
