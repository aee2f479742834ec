/** What a person may be; a person holds one or more. The table of who may do what is each operation's `allow`. */
export const roles = ['viewer', 'operator', 'reviewer', 'admin'] as const

/** One of the four roles. */
export type Role = (typeof roles)[number]

/** The environments of the payments service; the first part of every URL. */
export const environments = ['sandbox', 'production'] as const

/** One of the two environments. Keys and data of one never meet the other's (interface document, "Authentication" 3). */
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

/** A resource of Paydesk's own, as the first part of an operation id and of a query key. */
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
 * What an operation does to the world. Policies hang on it: everything but `read` goes through the action log. `money` is also what says where
 * money will go, such as the bank account an account is settled with.
 */
export type Effect = 'read' | 'write' | 'money' | 'irreversible'

/**
 * Whether `Service-Account-Id` must, may or must not travel with the call. It is optional to the service on every operation, and leaving it
 * out acts on the whole platform, so writes on an account's objects say `required` here.
 */
export type Scope = 'required' | 'optional' | 'forbidden'

/**
 * One thing the desk can ask of the payments service. The path is the same on our side (`/api/{environment}/v1` + path) and there (`/v1` +
 * path), unless `configuredPath` says otherwise. Input fields named in the path fill it; the rest travel as query on GET and as JSON otherwise. What an operation carries (zod
 * schemas of input and output) is beside its definition in `<resource>.schema.ts`, so that a list can ship without the schemas.
 */
export type ServiceOperation = Declared & { source: 'service' }

type Declared = ServiceOperationBase & EffectAndReason & AccountRule & Creation

/** The direction of money: out of the platform, into it, or `route` if the operation decides where money goes later, as a connected bank account does. */
export type Money = 'out' | 'in' | 'route'

/** The amount that the policy compares: `asked` is the amount in the input, else that of the object; `larger` is the larger of the two. */
export type AmountRule = 'asked' | 'larger'

/** An operation that moves money or decides its destination. A rule of the policy can name it, and a session alone is never enough for it. */
type MovesMoney = { effect: 'money' } & (
  | { money: 'out' | 'in'; stepUp: 'recent'; amount: AmountRule; reason: ReasonPolicy }
  | { money: 'route'; stepUp: true; amount?: never; reason?: ReasonPolicy }
)

/**
 * Money that moves, and what cannot be undone, always have a reason; what may be left out elsewhere does not compile there. `done` is what a person
 * reads of a write that took effect, for example "Released".
 */
type EffectAndReason =
  | (MovesMoney & { done: string } & Invalidation<Resource | DeskResource>)
  | ({ effect: 'irreversible'; reason: ReasonPolicy; done: string } & Invalidation<Resource | DeskResource>)
  | ({ effect: 'write'; reason?: ReasonPolicy; done: string } & Invalidation<Resource | DeskResource>)
  | { effect: 'read'; reason?: ReasonPolicy; done?: never; invalidates?: never }

/** The resources whose cached reads are stale once a write has settled; empty if there are none. A write without it does not compile. */
type Invalidation<R> = { invalidates: readonly R[] }

/**
 * Where to find the account of an operation which may not carry the account header: in its path, in its query or body as `account_id`, on the
 * object it works on. `answer`: every row of its answer is an account, and a person gets their own. `platform`: it is nobody's but the platform's own.
 */
export type AccountFrom = 'path' | 'query' | 'body' | 'object' | 'answer' | 'platform'

/** Without the header nothing else says whose a call is, so its definition does. */
type AccountRule = { scope: 'required' | 'optional'; accountFrom?: never } | { scope: 'forbidden'; accountFrom: AccountFrom }

/**
 * What an applied POST made: an object of this resource, whose id its answer names; `several` at once, for which their account is named; null where it made
 * none. Another method makes nothing.
 */
type Creation = { method: 'POST'; creates: Resource | 'several' | null } | { method: 'GET' | 'PUT' | 'PATCH' | 'DELETE'; creates?: never }

/**
 * Who is told why. `sent`: the input's `reason` travels to the service and is in its history. `kept`: the service takes none, so ours comes in
 * the `Action-Reason` header, is required, and stays in the action log.
 */
export type ReasonPolicy = 'sent' | 'kept'

/**
 * Where a feature takes part in an operation. `before`: it may refuse a write before that is recorded, or write something along with it. `after`: it
 * acts once the write was sent.
 */
export type Hook = 'before' | 'after'

type ServiceOperationBase = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  allow: readonly Role[]
  /** `file`: the body is one multipart part named `File`, streamed, never parsed as JSON. */
  body?: 'file'
  /** What is said of the file (`proof.schema`) comes in the `Action-Proof` header, is required, and stays in the action log. */
  proof?: 'kept'
  /** A read of contact data or numbers that are masked elsewhere: it needs a kept reason, is counted, audited and never cached. */
  sensitive?: true
  /**
   * The proof of the person that the request needs: one for this request (`true`), or one of the last minutes if no second person must approve it (`recent`; the
   * policy has the number of minutes).
   */
  stepUp?: true | 'recent'
  /** Refused in every other environment before anything is looked at. */
  only?: 'sandbox'
  /** At the service its path is another one where `SERVICE_CAPABILITY_REQUESTS_PATH` says so, and may name the account in place of the header. */
  configuredPath?: true
  /** Names of input fields that travel as query on a write; on GET all do. */
  query?: readonly string[]
  /** Fields the older contract requires as a null where the input leaves them out, and the newer one takes (provider facts 1.10). */
  sendsNull?: readonly string[]
  /** An older service may not know a filter and answer with everything: rows that contradict what was asked are left out here (provider facts 1.6). */
  checksFilter?: true
  /**
   * What the server adds to the bytes, so that no browser has to hold it. `paykey`: the token it reads with `paykeys.reveal` takes the place of the
   * input's `paykey_id`. `customer`: contact data and device that were left out stay as `customers.unmask` reads them. `limits`: limits that were left out
   * stay as they are in force, where the service's contract wants all of them.
   */
  fills?: 'paykey' | 'customer' | 'limits'
  /**
   * What must have been read of the object it works on: it moves money by these fields, or sends back those that it does not change. `so` ends the
   * sentence that says why it is closed where one could not be read.
   */
  restsOn?: { fields: readonly string[]; so: string }
  /** A list that the desk reads from the mirror, at `/api/{environment}/mirror` + path; at `/v1` the service is asked. */
  mirrored?: true
  /** Asked by the server alone: our own API has no such route, because its answer holds what no browser may see. */
  internal?: true
  /**
   * The answer holds a token that lets whoever has it act. It is told once, to the browser that asked, and kept nowhere; the operation makes nothing
   * that lasts, so whoever missed the answer may ask again under a new key.
   */
  credential?: true
  /** The direction of its money and the amount that the policy compares; `MovesMoney` requires both. */
  money?: Money
  amount?: AmountRule
  /** Where a feature takes part; one that nobody registers for ends the start. */
  hooks?: readonly Hook[]
  /** The verb phrase people read, for example "release a payout". */
  verbPhrase: string
}

/**
 * Where a role of `allow` is needed for one of Paydesk's own operations: anywhere in the environment, for the whole platform, or in the account that has
 * to be named (`?account=`). `object`: in the account of what it is about, which
 * has to be read first, so its run asks for the role and what comes before asks for any in the environment.
 */
export type DeskScopeRule = 'environment' | 'platform' | 'account' | 'object'

/**
 * One thing that is asked of Paydesk itself, at `/api/{environment}/desk` + path. Input fields named in the path fill it; the rest travel as query on GET
 * and as JSON otherwise.
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
  /** The outcomes its audit rows can name, besides a refusal of who asks; nothing for what leaves none. */
  events: readonly string[]
  /**
   * The proof of the person that the request needs: one for this request (`true`), or one of the last minutes (`recent`; the policy has the number). `enrollment`: one
   * for this request, and a person without a factor proves it by password, in production too.
   */
  stepUp?: true | 'recent' | 'enrollment'
  /** A read that is answered to our own pages only, as every write is. */
  ownPagesOnly?: true
  /** Screens ask automatically, which keeps no session alive. */
  unattended?: true
  /** Fields that travel percent-encoded in a header of this name: they may be personal, and nothing personal is in a URL. */
  headers?: Readonly<Record<string, string>>
  /** The answer is no envelope: a file, or server-sent events until the session ends. */
  answers?: 'file' | 'events'
  /** The status of a success that is not 200. */
  status?: 200 | 201
  /** The verb phrase people read, for example "save a view". */
  verbPhrase: string
}

/** An endpoint of ours, as plain data: an operation of the service that we pass on, or one of Paydesk's own. */
export type Operation = ServiceOperation | DeskOperation

/** Everybody who is signed in and has a grant for the environment. */
export const everyone: readonly Role[] = roles
export const canMoveMoney: readonly Role[] = ['operator', 'admin']
/** Roles that add evidence, reveal contact data, ask for a deletion. */
export const canUploadEvidence: readonly Role[] = ['operator', 'reviewer', 'admin']
/** Roles that read the request log (product 4.7); the action log is open to everybody with a role in the account. */
export const canReadRequestLog: readonly Role[] = ['operator', 'reviewer', 'admin']
/** Roles that decide paykey and customer reviews, and unblock. */
export const canDecideReviews: readonly Role[] = ['reviewer', 'admin']

/** Of Paydesk's own: what everybody with a role in the environment may read; it leaves no audit row unless it is refused. */
export const deskRead = { method: 'GET', scope: 'environment', allow: everyone, effect: 'read', events: [] } as const

/** What everybody with a role in the environment may ask to be changed. */
export const deskWrite = { method: 'POST', scope: 'environment', allow: everyone, effect: 'write', events: [] } as const

/** What a payment has to say before its money is moved. */
export const paymentFields = ['amount', 'currency', 'status'] as const

export const decidedBy = (...fields: readonly string[]) => ({ fields, so: 'this action is unavailable.' })
/** A change that replaces what it does not change rests on all that it sends. */
export const replaces = (...fields: readonly string[]) => ({ fields, so: 'saving would overwrite the current value.' })

type From<S extends string, T> = { readonly [K in keyof T]: T[K] & { source: S } }

const from = <S extends string, T extends object>(source: S, rows: T): From<S, T> =>
  Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, { ...row, source }])) as From<S, T>

/** Checks the operations of a resource of the service by type and keeps their literal ids. */
export const defineOperations = <const T extends Record<string, Declared>>(rows: T): From<'service', T> => from('service', rows)

/** The same for Paydesk's own operations. */
export const defineDeskOperations = <const T extends Record<string, Omit<DeskOperationBase, 'source'> & DeskEffect>>(
  rows: T,
): From<'desk', T> => from('desk', rows)

/** The resource an operation belongs to: the part of its id before the dot. */
export const resourceOf = (id: string): string => id.slice(0, id.indexOf('.'))
