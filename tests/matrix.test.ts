import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation, Role } from '@/lib/operations/define'
import { type Integration, integrations } from '@/lib/operations/integration'
import { getOperation, type OperationId, operationIds } from '@/lib/operations/operations'
import {
  findExpectedVerdict,
  type GrantedScope,
  type PermissionVerdict,
} from '@/tests/operations/verdicts'
import { sampleItems, sampleOfEachKind } from '@/tests/sandbox/sample'
import { unknownId } from './harness/addresses'
import { findBuiltPages } from './harness/built-pages'
import {
  createIdempotencyKey,
  createPdfFile,
  encodedProofDetails,
  goodReason,
} from './harness/person'
import { type RoleScope, signInEveryRole, type TestPerson } from './harness/test-people'
import { startWholeDesk, type WholeDesk } from './harness/whole-desk'

const maxConcurrentRequests = 6

let testStack: WholeDesk
let integration: Integration
let accountId: string
let testPeople: readonly TestPerson[]

const testedOperationIds = operationIds.filter((id) => {
  const definition = getOperation(id)
  return !(definition.source === 'service' && definition.internal)
})

const scopesWithoutRole: ReadonlySet<RoleScope> = new Set(['nobody', 'removed', 'expired'])

const findPersonVerdict = (
  definition: Operation,
  { role, holding }: TestPerson,
): PermissionVerdict =>
  findExpectedVerdict(
    definition,
    role,
    scopesWithoutRole.has(holding) ? 'none' : (holding as GrantedScope),
    integration,
  )

function buildOperationRequest(definition: Operation): { path: string; init: RequestInit } {
  const apiBasePath =
    definition.source === 'desk'
      ? '/api/sandbox/desk'
      : definition.mirrored
        ? '/api/sandbox/mirror'
        : '/api/sandbox/v1'
  const pathId =
    definition.source === 'service' && definition.accountFrom === 'path' ? accountId : unknownId
  const path = `${apiBasePath}${definition.path.replace(/:resource/, 'payouts').replace(/:\w+/g, pathId)}?account=acct_${accountId}`
  if (definition.method === 'GET')
    return { path, init: { headers: { 'action-reason': encodeURIComponent(goodReason) } } }
  const headers = {
    'idempotency-key': createIdempotencyKey(),
    'action-reason': encodeURIComponent(goodReason),
  }
  if (definition.source === 'service' && definition.body === 'file') {
    const form = new FormData()
    form.append('File', new Blob([createPdfFile('proof.pdf').bytes as BlobPart]), 'proof.pdf')
    return {
      path,
      init: {
        method: definition.method,
        body: form,
        headers: { ...headers, 'action-proof': encodedProofDetails },
      },
    }
  }
  return {
    path,
    init: {
      method: definition.method,
      body: '{}',
      headers: { ...headers, 'content-type': 'application/json' },
    },
  }
}

type PermissionDeviation = {
  id: OperationId
  role: Role
  holding: RoleScope
  verdict: PermissionVerdict
  status: number
  code: string
}

/**
 * Error codes of an operation that did nothing. Paydesk's own operations may return any of them to
 * a person without permission.
 */
const harmlessErrorCodes: ReadonlySet<string> = new Set([
  'forbidden',
  'step_up_needed',
  'invalid_input',
  'not_found',
])

/**
 * True if a response refuses the person. A 404 does not count, because people with permission also
 * get it for a missing object.
 */
const isRefusal = (status: number, code: string): boolean =>
  status === 401 || (status === 403 && code === 'forbidden')

async function findDeviations(id: OperationId, who: TestPerson): Promise<PermissionDeviation[]> {
  const definition = getOperation(id)
  const expectedVerdict = findPersonVerdict(definition, who)
  const { path, init } = buildOperationRequest(definition)
  const operationResponse = await who.send(path, init)
  const { status } = operationResponse
  const isJson = operationResponse.headers.get('content-type')?.includes('json')
  const { error } = isJson
    ? ((await operationResponse.json()) as { error?: { code: string } })
    : { error: undefined }
  if (!isJson) await operationResponse.body?.cancel()
  const errorCode = error?.code ?? ''
  const isRefused = isRefusal(status, errorCode)
  const hasExpectedVerdict = {
    refused: isRefused,
    allowed: !isRefused,
    'not done': isRefused || harmlessErrorCodes.has(errorCode),
    either: true,
  }[expectedVerdict]
  return hasExpectedVerdict && status !== 500
    ? []
    : [
        {
          id,
          role: who.role,
          holding: who.holding,
          verdict: expectedVerdict,
          status,
          code: errorCode,
        },
      ]
}

test('the proxy handles no operation, so that all refusals come from lib/server', () => {
  const { functions } = JSON.parse(
    readFileSync(findBuiltPages('server/functions-config-manifest.json'), 'utf8'),
  ) as {
    functions: Record<string, { matchers: { regexp: string }[] }>
  }
  const proxyPathPatterns =
    functions['/_middleware']?.matchers.map(({ regexp }) => new RegExp(regexp)) ?? []
  const isProxied = (path: string) => proxyPathPatterns.some((matcher) => matcher.test(path))
  expect(isProxied('/sandbox/payouts')).toBe(true)
  expect(
    testedOperationIds.filter((id) =>
      isProxied(buildOperationRequest(getOperation(id)).path.replace(/\?.*/, '')),
    ),
  ).toEqual([])
})

describe.each(sampleItems(integrations, 1))('with the integration %s', (testedIntegration) => {
  beforeAll(async () => {
    integration = testedIntegration
    testStack = await startWholeDesk({ integration })
    ;({ account: accountId, everybody: testPeople } = await signInEveryRole(testStack))
  })
  afterAll(() => testStack?.stop())

  // lib/server/http/authorize.test.ts tests the permission decision for every operation, role and
  // account. This test sends real requests and checks that every operation applies that decision.
  test('every operation responds to every kind of person as defined', async () => {
    const allCases = testedOperationIds.flatMap((id) => testPeople.map((who) => [id, who] as const))
    expect(allCases.length).toBeGreaterThan(3000)
    const shouldRefuse = (id: OperationId, who: TestPerson) =>
      ['refused', 'not done'].includes(findPersonVerdict(getOperation(id), who))
    const sampledCases = sampleOfEachKind(
      allCases,
      1,
      ([id, who]) => `${id} ${shouldRefuse(id, who)}`,
      ([, who]) => `${who.role} ${who.holding}`,
    )
    const deviations: PermissionDeviation[] = []
    const remainingCases = sampledCases.slice()
    const runWorker = async () => {
      for (let next = remainingCases.pop(); next; next = remainingCases.pop())
        deviations.push(...(await findDeviations(...next)))
    }
    await Promise.all(Array.from({ length: maxConcurrentRequests }, runWorker))
    console.info(
      `${sampledCases.length} cases: ${testedOperationIds.length} operations, ${testPeople.length} people, ${deviations.length} deviations`,
    )
    expect(deviations).toEqual([])
  })
})
