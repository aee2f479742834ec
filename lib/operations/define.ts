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

/**
 * What an operation does to the world. Policies hang on it: everything but `read` goes through the action book. `money` is also what says where
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
 * path). Input fields named in the path fill it; the rest travel as query on GET and as JSON otherwise. What an operation carries (zod
 * schemas of input and output) stands beside its row in `<resource>.schema.ts`, so that a list can ship without the schemas.
 */
export type OperationRow = RowBase & EffectAndReason

/** Money that moves, and what cannot be taken back, always have a reason; what may be left out elsewhere does not compile there. */
type EffectAndReason = { effect: 'money' | 'irreversible'; reason: ReasonPolicy } | { effect: 'read' | 'write'; reason?: ReasonPolicy }

/**
 * Who is told why. `sent`: the input's `reason` travels to the service and stands in its history. `kept`: the service takes none, so ours comes in
 * the `Action-Reason` header, is required, and stays in the action book.
 */
export type ReasonPolicy = 'sent' | 'kept'

type RowBase = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  scope: Scope
  allow: readonly Role[]
  /** `file`: the body is one multipart part named `File`, streamed, never parsed as JSON. */
  body?: 'file'
  /** A read of contact data or numbers that are masked elsewhere: it needs a kept reason, is counted, audited and never cached. */
  sensitive?: true
  /** Refused in every other environment before anything is looked at. */
  only?: 'sandbox'
  /** Names of input fields that travel as query on a write; on GET all do. */
  query?: readonly string[]
  /**
   * What the server adds to the bytes, so that no browser has to hold it. `paykey`: the token it reads with `paykeys.reveal` takes the place of the
   * input's `paykey_id`. `customer`: contact data and device that were left out stay as `customers.unmask` reads them.
   */
  fills?: 'paykey' | 'customer'
  /** Asked by the server alone: our own API has no such route, because its answer holds what no browser may see. */
  internal?: true
  /**
   * The answer holds a token that lets whoever has it act. It is told once, to the browser that asked, and kept nowhere; the operation makes nothing
   * that lasts, so whoever missed the answer may ask again under a new key.
   */
  credential?: true
  /** Resources whose cached reads go stale once this settles. */
  invalidates?: readonly Resource[]
  /** The verb phrase people read, for example "release a payout". */
  does: string
}

/** Everybody who is signed in and has a grant for the environment. */
export const everyone: readonly Role[] = roles
/** Those who move money. */
export const movers: readonly Role[] = ['operator', 'admin']
/** Those who may add evidence, reveal contact data, ask for a deletion. */
export const provers: readonly Role[] = ['operator', 'reviewer', 'admin']
/** Those who may read the request log (product 4.7); the action book is open to everybody with a role in the account. */
export const logReaders: readonly Role[] = ['operator', 'reviewer', 'admin']
/** Those who decide paykey and customer reviews, and unblock. */
export const deciders: readonly Role[] = ['reviewer', 'admin']

/** Checks a resource's rows by type and keeps their literal ids. */
export const defineOperations = <const T extends Record<string, OperationRow>>(rows: T): T => rows
