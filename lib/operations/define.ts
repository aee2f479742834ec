/** The roles of a person, who has one or more. The `allow` of each operation lists its roles. */
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
 * The effect of an operation. Policies depend on it, and all but `read` go through the action log. `money` includes the operations that
 * decide the destination of money, such as the bank account that an account is settled with.
 */
export type Effect = 'read' | 'write' | 'money' | 'irreversible'

/**
 * The rule for `Service-Account-Id` on a call. The service accepts every operation without it, and then acts on the whole platform.
 * Therefore writes to an account's objects are `required` here.
 */
export type Scope = 'required' | 'optional' | 'forbidden'

/**
 * An operation of the payments service. The path is the same on our side (`/api/{environment}/v1` + path) and there (`/v1` + path), unless
 * `configuredPath` is set. Input fields named in the path fill it; the rest travel as query on GET and as JSON otherwise. The zod schemas
 * of input and output are in `<resource>.schema.ts`, so that a list can ship without them.
 */
export type ServiceOperation = Declared & { source: 'service' }

type Declared = ServiceOperationBase & EffectAndReason & AccountRule & Creation

/** The direction of money: out of the platform, into it, or `route` if the operation sets a later destination, such as a bank account. */
export type Money = 'out' | 'in' | 'route'

/** The amount that the policy compares: `asked` is the amount in the input, else that of the object; `larger` is the larger of the two. */
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
 * The resource of the object that an applied POST created; the response has its id. `several`: it created more than one, and the action
 * gets their account as its target. Null: it created none. Other methods create nothing.
 */
type Creation = { method: 'POST'; creates: Resource | 'several' | null } | { method: 'GET' | 'PUT' | 'PATCH' | 'DELETE'; creates?: never }

/**
 * The recipient of the reason. `sent`: the input's `reason` is sent to the service, which keeps it in its history. `kept`: the service
 * takes none. Our reason is required in the `Action-Reason` header and stays in the action log.
 */
export type ReasonPolicy = 'sent' | 'kept'

/** The hooks of features. `before`: may refuse a write before it is recorded, or add rows to it. `after`: runs once the write was sent. */
export type Hook = 'before' | 'after'

type ServiceOperationBase = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  allow: readonly Role[]
  /** `file`: the body is one multipart part named `File`, streamed, never parsed as JSON. */
  body?: 'file'
  /** The `Action-Proof` header must describe the file (`proof` in `payment-input.schema`). It stays in the action log. */
  proof?: 'kept'
  /** A read of contact data or numbers that are masked elsewhere. It needs a kept reason, is counted and audited, and is never cached. */
  sensitive?: true
  /**
   * The proof that the request requires: one for this request (`true`), or one of the last minutes if no second person must approve it
   * (`recent`; the policy sets the minutes).
   */
  stepUp?: true | 'recent'
  /** Refused in every other environment before any other check. */
  only?: 'sandbox'
  /** `SERVICE_CAPABILITY_REQUESTS_PATH` can set another path at the service, which may contain the account in place of the header. */
  configuredPath?: true
  /** Names of input fields that travel as query on a write; on GET all do. */
  query?: readonly string[]
  /** Fields sent as null if the input omits them: the older contract requires that and the newer one accepts it (provider facts 1.10). */
  sendsNull?: readonly string[]
  /** Drops rows that contradict the filter: an older service may ignore an unknown filter and return everything (provider facts 1.6). */
  checksFilter?: true
  /**
   * Data that the server adds to the payload, so that no browser holds it. `paykey`: the token read with `paykeys.reveal` replaces the
   * input's `paykey_id`. `customer`: omitted contact data and device keep the values of `customers.unmask`. `limits`: omitted limits keep
   * their values in force, if the service's contract requires all of them.
   */
  fills?: 'paykey' | 'customer' | 'limits'
  /**
   * Fields of the target object that must be readable: the write moves money by them, or sends unchanged ones back. `so` ends the sentence
   * that explains why the action is unavailable.
   */
  restsOn?: { fields: readonly string[]; so: string }
  /** A list that is read from the mirror, at `/api/{environment}/mirror` + path; `/v1` queries the service. */
  mirrored?: true
  /** Called by the server only. Our own API has no such route, because the response contains data that no browser may see. */
  internal?: true
  /**
   * The response contains a token that permits its bearer to act. It is returned once, to the requesting browser, and never stored. The
   * operation creates nothing lasting, so a lost response can be requested again under a new key.
   */
  credential?: true
  /** The direction of its money and the amount that the policy compares; `MovesMoney` requires both. */
  money?: Money
  amount?: AmountRule
  /** Hooks that a feature must register; the server does not start without them. */
  hooks?: readonly Hook[]
  /** The verb phrase people read, for example "release a payout". */
  verbPhrase: string
}

/**
 * The scope of the required role for one of Paydesk's own operations: anywhere in the environment, the whole platform, or the account named
 * in `?account=`. `object`: the account of its object, which must be read first. The operation itself checks that role; the earlier check
 * accepts any person with a role in the environment.
 */
export type DeskScopeRule = 'environment' | 'platform' | 'account' | 'object'

/**
 * An operation of Paydesk itself, at `/api/{environment}/desk` + path. Input fields named in the path fill it; the rest travel as query on
 * GET and as JSON otherwise.
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
  /** The outcomes of its audit rows, besides a refusal of the person; empty if it writes none. */
  events: readonly string[]
  /**
   * The proof that the request requires: one for this request (`true`), or one of the last minutes (`recent`; the policy sets the minutes).
   * `enrollment`: one for this request; a person without a factor proves it by password, in production too.
   */
  stepUp?: true | 'recent' | 'enrollment'
  /** A read that only our own pages may send, as for every write. */
  ownPagesOnly?: true
  /** Screens send it automatically, so it does not extend the session. */
  unattended?: true
  /** Fields that travel percent-encoded in a header of this name. They may be personal, and a URL must contain no personal data. */
  headers?: Readonly<Record<string, string>>
  /** The response is no envelope: a file, or server-sent events until the session ends. */
  answers?: 'file' | 'events'
  /** The status of a success that is not 200. */
  status?: 200 | 201
  /** The verb phrase people read, for example "save a view". */
  verbPhrase: string
}

/** An endpoint of ours, as plain data: an operation forwarded to the service, or one of Paydesk itself. */
export type Operation = ServiceOperation | DeskOperation

/** All roles: any person with a grant for the environment. */
export const everyone: readonly Role[] = roles
export const canMoveMoney: readonly Role[] = ['operator', 'admin']
/** Roles that add evidence, reveal contact data and request a deletion. */
export const canUploadEvidence: readonly Role[] = ['operator', 'reviewer', 'admin']
/** Roles that read the request log (product 4.7). The action log is open to every role in the account. */
export const canReadRequestLog: readonly Role[] = ['operator', 'reviewer', 'admin']
/** Roles that decide paykey and customer reviews, and unblock. */
export const canDecideReviews: readonly Role[] = ['reviewer', 'admin']

/** Defaults of a Paydesk read that is open to every role in the environment. It writes an audit row only if it is refused. */
export const deskRead = { method: 'GET', scope: 'environment', allow: everyone, effect: 'read', events: [] } as const

/** Defaults of a Paydesk write that is open to every role in the environment. */
export const deskWrite = { method: 'POST', scope: 'environment', allow: everyone, effect: 'write', events: [] } as const

/** Fields of a payment that must be readable before its money moves. */
export const paymentFields = ['amount', 'currency', 'status'] as const

export const decidedBy = (...fields: readonly string[]) => ({ fields, so: 'this action is unavailable.' })
/** For a change that also sends its unchanged fields: all of them must be readable. */
export const replaces = (...fields: readonly string[]) => ({ fields, so: 'saving would overwrite the current value.' })

type From<S extends string, T> = { readonly [K in keyof T]: T[K] & { source: S } }

const from = <S extends string, T extends object>(source: S, rows: T): From<S, T> =>
  Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, { ...row, source }])) as From<S, T>

/** Type-checks the operations of a service resource and keeps their literal ids. */
export const defineOperations = <const T extends Record<string, Declared>>(rows: T): From<'service', T> => from('service', rows)

/** The same for Paydesk's own operations. */
export const defineDeskOperations = <const T extends Record<string, Omit<DeskOperationBase, 'source'> & DeskEffect>>(
  rows: T,
): From<'desk', T> => from('desk', rows)

/** The resource an operation belongs to: the part of its id before the dot. */
export const resourceOf = (id: string): string => id.slice(0, id.indexOf('.'))
