/** The roles that a person can have. `allow` of an operation lists the roles that may run it. */
export const roles = ['viewer', 'operator', 'reviewer', 'admin'] as const

export type Role = (typeof roles)[number]

/** The environments of the payments service; the first part of every URL. */
export const environments = ['sandbox', 'production'] as const

/**
 * One of the two environments. Keys and data of one are never used in the other (interface
 * document, "Authentication" 3).
 */
export type Environment = (typeof environments)[number]

/** A resource of the payments service. Operation ids and query keys begin with it. */
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

/** A resource of Paydesk itself. Operation ids and query keys begin with it. */
export type DeskResource =
  | 'views'
  | 'actions'
  | 'approvals'
  | 'policies'
  | 'queue_counts'
  | 'deletions'
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
 * The effect of an operation. Approval policies depend on it. Every operation except `read` is
 * recorded in the action log. `money` includes operations that set a destination of money, such as
 * a change of the bank account for settlements.
 */
export type Effect = 'read' | 'write' | 'money' | 'irreversible'

/**
 * The rule for the header `Service-Account-Id` of a request. Without this header, the service acts
 * on the whole platform. Therefore writes to the objects of an account are `required` to have it.
 */
export type AccountHeaderRule = 'required' | 'optional' | 'forbidden'

/**
 * An operation of the payments service. Its path is the same in our API (`/api/{environment}/v1` +
 * path) and at the service (`/v1` + path), unless `configuredPath` is set. Input fields named in
 * the path fill it. The other fields are sent as query on GET, and as JSON otherwise. The zod
 * schemas of input and output are in `<resource>.schema.ts`, so that a list page can load without
 * them.
 */
export type ServiceOperation = DeclaredOperation & { source: 'service' }

type DeclaredOperation = ServiceOperationBase & EffectAndReason & AccountRule & CreationRule

/**
 * The direction of money: out of the platform, into it, or `route` if the operation sets a later
 * destination, such as a bank account.
 */
export type MoneyDirection = 'out' | 'in' | 'route'

/**
 * The amount to which the approval policy applies. `asked`: the amount in the input, or the
 * object's amount if the input has none. `larger`: the larger of the two.
 */
export type AmountRule = 'asked' | 'larger'

/**
 * An operation that moves money or sets its destination. A rule of the approval policy can name it.
 * It always requires a step-up.
 */
type MovesMoney = { effect: 'money' } & (
  | { money: 'out' | 'in'; stepUp: 'recent'; amount: AmountRule; reason: ReasonPolicy }
  | { money: 'route'; stepUp: true; amount?: never; reason?: ReasonPolicy }
)

/**
 * An operation that moves money or cannot be undone must define `reason`; the type check fails
 * otherwise. `done` is the text for a write that took effect, for example "Released".
 */
type EffectAndReason =
  | (MovesMoney & { done: string } & Invalidation<Resource | DeskResource>)
  | ({ effect: 'irreversible'; reason: ReasonPolicy; done: string } & Invalidation<
      Resource | DeskResource
    >)
  | ({ effect: 'write'; reason?: ReasonPolicy; done: string } & Invalidation<
      Resource | DeskResource
    >)
  | { effect: 'read'; reason?: ReasonPolicy; done?: never; invalidates?: never }

/**
 * The resources whose cached reads are stale once a write has settled. Every write must define it,
 * even if it is empty.
 */
type Invalidation<R> = { invalidates: readonly R[] }

/**
 * The source of the account to authorize, for an operation without the account header: its path,
 * `account_id` in its query or body, or the object that it acts on. `answer`: every row of the
 * response is an account, and the rows that the person may not see are removed. `platform`: the
 * operation has no account, and requires a role for the whole platform.
 */
export type AccountFrom = 'path' | 'query' | 'body' | 'object' | 'answer' | 'platform'

/** Without the account header, the definition must name the source of the account. */
type AccountRule =
  | { scope: 'required' | 'optional'; accountFrom?: never }
  | { scope: 'forbidden'; accountFrom: AccountFrom }

/**
 * `creates` is the resource of the object that a successful POST creates; the response contains its
 * id. `several`: it creates more than one object, and the target of the action is their account.
 * Null: it creates none. Other methods create nothing.
 */
type CreationRule =
  | { method: 'POST'; creates: Resource | 'several' | null }
  | { method: 'GET' | 'PUT' | 'PATCH' | 'DELETE'; creates?: never }

/**
 * Where the reason of a write is stored. `sent`: the service accepts the input field `reason` and
 * adds it to the object's history. `kept`: the service accepts no reason, so the request has it in
 * the header `Action-Reason`, and only our action log stores it.
 */
export type ReasonPolicy = 'sent' | 'kept'

/**
 * The points of a write at which features run code. `before` runs before the write is recorded, and
 * may refuse it or add database rows to it. `after` runs once the write was sent.
 */
export type Hook = 'before' | 'after'

type ServiceOperationBase = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  allow: readonly Role[]
  /**
   * `file`: the body is one multipart part named `File`. It is streamed, and never parsed as JSON.
   */
  body?: 'file'
  /**
   * The header `Action-Proof` must describe the uploaded file (`proof` in `payment-input.schema`).
   * Only our action log stores that.
   */
  proof?: 'kept'
  /**
   * A read of contact data or numbers that other reads mask. It requires a reason, is counted and
   * audited, and is never cached.
   */
  sensitive?: true
  /**
   * The step-up proof that the request requires. `true`: a proof for this request. `recent`: if no
   * second person must approve the request, a proof of the last few minutes is enough (the policy
   * sets how many).
   */
  stepUp?: true | 'recent'
  /**
   * The only environment that has the operation. In the other one it is refused, before any other
   * check.
   */
  only?: 'sandbox'
  /**
   * `SERVICE_CAPABILITY_REQUESTS_PATH` can set another path at the service, which may contain the
   * account in place of the header.
   */
  configuredPath?: true
  /**
   * The names of a write's input fields that are sent in the query. A GET sends all fields there.
   */
  query?: readonly string[]
  /**
   * Fields that are sent as null if the input omits them. An older version of the service requires
   * this (provider facts 1.10).
   */
  sendsNull?: readonly string[]
  /**
   * Drops rows that contradict the filter: an older service may ignore an unknown filter and return
   * all rows (provider facts 1.6).
   */
  checksFilter?: true
  /**
   * The data that our server adds to the payload, so that no browser needs it. `paykey`: the token
   * from `paykeys.reveal` replaces the input's `paykey_id`. `customer`: omitted contact data and
   * device get the values from `customers.unmask`. `limits`: omitted limits get their current
   * values, if the service requires all of them.
   */
  fills?: 'paykey' | 'customer' | 'limits'
  /**
   * Fields of the target object that Paydesk must be able to read, because the write depends on
   * them or sends them back. Otherwise the action is unavailable. `so` is the end of the
   * explanation: "The amount could not be read, so …".
   */
  restsOn?: { fields: readonly string[]; so: string }
  /**
   * True for a list that pages read from our stored copy (the mirror), at
   * `/api/{environment}/mirror` + path, not from the service.
   */
  mirrored?: true
  /** True if only our server calls the operation. Our API has no route for it. */
  internal?: true
  /**
   * True if the response contains a token that permits its bearer to act. The token is returned
   * once, to the requesting browser, and never stored. The operation creates nothing permanent, so
   * after a lost response it can be repeated with a new idempotency key.
   */
  credential?: true
  /**
   * Set by `MovesMoney`: the direction of the money, and the amount to which the approval policy
   * applies.
   */
  money?: MoneyDirection
  amount?: AmountRule
  /** Hooks that a feature must register; the server does not start without them. */
  hooks?: readonly Hook[]
  /** The verb phrase people read, for example "release a payout". */
  verbPhrase: string
}

/**
 * The scope in which one of Paydesk's own operations requires a role. `environment`: any scope in
 * the environment. `platform`: the whole platform. `account`: the account in `?account=`. `object`:
 * the account of its object. For `object`, the common check accepts any person with a role in the
 * environment, and the operation itself checks the role after it has read the object.
 */
export type DeskScopeRule = 'environment' | 'platform' | 'account' | 'object'

/**
 * An operation of Paydesk itself, at `/api/{environment}/desk` + path. Input fields named in the
 * path fill it. The other fields are sent as query on GET, and as JSON otherwise.
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
   * The outcomes that the operation writes to the audit. Refusals are not listed, because every
   * operation writes them.
   */
  events: readonly string[]
  /**
   * The step-up proof that the request requires. `true`: a proof for this request. `recent`: a
   * proof of the last few minutes is enough (the policy sets how many). `enrollment`: a proof for
   * this request, for which a person without a second factor uses the password, in production too.
   */
  stepUp?: true | 'recent' | 'enrollment'
  /**
   * True for a read that only Paydesk's own pages may request. For writes, this is always the case.
   */
  ownPagesOnly?: true
  /**
   * True if screens request the operation automatically. Such a request does not extend the
   * session.
   */
  unattended?: true
  /**
   * Header names by input field. These fields may be personal, so they are sent percent-encoded in
   * a header and not in the URL.
   */
  headers?: Readonly<Record<string, string>>
  /**
   * Set if the response is not the JSON envelope: a file, or server-sent events until the session
   * ends.
   */
  answers?: 'file' | 'events'
  /** The HTTP status of a success; 200 if it is omitted. */
  status?: 200 | 201
  /** The verb phrase people read, for example "save a view". */
  verbPhrase: string
}

/**
 * An endpoint of our API, as plain data: an operation that is forwarded to the service, or one of
 * Paydesk itself.
 */
export type Operation = ServiceOperation | DeskOperation

/** All roles: any person with a grant for the environment. */
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

/**
 * Defaults of a Paydesk read that is open to every role in the environment. It writes an audit row
 * only if it is refused.
 */
export const deskReadDefaults = {
  method: 'GET',
  scope: 'environment',
  allow: allRoles,
  effect: 'read',
  events: [],
} as const

/** Defaults of a Paydesk write that is open to every role in the environment. */
export const deskWriteDefaults = {
  method: 'POST',
  scope: 'environment',
  allow: allRoles,
  effect: 'write',
  events: [],
} as const

/** Fields of a payment that Paydesk must be able to read before it moves the money. */
export const requiredPaymentFields = ['amount', 'currency', 'status'] as const

export const requireReadableForDecision = (...fields: readonly string[]) => ({
  fields,
  so: 'this action is unavailable.',
})
/**
 * Returns `restsOn` for a change that sends unchanged fields too: Paydesk must be able to read all
 * of them.
 */
export const requireReadableForChange = (...fields: readonly string[]) => ({
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

/** Returns the resource of an operation: the part of its id before the dot. */
export const toOperationResource = (id: string): string => id.slice(0, id.indexOf('.'))
