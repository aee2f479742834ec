/** The roles of a person, who has one or more. `allow` of an operation lists the roles that may run it. */
export const roles = ['viewer', 'operator', 'reviewer', 'admin'] as const

export type Role = (typeof roles)[number]

/** The environments of the payments service; the first part of every URL. */
export const environments = ['sandbox', 'production'] as const

/** One of the two environments. Keys and data of one are never used in the other (interface document, "Authentication" 3). */
export type Environment = (typeof environments)[number]

/** A resource of the payments service, as the first part of an operation id and of a query key. */
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

/** A resource of Paydesk itself, as the first part of an operation id and of a query key. */
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
 * The effect of an operation. Policies depend on it. All operations but `read` go through the action log. `money` includes the operations
 * that decide where money goes, such as a change of the bank account for settlements.
 */
export type Effect = 'read' | 'write' | 'money' | 'irreversible'

/**
 * The rule for the header `Service-Account-Id` of a request. Without it, the service accepts every operation and acts on the whole
 * platform. Therefore a write to an account's objects is `required` to have it.
 */
export type Scope = 'required' | 'optional' | 'forbidden'

/**
 * An operation of the payments service. Its path is the same in our API (`/api/{environment}/v1` + path) and at the service (`/v1` + path),
 * unless `configuredPath` is set. Input fields named in the path fill it. The other fields are sent as query on GET, and as JSON otherwise.
 * The zod schemas of input and output are in `<resource>.schema.ts`, so that a list page can load without them.
 */
export type ServiceOperation = DeclaredOperation & { source: 'service' }

type DeclaredOperation = ServiceOperationBase & EffectAndReason & AccountRule & CreationRule

/** The direction of money: out of the platform, into it, or `route` if the operation sets a later destination, such as a bank account. */
export type MoneyDirection = 'out' | 'in' | 'route'

/** The amount that the policy compares. `asked`: that of the input, or the object's if the input has none. `larger`: the larger of both. */
export type AmountRule = 'asked' | 'larger'

/** An operation that moves money or decides its destination. A rule of the policy can name it, and it always requires a step-up. */
type MovesMoney = { effect: 'money' } & (
  | { money: 'out' | 'in'; stepUp: 'recent'; amount: AmountRule; reason: ReasonPolicy }
  | { money: 'route'; stepUp: true; amount?: never; reason?: ReasonPolicy }
)

/**
 * Operations that move money or cannot be undone must have a reason: without one they do not compile. `done` is the text for a write that
 * took effect, for example "Released".
 */
type EffectAndReason =
  | (MovesMoney & { done: string } & Invalidation<Resource | DeskResource>)
  | ({ effect: 'irreversible'; reason: ReasonPolicy; done: string } & Invalidation<Resource | DeskResource>)
  | ({ effect: 'write'; reason?: ReasonPolicy; done: string } & Invalidation<Resource | DeskResource>)
  | { effect: 'read'; reason?: ReasonPolicy; done?: never; invalidates?: never }

/** The resources whose cached reads are stale once a write has settled; empty if there are none. A write without it does not compile. */
type Invalidation<R> = { invalidates: readonly R[] }

/**
 * The source of the account for an operation without the account header: its path, `account_id` in its query or body, or the object it
 * works on. `answer`: every row of the response is an account, and a person gets only their own. `platform`: the operation belongs to the
 * platform itself.
 */
export type AccountFrom = 'path' | 'query' | 'body' | 'object' | 'answer' | 'platform'

/** Without the account header, the definition must name the source of the account. */
type AccountRule = { scope: 'required' | 'optional'; accountFrom?: never } | { scope: 'forbidden'; accountFrom: AccountFrom }

/**
 * The resource of the object that an applied POST created; the response has its id. `several`: it created more than one object, and the
 * target of the action is their account. Null: it created none. Other methods create nothing.
 */
type CreationRule =
  | { method: 'POST'; creates: Resource | 'several' | null }
  | { method: 'GET' | 'PUT' | 'PATCH' | 'DELETE'; creates?: never }

/**
 * Where the reason of a write is stored. `sent`: the input's `reason` is sent to the service, which adds it to the object's history.
 * `kept`: the service accepts no reason, so the `Action-Reason` header must have one, and it stays in the action log.
 */
export type ReasonPolicy = 'sent' | 'kept'

/** The points of a write at which features run code. `before`: may refuse the write or add rows to it. `after`: once the write was sent. */
export type Hook = 'before' | 'after'

type ServiceOperationBase = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  allow: readonly Role[]
  /** `file`: the body is one multipart part named `File`, streamed, never parsed as JSON. */
  body?: 'file'
  /** The `Action-Proof` header must describe the file (`proof` in `payment-input.schema`). The description stays in the action log. */
  proof?: 'kept'
  /** A read of contact data or numbers that other reads mask. It requires a reason, is counted and audited, and is never cached. */
  sensitive?: true
  /**
   * The step-up proof that the request requires. `true`: a proof for this request. `recent`: if no second person must approve the request,
   * a proof of the last few minutes is enough (the policy sets how many).
   */
  stepUp?: true | 'recent'
  /** Refused in every other environment before any other check. */
  only?: 'sandbox'
  /** `SERVICE_CAPABILITY_REQUESTS_PATH` can set another path at the service, which may contain the account in place of the header. */
  configuredPath?: true
  /** The names of a write's input fields that are sent in the query. A GET sends all fields there. */
  query?: readonly string[]
  /** Fields sent as null if the input omits them: the older contract requires that and the newer one accepts it (provider facts 1.10). */
  sendsNull?: readonly string[]
  /** Drops rows that contradict the filter: an older service may ignore an unknown filter and return all rows (provider facts 1.6). */
  checksFilter?: true
  /**
   * The data that the server adds to the payload, so that it never reaches a browser. `paykey`: the token from `paykeys.reveal` replaces
   * the input's `paykey_id`. `customer`: omitted contact data and device get the values from `customers.unmask`. `limits`: omitted limits
   * get their current values, if the service's contract requires all of them.
   */
  fills?: 'paykey' | 'customer' | 'limits'
  /**
   * Fields of the target object that must be readable, because the write moves money by them or sends them back unchanged. `so` ends the
   * sentence that explains why the action is unavailable.
   */
  restsOn?: { fields: readonly string[]; so: string }
  /** True for a list that pages read from the mirror, at `/api/{environment}/mirror` + path. `/v1` + path still queries the service. */
  mirrored?: true
  /** True if only the server calls it. Our API has no such route, because the response contains data that no browser may receive. */
  internal?: true
  /**
   * True if the response contains a token that permits its bearer to act. The token is returned once, to the requesting browser, and never
   * stored. The operation creates nothing permanent, so after a lost response it can be requested again under a new key.
   */
  credential?: true
  /** The direction of the operation's money, and the amount that the policy compares. `MovesMoney` requires both. */
  money?: MoneyDirection
  amount?: AmountRule
  /** Hooks that a feature must register; the server does not start without them. */
  hooks?: readonly Hook[]
  /** The verb phrase people read, for example "release a payout". */
  verbPhrase: string
}

/**
 * The scope in which one of Paydesk's own operations requires a role. `environment`: any scope in the environment. `platform`: the whole
 * platform. `account`: the account in `?account=`. `object`: the account of its object. The operation itself checks that role after it has
 * read the object; the earlier check accepts any person with a role in the environment.
 */
export type DeskScopeRule = 'environment' | 'platform' | 'account' | 'object'

/**
 * An operation of Paydesk itself, at `/api/{environment}/desk` + path. Input fields named in the path fill it. The other fields are sent as
 * query on GET, and as JSON otherwise.
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
  /** The outcomes that it writes to the audit, besides refusals, which every operation writes. Empty if there are none. */
  events: readonly string[]
  /**
   * The step-up proof that the request requires. `true`: a proof for this request. `recent`: a proof of the last few minutes is enough (the
   * policy sets how many). `enrollment`: a proof for this request, for which a person without a second factor uses the password, in
   * production too.
   */
  stepUp?: true | 'recent' | 'enrollment'
  /** True for a read that only our own pages may send. This applies to every write anyway. */
  ownPagesOnly?: true
  /** Screens send it automatically, so it does not extend the session. */
  unattended?: true
  /** Input fields that are sent percent-encoded in a header of this name. They may be personal, and a URL must contain no personal data. */
  headers?: Readonly<Record<string, string>>
  /** Set if the response is not the JSON envelope: a file, or server-sent events until the session ends. */
  answers?: 'file' | 'events'
  /** The status of a success that is not 200. */
  status?: 200 | 201
  /** The verb phrase people read, for example "save a view". */
  verbPhrase: string
}

/** An endpoint of our API, as plain data: an operation that is forwarded to the service, or one of Paydesk itself. */
export type Operation = ServiceOperation | DeskOperation

/** All roles: any person with a grant for the environment. */
export const allRoles: readonly Role[] = roles
export const moneyRoles: readonly Role[] = ['operator', 'admin']
/** Roles that add evidence, reveal contact data and request a deletion. */
export const evidenceRoles: readonly Role[] = ['operator', 'reviewer', 'admin']
/** Roles that read the request log (product 4.7). The action log is open to every role in the account. */
export const requestLogRoles: readonly Role[] = ['operator', 'reviewer', 'admin']
/** Roles that decide paykey and customer reviews, and unblock. */
export const reviewRoles: readonly Role[] = ['reviewer', 'admin']

/** Defaults of a Paydesk read that is open to every role in the environment. It writes an audit row only if it is refused. */
export const deskRead = { method: 'GET', scope: 'environment', allow: allRoles, effect: 'read', events: [] } as const

/** Defaults of a Paydesk write that is open to every role in the environment. */
export const deskWrite = { method: 'POST', scope: 'environment', allow: allRoles, effect: 'write', events: [] } as const

/** Fields of a payment that must be readable before its money moves. */
export const paymentFields = ['amount', 'currency', 'status'] as const

export const readableForDecision = (...fields: readonly string[]) => ({ fields, so: 'this action is unavailable.' })
/** Returns `restsOn` for a change that also sends unchanged fields: all of them must be readable. */
export const readableForChange = (...fields: readonly string[]) => ({ fields, so: 'saving would overwrite the current value.' })

type WithSource<S extends string, T> = { readonly [K in keyof T]: T[K] & { source: S } }

const addSource = <S extends string, T extends object>(source: S, rows: T): WithSource<S, T> =>
  Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, { ...row, source }])) as WithSource<S, T>

/** Type-checks the operations of a service resource and keeps their literal ids. */
export const defineOperations = <const T extends Record<string, DeclaredOperation>>(rows: T): WithSource<'service', T> =>
  addSource('service', rows)

export const defineDeskOperations = <const T extends Record<string, Omit<DeskOperationBase, 'source'> & DeskEffect>>(
  rows: T,
): WithSource<'desk', T> => addSource('desk', rows)

/** Returns the resource of an operation: the part of its id before the dot. */
export const toResource = (id: string): string => id.slice(0, id.indexOf('.'))
