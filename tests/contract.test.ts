import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { integrations } from '@/lib/operations/integration'
import { getSchemas } from '@/lib/operations/registry'
import {
  getAccountHeaderRule,
  getServiceOperation,
  isOperationOf,
  type ServiceOperationId,
  serviceOperationIds,
} from '@/lib/operations/service-operations'
import { dialect } from './harness/dialect'
import {
  fetchOpenApiDocument,
  findBodySchema,
  findDataSchema,
  findDocumentOperation,
  hasAccountInPath,
  type OpenApiDocument,
  readAccountScope,
  readDocumentOperations,
  toMethodAndPath,
} from './harness/openapi-document'
import { type Sandbox, startSandbox } from './harness/sandbox'
import { callService, findReadInput, findUnmaskedAccount } from './harness/service-reads'
import { findExtraFields, findRequiredFields, type JsonObject } from './harness/shapes'

let sandbox: Sandbox
let openApiDocument: OpenApiDocument
beforeAll(async () => {
  sandbox = await startSandbox()
  openApiDocument = await fetchOpenApiDocument(sandbox.url)
})
afterAll(() => sandbox?.stop())

/**
 * Paths with the account for the operations of `/v1/accounts/capability_requests`. Paydesk uses the
 * form that its setting `SERVICE_CAPABILITY_REQUESTS_PATH` selects, so the document may contain the
 * unused form too.
 */
const alternativeAccountPaths = [
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
const verificationModuleFields = [
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

const toJsonSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject
const listInputFields = (id: ServiceOperationId) =>
  Object.keys(getSchemas(id).input.shape).filter(
    (name) => !getServiceOperation(id).path.includes(`:${name}`),
  )
const listBodyFields = (id: ServiceOperationId) => {
  const bodyFields = listInputFields(id).filter(
    (name) => !getServiceOperation(id).query?.includes(name),
  )
  return bodyFields.map((name) =>
    getServiceOperation(id).fills === 'paykey' && name === 'paykey_id' ? 'paykey' : name,
  )
}

test('the sandbox uses the dialect of the project', async ({ task }) => {
  const { name } = (await (await fetch(`${sandbox.url}/sandbox/dialect`)).json()) as {
    name: string
  }
  expect(name).toBe(task.file.projectName === 'integration-provider' ? 'provider' : 'document')
})

test('every operation of the service is defined', () => {
  const implementedPaths = new Set(serviceOperationIds.map(toMethodAndPath))
  const documentedPaths = [...readDocumentOperations(openApiDocument).keys()]
  expect(documentedPaths.length).toBeGreaterThan(70)
  expect(documentedPaths.filter((address) => !implementedPaths.has(address)).sort()).toEqual(
    alternativeAccountPaths.filter((address) => !implementedPaths.has(address)).sort(),
  )
  expect([...implementedPaths].filter((address) => !documentedPaths.includes(address))).toEqual([])
})

describe.each(serviceOperationIds)('%s', (id) => {
  const definition = getServiceOperation(id)
  test('returns no field that the service does not have', () => {
    const extraFields = findExtraFields(
      openApiDocument,
      [toJsonSchema(getSchemas(id).output)],
      [findDataSchema(openApiDocument, id)],
    )
    expect(
      extraFields.filter(
        (path) =>
          !isRelatedPaymentField(path) && !verificationModuleFields.includes(`${id} ${path}`),
      ),
    ).toEqual([])
  })

  test('has the parameters that the service accepts', () => {
    const queryParamNames = (findDocumentOperation(openApiDocument, id).parameters ?? [])
      .filter((one) => one.in === 'query')
      .map((one) => String(one.name))
    const sentQueryFields =
      definition.method === 'GET' ? listInputFields(id) : [...(definition.query ?? [])]
    expect(sentQueryFields.filter((name) => !queryParamNames.includes(name))).toEqual([])
    if (definition.internal) return
    const unsentQueryParams = queryParamNames.filter(
      (name) => !name.startsWith('default_') && !sentQueryFields.includes(name),
    )
    expect(unsentQueryParams).toEqual(omittedParameters[id] ?? [])
  })
})

const bodyOperationIds = serviceOperationIds.filter(
  (id) => getServiceOperation(id).effect !== 'read' && getServiceOperation(id).body !== 'file',
)

test.each(bodyOperationIds)('%s sends the fields that the service accepts', (id) => {
  const bodySchema = findBodySchema(findDocumentOperation(openApiDocument, id).requestBody)
  const sentBodyFields = listBodyFields(id)
  expect(
    findRequiredFields(openApiDocument, bodySchema).filter(
      (name) => !sentBodyFields.includes(name),
    ),
  ).toEqual([])
  // Fields in the path or the query, and fields that the server fills, are not part of the body.
  const fieldsOutsideBody = Object.keys(getSchemas(id).input.shape).filter(
    (name) => !sentBodyFields.includes(name),
  )
  const undocumentedFields = findExtraFields(
    openApiDocument,
    [toJsonSchema(getSchemas(id).input)],
    [bodySchema],
  )
  expect(undocumentedFields.filter((path) => !fieldsOutsideBody.includes(path))).toEqual([])
})

const fullTokenPattern = /[0-9a-f]{8}\.\d{2}\.[0-9a-f]{64}/
const readOperationIds = serviceOperationIds.filter(
  (id) => getServiceOperation(id).effect === 'read',
)

const mayShowAddresses = (id: ServiceOperationId) =>
  getServiceOperation(id).sensitive ||
  getServiceOperation(id).internal ||
  id.startsWith('accounts.')

describe.each(integrations)('with the integration %s', (integration) => {
  let serviceSandbox: Sandbox
  let serviceDocument: OpenApiDocument
  let account: string
  beforeAll(async () => {
    serviceSandbox = await startSandbox({ integration })
    serviceDocument = await fetchOpenApiDocument(serviceSandbox.url)
    account = await findUnmaskedAccount(serviceSandbox)
  })
  afterAll(() => serviceSandbox?.stop())

  test.each(serviceOperationIds)('%s has the scope that the service requires', (id) => {
    const headerRule = getAccountHeaderRule(id, integration)
    const documentedScope = readAccountScope(serviceDocument, id)
    // Our writes always send the account, even if the service does not require it.
    const isScopeNarrowed =
      documentedScope === 'optional' &&
      (getServiceOperation(id).effect !== 'read' || headerRule === 'required')
    // A direct account never sends the header, not even for a path that names the account.
    const isNamedByPathOnly = integration === 'account' && hasAccountInPath(id)
    if (isNamedByPathOnly) expect(headerRule).toBe('forbidden')
    else expect(headerRule).toBe(isScopeNarrowed ? 'required' : documentedScope)
  })

  const readIds = readOperationIds.filter((id) => isOperationOf(id, integration))
  test.each(readIds)('%s parses a real response of the service', async (id) => {
    const isAccountRequired =
      hasAccountInPath(id) || getAccountHeaderRule(id, integration) === 'required'
    const responseData = await callService<unknown>(
      serviceSandbox,
      id,
      await findReadInput(serviceSandbox, id, account),
      isAccountRequired ? account : undefined,
    )
    const outputJson = JSON.stringify(getSchemas(id).output.parse(responseData))
    expect(fullTokenPattern.test(outputJson)).toBe(id === 'paykeys.reveal')
    if (!mayShowAddresses(id)) expect(outputJson).not.toMatch(/[\w.+-]{2,}@/)
  })
})
