import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { toRequestParts } from '@/lib/operations/http'
import { getSchemas } from '@/lib/operations/registry'
import {
  getServiceOperation,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { dialect } from './harness/dialect'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { findExtraFields, findRequiredFields, type Json } from './harness/shapes'

type JsonContent = { content: { 'application/json': { schema: Json } } }
type DocumentOperation = {
  parameters?: Json[]
  requestBody?: JsonContent
  responses: Record<string, JsonContent & { $ref?: string }>
}
type OpenApiDocument = {
  paths: Record<string, Record<string, DocumentOperation>>
  components: { schemas: Record<string, Json> }
}

let sandbox: Sandbox
let openApiDocument: OpenApiDocument
beforeAll(async () => {
  sandbox = await startSandbox()
  openApiDocument = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as OpenApiDocument
})
afterAll(() => sandbox?.stop())

/**
 * Paths with the account for the operations of `/v1/accounts/capability_requests`. Paydesk uses the
 * form that its setting `SERVICE_CAPABILITY_REQUESTS_PATH` selects, so the document may contain the
 * unused form too.
 */
const pathsWithAccount = [
  'POST /v1/accounts/:id/capability_requests',
  'GET /v1/accounts/:id/capability_requests',
]

/**
 * Query parameters of the service that our operations omit, because a token or an email address
 * must not be in a URL.
 */
const omittedParameters: Partial<Record<ServiceOperationId, string[]>> = {
  'payments.search': ['paykey'],
  'customers.list': ['email'],
}

/**
 * Fields that the document lists for only some modules of a verification. Our schema allows them
 * for every module.
 */
const moduleSpecificFields = [
  'customers.review identity_details.breakdown.*.reason',
  'paykeys.review verification_details.breakdown.*.risk_score',
  'paykeys.review verification_details.breakdown.*.correlation',
]

/**
 * True for the fields of the list `related_payments` in the dialect `provider`. There the service
 * sends a map from id to relationship instead. Our schema converts it to the list, so these fields
 * are missing in the service's document.
 */
const isRelatedPaymentField = (path: string) =>
  dialect.name === 'provider' &&
  /(^|\.)related_payments\[\]\.(id|relationship|payment_type)$/.test(path)

/** Returns the service's path for an operation, with `:id` in place of an id. */
const toServicePath = (id: ServiceOperationId) =>
  getServiceOperation(id).configuredPath
    ? dialect.capabilityRequestsPath.replace('{account_id}', ':id')
    : `/v1${getServiceOperation(id).path}`
const toMethodAndPath = (id: ServiceOperationId) =>
  `${getServiceOperation(id).method} ${toServicePath(id)}`
/**
 * True if the service's path contains the account. Our own path does not: our operation requires
 * the account as its scope.
 */
const hasAccountInPath = (id: ServiceOperationId) =>
  toServicePath(id).includes(':id') && !getServiceOperation(id).path.includes(':id')

/**
 * Returns the operations of the service's OpenAPI document by `METHOD /v1/path`, with `:id` in
 * place of each path parameter.
 */
function readDocumentOperations(): Map<string, DocumentOperation> {
  const operationEntries = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, one]) =>
        [`${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ':id')}`, one] as const,
    ),
  )
  return new Map(operationEntries)
}

function findDocumentOperation(id: ServiceOperationId): DocumentOperation {
  const documentOperation = readDocumentOperations().get(toMethodAndPath(id))
  if (!documentOperation) throw new Error(`the document has no ${toMethodAndPath(id)}`)
  return documentOperation
}

const findBodySchema = (content: JsonContent | undefined): Json =>
  content?.content['application/json']?.schema ?? {}
const toJsonSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
const listInputFields = (id: ServiceOperationId) =>
  Object.keys(getSchemas(id).input.shape).filter(
    (name) => !getServiceOperation(id).path.includes(`:${name}`),
  )
const listBodyFields = (id: ServiceOperationId) => {
  const fields = listInputFields(id).filter(
    (name) => !getServiceOperation(id).query?.includes(name),
  )
  return fields.map((name) =>
    getServiceOperation(id).fills === 'paykey' && name === 'paykey_id' ? 'paykey' : name,
  )
}

/**
 * Returns whether a request for this operation must, may or must not name an account, according to
 * the service's document.
 */
function readAccountScope(id: ServiceOperationId): 'required' | 'optional' | 'forbidden' {
  const parameterNames = (findDocumentOperation(id).parameters ?? []).map((one) =>
    String(one.$ref ?? '')
      .split('/')
      .at(-1),
  )
  if (hasAccountInPath(id) || parameterNames.includes('AccountOwner')) return 'required'
  return parameterNames.includes('AccountScope') ? 'optional' : 'forbidden'
}

/** Returns the schema of `data` in an operation's success response. */
function findDataSchema(id: ServiceOperationId): Json {
  const [, success] =
    Object.entries(findDocumentOperation(id).responses).find(([status]) =>
      status.startsWith('2'),
    ) ?? []
  return ((findBodySchema(success).properties ?? {}) as Record<string, Json>).data ?? {}
}

test('the sandbox uses the dialect of the project', async ({ task }) => {
  const { name } = (await (await fetch(`${sandbox.url}/sandbox/dialect`)).json()) as {
    name: string
  }
  expect(name).toBe(task.file.projectName === 'integration-provider' ? 'provider' : 'document')
})

test('every operation of the service is defined', () => {
  const implementedPaths = new Set(serviceOperationIds.map(toMethodAndPath))
  const documentedPaths = [...readDocumentOperations().keys()]
  expect(documentedPaths.length).toBeGreaterThan(70)
  expect(documentedPaths.filter((address) => !implementedPaths.has(address)).sort()).toEqual(
    pathsWithAccount.filter((address) => !implementedPaths.has(address)).sort(),
  )
  expect([...implementedPaths].filter((address) => !documentedPaths.includes(address))).toEqual([])
})

describe.each(serviceOperationIds)('%s', (id) => {
  const definition = getServiceOperation(id)

  test('has the scope that the service requires', () => {
    const documentedScope = readAccountScope(id)
    // Our writes always send the account, even if the service does not require it.
    const isScopeNarrowed =
      documentedScope === 'optional' &&
      (definition.effect !== 'read' || definition.scope === 'required')
    expect(definition.scope).toBe(isScopeNarrowed ? 'required' : documentedScope)
  })

  test('returns no field that the service does not have', () => {
    const extraFields = findExtraFields(
      openApiDocument,
      [toJsonSchema(getSchemas(id).output)],
      [findDataSchema(id)],
    )
    expect(
      extraFields.filter(
        (path) => !isRelatedPaymentField(path) && !moduleSpecificFields.includes(`${id} ${path}`),
      ),
    ).toEqual([])
  })

  test('has the parameters that the service accepts', () => {
    const queryParamNames = (findDocumentOperation(id).parameters ?? [])
      .filter((one) => one.in === 'query')
      .map((one) => String(one.name))
    const sentQueryFields =
      definition.method === 'GET' ? listInputFields(id) : [...(definition.query ?? [])]
    expect(sentQueryFields.filter((name) => !queryParamNames.includes(name))).toEqual([])
    if (definition.internal) return
    const unofferedParams = queryParamNames.filter(
      (name) => !name.startsWith('default_') && !sentQueryFields.includes(name),
    )
    expect(unofferedParams).toEqual(omittedParameters[id] ?? [])
  })
})

const bodyOperationIds = serviceOperationIds.filter(
  (id) => getServiceOperation(id).effect !== 'read' && getServiceOperation(id).body !== 'file',
)

test.each(bodyOperationIds)('%s sends the fields that the service accepts', (id) => {
  const body = findBodySchema(findDocumentOperation(id).requestBody)
  const sentFields = listBodyFields(id)
  expect(
    findRequiredFields(openApiDocument, body).filter((name) => !sentFields.includes(name)),
  ).toEqual([])
  // Fields in the path or the query, and fields that the server fills, are not part of the body.
  const fieldsOutsideBody = Object.keys(getSchemas(id).input.shape).filter(
    (name) => !sentFields.includes(name),
  )
  const undocumentedFields = findExtraFields(
    openApiDocument,
    [toJsonSchema(getSchemas(id).input)],
    [body],
  )
  expect(undocumentedFields.filter((path) => !fieldsOutsideBody.includes(path))).toEqual([])
})

type ServiceResponse = { data: unknown }
type ListedObject = { id: string; account_id?: string; payment_type?: string }

async function callService<T>(
  id: ServiceOperationId,
  input: Record<string, unknown>,
  account?: string,
): Promise<T> {
  const { path, query } = toRequestParts(
    id,
    getSchemas(id).input.parse(input) as Record<string, unknown>,
  )
  const headers: Record<string, string> = { authorization: `Bearer ${sandbox.keys.full}` }
  const servicePath = getServiceOperation(id).configuredPath
    ? toServicePath(id).replace(':id', account ?? '')
    : `/v1${path}`
  if (account && !hasAccountInPath(id))
    headers[dialect.accountHeader] = dialect.accountValue(account)
  const response = await fetch(`${sandbox.url}${servicePath}?${query}`, { headers })
  const responseBody = (await response.json()) as ServiceResponse
  expect({ id, status: response.status, answer: response.ok ? null : responseBody }).toEqual({
    id,
    status: 200,
    answer: null,
  })
  return responseBody.data as T
}

/** Returns an account that has payouts and whose settings allow unmasked data. */
async function findUnmaskedAccount(): Promise<string> {
  const accounts = await callService<ListedObject[]>('accounts.list', {})
  for (const { id } of accounts) {
    const accountSettings = await callService<{ configuration: { allow_data_unmask: boolean } }>(
      'account_settings.get',
      { id },
    )
    const recentPayouts = await callService<ListedObject[]>(
      'payments.search',
      { payment_type: 'payout' },
      id,
    )
    if (accountSettings.configuration.allow_data_unmask && recentPayouts.length > 0) return id
  }
  throw new Error('no seeded account allows unmasking')
}

/**
 * For each resource without a list operation of its own, the list operation and the filter that
 * return its objects.
 */
const listCallsByResource: Record<string, [ServiceOperationId, Record<string, unknown>]> = {
  charges: ['payments.search', { payment_type: 'charge' }],
  payouts: ['payments.search', { payment_type: 'payout' }],
}

const inputsByOperation: Partial<Record<ServiceOperationId, Record<string, unknown>>> = {
  'customers.by_email': { email: 'nobody@example.com' },
  'payments.search': { include_metadata: true },
}

async function findReadInput(
  id: ServiceOperationId,
  account: string,
): Promise<Record<string, unknown>> {
  if (!getServiceOperation(id).path.includes(':id')) return inputsByOperation[id] ?? {}
  const resource = id.slice(0, id.indexOf('.'))
  if (resource === 'accounts' || resource === 'account_settings') return { id: account }
  const accountInput =
    resource === 'representatives' || resource === 'linked_bank_accounts'
      ? { account_id: account }
      : {}
  const [list, input] = listCallsByResource[resource] ?? [
    `${resource}.list` as ServiceOperationId,
    accountInput,
  ]
  const [first] = await callService<ListedObject[]>(
    list,
    input,
    getServiceOperation(list).scope === 'forbidden' ? undefined : account,
  )
  if (!first) throw new Error(`nothing seeded for ${id}`)
  return { id: first.id }
}

const fullTokenPattern = /[0-9a-f]{8}\.\d{2}\.[0-9a-f]{64}/
const readOperationIds = serviceOperationIds.filter(
  (id) => getServiceOperation(id).effect === 'read',
)

test.each(readOperationIds)('%s parses a real response of the service', async (id) => {
  const account = await findUnmaskedAccount()
  const scopeAccount = getServiceOperation(id).scope === 'required' ? account : undefined
  const responseData = await callService<unknown>(
    id,
    await findReadInput(id, account),
    scopeAccount,
  )
  const outputJson = JSON.stringify(getSchemas(id).output.parse(responseData))
  expect(fullTokenPattern.test(outputJson)).toBe(id === 'paykeys.reveal')
  if (
    getServiceOperation(id).sensitive ||
    getServiceOperation(id).internal ||
    id.startsWith('accounts.')
  )
    return
  expect(outputJson).not.toMatch(/[\w.+-]{2,}@/)
})
