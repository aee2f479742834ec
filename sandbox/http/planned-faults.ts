import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { Random } from '@/sandbox/store/random'

const faultTimingSchema = z.enum(['before', 'after']).default('before')

const faultEffectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('refuse') }),
  z.strictObject({
    kind: z.literal('delay'),
    ms: z.int().min(1).max(600_000),
    at: z.enum(['before', 'mid', 'after']).default('before'),
  }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    body: z.enum(['json', 'none', 'html']).default('json'),
    at: faultTimingSchema,
    retry_after: z.int().min(0).optional(),
  }),
  z.strictObject({ kind: z.literal('truncate'), at: z.int().min(0) }),
  z.strictObject({ kind: z.literal('reset'), at: faultTimingSchema }),
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.int().min(300).max(399).default(302),
    location: z.string().min(1),
  }),
  z.strictObject({
    kind: z.literal('body'),
    body: z.string(),
    content_type: z.string().default('application/json'),
  }),
])

/**
 * Effect of a fault on a request. `at` is the moment relative to the request's change, such as
 * `before`. For `truncate`, `at` is the number of body bytes that are sent.
 */
export type FaultEffect = z.infer<typeof faultEffectSchema>

const faultTargetSchema = z.object({
  operation: z.string().min(1),
  match: z.string().min(1).default('*'),
  count: z.int().min(1).nullable().default(1),
  probability: z.number().min(0).max(1).default(1),
  skip: z.int().min(0).default(0),
})

/**
 * A fault affects requests to `operation` that contain the text `match`. It ends after `count`
 * requests; if `count` is null, it lasts until it is deleted.
 */
export type Fault = z.infer<typeof faultTargetSchema> & {
  id: string
  hits: number
  effect: FaultEffect
}

const faultTargetKeys = Object.keys(faultTargetSchema.shape)

export function parseFault(
  input: unknown,
  operationIds: readonly string[],
): Omit<Fault, 'id' | 'hits'> {
  const faultEntries = Object.entries(z.record(z.string(), z.unknown()).parse(input))
  const operationSchema = z.enum(
    ['*', ...operationIds],
    `must be * or one of ${operationIds.join(', ')}`,
  )
  const faultTarget = faultTargetSchema
    .extend({ operation: operationSchema })
    .parse(Object.fromEntries(faultEntries.filter(([key]) => faultTargetKeys.includes(key))))
  return {
    ...faultTarget,
    effect: faultEffectSchema.parse(
      Object.fromEntries(faultEntries.filter(([key]) => !faultTargetKeys.includes(key))),
    ),
  }
}

export type InspectedRequest = { operation: string; carries: readonly string[] }

const isMatchingRequest = (
  { operation, match, count, hits }: Fault,
  request: InspectedRequest,
): boolean =>
  (operation === '*' || operation === request.operation) &&
  (match === '*' || request.carries.some((text) => text.includes(match))) &&
  (count === null || hits < count)

function consumeSkip(fault: Fault): boolean {
  if (fault.skip === 0) return false
  fault.skip -= 1
  return true
}

/** At most one fault affects a request: the first one that matches, in the order of addition. */
export class PlannedFaults {
  #faults: Fault[] = []
  // The seed is fixed, so that faults with a probability affect the same requests in every run.
  #random = new Random(1)

  add(fault: Omit<Fault, 'id' | 'hits'>): string {
    const id = randomUUID()
    this.#faults.push({ ...fault, id, hits: 0 })
    return id
  }

  list(): readonly Fault[] {
    return this.#faults
  }

  remove(id: string): boolean {
    const faultCountBefore = this.#faults.length
    this.#faults = this.#faults.filter((fault) => fault.id !== id)
    return this.#faults.length < faultCountBefore
  }

  clear(): void {
    this.#faults = []
    this.#random = new Random(1)
  }

  strike(request: InspectedRequest): FaultEffect | undefined {
    const strikingFault = this.#faults.find(
      (fault) =>
        isMatchingRequest(fault, request) &&
        !consumeSkip(fault) &&
        this.#random.chance(fault.probability),
    )
    if (strikingFault) strikingFault.hits += 1
    return strikingFault?.effect
  }
}
