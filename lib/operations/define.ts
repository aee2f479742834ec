import type { AccountHeaderRules } from './integration'
export const roles = ['viewer', 'operator', 'reviewer', 'admin'] as const

export type Role = (typeof roles)[number]

/** The first part of every URL. */
export const environments = ['sandbox', 'production'] as const

/**
 * Keys and data of one environment are never used in the other (interface document,
 * "Authentication" 3).
 */
export type Environment = (typeof environments)[number]

/** Operation ids and query keys begin with a resource. */
export type Resource =
  | 'payouts'
  | 'payments'
  | 'charges'
  | 'customers'
  | 'paykeys'
  | 'bridge'
  | 'funding_events'
  | 'accounts'
  | 'account_settings'
  | 'capability_requests'
  | 'organizations'
  | 'representatives'
  | 'linked_bank_accounts'

/** A resource of Paydesk itself. */
export type DeskResource =
  | 'views'
  | 'actions'
  | 'approvals'
  | 'policies'
  | 'queue_counts'
  | 'deletions'
  | 'documents'
  | 'limit_requests'
  | 'claims'
  | 'webhooks'
  | 'people'
  | 'audit'
  | 'notes'
  | 'notifications'
  | 'factors'
  | 'profile'

/**
 * Approval policies depend on the effect. Every service operation except `read` is recorded in the
 * action log. `money` includes operations that set a destination of money, such as a bank account.
 */
export type Effect = 'read' | 'write' | 'money' | 'irreversible'

/**
 * Its path is the same in our API (`/api/{environment}/v1` + path) and at the service (`/v1` +
 * path), unless `configuredPath` is set. Input fields named in the path fill it; the others are
 * sent as query on GET, and as JSON otherwise. The zod schemas are in `<resource>.schema.ts`, so
 * that a list page can load without them.
 */
export type ServiceOperation = DeclaredOperation & { source: 'service' }

type DeclaredOperation = ServiceOperationBase & EffectAndReason & AccountRule & CreationRule

/** `route`: the operation sets a later destination, such as a bank account. */
export type MoneyDirection = 'out' | 'in' | 'route'

/**
 * The amount to which the approval policy applies. `asked`: the amount in the input, or the
 * object's amount if the input has none. `larger`: the larger of the two.
 */
export type PolicyAmountRule = 'asked' | 'larger'

/** Operations with this effect always require a step-up, and approval rules can name them. */
type MoneyEffect = { effect: 'money' } & (
  | { money: 'out' | 'in'; stepUp: 'recent'; amount: PolicyAmountRule; reason: ReasonHandling }
  | { money: 'route'; stepUp: true; amount?: never; reason?: ReasonHandling }
)

/**
 * `done`: for example "Released". `requestNoun`: the word after "Request" on the button if pressing
 * it only requests the write, because a second person must approve: "release".
 */
type WriteTexts = { done: string; requestNoun: string }

/** Irreversible operations, and those that move money out or in, must define `reason`. */
type EffectAndReason =
  | (MoneyEffect & WriteTexts & Invalidation<Resource | DeskResource>)
  | ({ effect: 'irreversible'; reason: ReasonHandling } & WriteTexts &
      Invalidation<Resource | DeskResource>)
  | ({ effect: 'write'; reason?: ReasonHandling } & WriteTexts &
      Invalidation<Resource | DeskResource>)
  | ({ effect: 'read'; reason?: ReasonHandling } & { [K in keyof WriteTexts]?: never } & {
      invalidates?: never
    })

/** The resources whose cached reads are stale after the write. Required, even if empty. */
type Invalidation<R> = { invalidates: readonly R[] }

/**
 * For an operation without the account header. `object`: the object that it acts on. `answer`:
 * every row of the response is an account, and the rows that the person may not see are removed.
 * `platform`: no account; requires a role for the whole platform.
 */
export type AccountSource = 'path' | 'query' | 'body' | 'object' | 'answer' | 'platform'

/** An operation that never has the account header must name the source of the account. */
type AccountRule =
  | { accountHeader: AccountHeaderRules; accountFrom?: never }
  | { accountHeader: 'forbidden'; accountFrom: AccountSource }

/**
 * The resource of the created object, whose id the response contains. `several`: more than one
 * object; the target of the action is their account. Null: none.
 */
type CreationRule =
  | { method: 'POST'; creates: Resource | 'several' | null }
  | { method: 'GET' | 'PUT' | 'PATCH' | 'DELETE'; creates?: never }

/**
 * `sent`: the service adds the input field `reason` to the object's history. `kept`: the service
 * accepts no reason, so it is in the header `Action-Reason`, and only our action log stores it.
 */
export type ReasonHandling = 'sent' | 'kept'

/** Features run code `before` a write is recorded (they may refuse it), or `after` it was sent. */
export type ActionHook = 'before' | 'after'

type ServiceOperationBase = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  allow: readonly Role[]
  /** One multipart part named `File`. It is streamed, and never parsed as JSON. */
  body?: 'file'
  /** The header `Action-Proof` describes the uploaded file. Only our action log stores that. */
  proof?: 'kept'
  /** Reads data that other reads mask: requires a reason, is counted and audited, never cached. */
  sensitive?: true
  /**
   * The step-up proof that the request requires. `true`: a proof for this request. `recent`: if no
   * second person must approve, a proof of the last few minutes is enough (the policy sets how
   * many).
   */
  stepUp?: true | 'recent'
  /** The other environment refuses the operation, before any other check. */
  only?: 'sandbox'
  /** A direct account, which has no platform, does not have the operation. */
  platformOnly?: true
  /** `SERVICE_CAPABILITY_REQUESTS_PATH` can set another path, which may contain the account. */
  configuredPath?: true
  /** The fields of a write that are sent in the query. A GET sends all fields there. */
  query?: readonly string[]
  /** Sent as null if omitted: an older service requires this (provider facts 1.10). */
  sendsNull?: readonly string[]
  /** Drops contradicting rows: an older service may ignore unknown filters (provider facts 1.6). */
  checksFilter?: true
  /**
   * Data that our server adds to the request, so that no browser needs it. `paykey`: the paykey's
   * token, in place of `paykey_id`. `customer`: contact data and device that the browser left out.
   * `limits`: limits that it left out, if the service requires all of them.
   */
  fills?: 'paykey' | 'customer' | 'limits'
  /**
   * Fields of the target that the write depends on or sends back. If one is unreadable, the action
   * is unavailable, and `so` ends the explanation: "The amount could not be read, so …".
   */
  restsOn?: { fields: readonly string[]; so: string }
  /** Pages read the list from our copy (the mirror), at `/api/{environment}/mirror` + path. */
  mirrored?: true
  /** True if only our server calls the operation. Our API has no route for it. */
  internal?: true
  /**
   * The response contains a token that permits its bearer to act: returned once, to the requesting
   * browser, and never stored. After a lost response, the operation can be repeated with a new key.
   */
  credential?: true
  /** Only operations with a `MoneyEffect` set these two fields. */
  money?: MoneyDirection
  amount?: PolicyAmountRule
  /** Hooks that a feature must register; the server does not start without them. */
  hooks?: readonly ActionHook[]
  /** The operation's name in texts, for example "release a payout". */
  verbPhrase: string
}

/**
 * `account`: the account in `?account=`. `object`: the account of its object. The common check then
 * accepts any role in the environment, and the operation checks the role after it has read the
 * object.
 */
export type DeskScopeRule = 'environment' | 'platform' | 'account' | 'object'

/**
 * An operation of Paydesk itself, at `/api/{environment}/desk` + path. Input fields named in the
 * path fill it.
 */
export type DeskOperation = DeskOperationBase & DeskEffect

type DeskEffect =
  | { effect: 'read'; invalidates?: never }
  | ({ effect: 'write' | 'irreversible' } & Invalidation<DeskResource>)
  | ({ effect: 'money'; stepUp: true } & Invalidation<DeskResource>)

type DeskOperationBase = {
  source: 'desk'
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  scope: DeskScopeRule
  allow: readonly Role[]
  /**
   * The outcomes that the audit log records. A refusal is not listed: every operation records it.
   */
  events: readonly string[]
  /**
   * The step-up proof that the request requires. `true`: a proof for this request. `recent`: a
   * proof of the last few minutes is enough (the policy sets how many). `enrollment`: a proof for
   * this request, for which a person without a second factor uses the password, in production too.
   */
  stepUp?: true | 'recent' | 'enrollment'
  /** Only Paydesk's own pages may request this read. For writes, this is always the case. */
  ownPagesOnly?: true
  /** Screens request it automatically. Such a request does not extend the session. */
  unattended?: true
  /** Header names by input field, for personal data: percent-encoded, and not in the URL. */
  headers?: Readonly<Record<string, string>>
  /** Not the JSON envelope: a file, or server-sent events until the session ends. */
  answers?: 'file' | 'events'
  /** The HTTP status of a success; 200 if omitted. */
  status?: 200 | 201
  verbPhrase: string
}

export type Operation = ServiceOperation | DeskOperation

export const allRoles: readonly Role[] = roles
export const moneyRoles: readonly Role[] = ['operator', 'admin']
/** The roles that may add evidence, reveal contact data and request a deletion. */
export const evidenceRoles: readonly Role[] = ['operator', 'reviewer', 'admin']
/**
 * The roles that may read the request log (product 4.7). Every role in the account may read the
 * action log.
 */
export const requestLogRoles: readonly Role[] = ['operator', 'reviewer', 'admin']
/** The roles that may decide on paykeys and customers in review, and unblock paykeys. */
export const reviewRoles: readonly Role[] = ['reviewer', 'admin']

/** Open to every role in the environment. It writes an audit row only if it is refused. */
export const deskReadDefaults = {
  method: 'GET',
  scope: 'environment',
  allow: allRoles,
  effect: 'read',
  events: [],
} as const

/** Open to every role in the environment. */
export const deskWriteDefaults = {
  method: 'POST',
  scope: 'environment',
  allow: allRoles,
  effect: 'write',
  events: [],
} as const

/** Paydesk must be able to read these before it moves the money. */
export const requiredPaymentFields = ['amount', 'currency', 'status'] as const

export const createDecisionFieldRule = (...fields: readonly string[]) => ({
  fields,
  so: 'this action is unavailable.',
})
/** For a change that sends unchanged fields too: Paydesk must be able to read all of them. */
export const createChangeFieldRule = (...fields: readonly string[]) => ({
  fields,
  so: 'saving would overwrite the current value.',
})

type WithSource<S extends string, T> = { readonly [K in keyof T]: T[K] & { source: S } }

const addSource = <S extends string, T extends object>(source: S, rows: T): WithSource<S, T> =>
  Object.fromEntries(
    Object.entries(rows).map(([id, row]) => [id, { ...row, source }]),
  ) as WithSource<S, T>

/** Type-checks the operations of a service resource and keeps their literal ids. */
export const defineOperations = <const T extends Record<string, DeclaredOperation>>(
  rows: T,
): WithSource<'service', T> => addSource('service', rows)

export const defineDeskOperations = <
  const T extends Record<string, Omit<DeskOperationBase, 'source'> & DeskEffect>,
>(
  rows: T,
): WithSource<'desk', T> => addSource('desk', rows)

export const toOperationResource = (id: string): string => id.slice(0, id.indexOf('.'))
