import type * as z from 'zod'
import { accountSchemas, accountSettingsSchemas } from './accounts.schema'
import { approvalSchemas } from './approvals'
import { auditSchemas } from './audit.schema'
import { capabilityRequestSchemas } from './capability-requests.schema'
import { customerSchemas } from './customers.schema'
import type { Operation } from './define'
import { deletionSchemas } from './deletion'
import { deskSchemas } from './desk.schema'
import { documentSchemas } from './documents.schema'
import { fundingEventSchemas } from './funding-events.schema'
import { linkedBankAccountSchemas } from './linked-bank-accounts.schema'
import { noteSchemas } from './notes.schema'
import { notificationSchemas } from './notifications.schema'
import { getOperation, type OperationId, operationIds } from './operations'
import { organizationSchemas } from './organizations.schema'
import { bridgeSchemas, paykeySchemas } from './paykeys.schema'
import { paymentSchemas } from './payments.schema'
import { peopleSchemas } from './people'
import { policySchemas } from './policies.schema'
import { profileSchemas } from './profile'
import { representativeSchemas } from './representatives.schema'
import { viewSchemas } from './saved-view.schema'
import { stepUpSchemas } from './step-up'
import { webhookSchemas } from './webhooks'

type OperationSchemas = { input: z.ZodObject; output: z.ZodType }

/**
 * An operation that is only here, or only in `operations`, does not compile. Browser code that
 * needs only the types uses `import type`, so that a list page does not load zod first.
 */
export const schemasByOperation = {
  ...paymentSchemas,
  ...customerSchemas,
  ...paykeySchemas,
  ...bridgeSchemas,
  ...fundingEventSchemas,
  ...accountSchemas,
  ...accountSettingsSchemas,
  ...capabilityRequestSchemas,
  ...organizationSchemas,
  ...representativeSchemas,
  ...linkedBankAccountSchemas,
  ...viewSchemas,
  ...deletionSchemas,
  ...documentSchemas,
  ...webhookSchemas,
  ...approvalSchemas,
  ...policySchemas,
  ...auditSchemas,
  ...noteSchemas,
  ...notificationSchemas,
  ...peopleSchemas,
  ...profileSchemas,
  ...stepUpSchemas,
  ...deskSchemas,
} satisfies Record<OperationId, OperationSchemas>

type SchemasByOperation = typeof schemasByOperation

/** An operation's path, query and body fields in one object. */
export type Input<K extends OperationId> = z.input<SchemasByOperation[K]['input']>

export type Output<K extends OperationId> = z.output<SchemasByOperation[K]['output']>

export const getSchemas = (id: OperationId): OperationSchemas => schemasByOperation[id]

type HttpMethod = Operation['method']
type MatchedOperation<K> = { id: K; params: Record<string, string> }

/** If only the method is wrong: the methods that the path accepts. Null if no path matches. */
type OperationMatch<S extends Operation['source'] = 'service'> =
  | MatchedOperation<OperationId<S>>
  | { allowed: HttpMethod[] }
  | null

type PathPattern = {
  id: OperationId
  source: Operation['source']
  method: HttpMethod
  segments: string[]
}

const countPathFields = (segments: readonly string[]): number =>
  segments.filter((part) => part.startsWith(':')).length

// Paths with fewer fields come first: `/accounts/capability_requests` must not match as
// `/accounts/:id`.
const pathPatterns: PathPattern[] = operationIds
  .map((id) => ({ id, ...getOperation(id) }))
  .filter((each) => each.source === 'desk' || !each.internal)
  .map(({ id, source, method, path }) => ({
    id,
    source,
    method,
    segments: path.slice(1).split('/'),
  }))
  .sort((one, other) => countPathFields(one.segments) - countPathFields(other.segments))

/**
 * `segments` are the decoded path segments after `/v1` or `/desk`. Each is compared as a whole, so
 * a decoded `../` or `%2f` cannot reach another route. `params` are not validated: the operation's
 * schema parses them. Internal operations are not found.
 */
export function matchOperation<S extends Operation['source'] = 'service'>(
  method: string,
  segments: readonly string[],
  source: S = 'service' as S,
): OperationMatch<S> {
  const matchingPatterns = pathPatterns.filter(
    (pattern) => pattern.source === source && matchesSegments(pattern.segments, segments),
  )
  const matchingPattern = matchingPatterns.find((pattern) => pattern.method === method)
  if (matchingPattern)
    return {
      id: matchingPattern.id as OperationId<S>,
      params: readPathParams(matchingPattern.segments, segments),
    }
  return matchingPatterns.length > 0
    ? { allowed: [...new Set(matchingPatterns.map((pattern) => pattern.method))] }
    : null
}

function matchesSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => part.startsWith(':') || part === segments[at])
  )
}

function readPathParams(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    pattern.flatMap((part, at) =>
      part.startsWith(':') ? [[part.slice(1), segments[at] ?? '']] : [],
    ),
  )
}
