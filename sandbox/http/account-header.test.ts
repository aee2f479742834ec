import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDialect } from '@/sandbox/dialects/dialects'
import { type Integration, integrations } from '@/sandbox/integration'
import { makeOpenapiDocument } from '@/sandbox/openapi/openapi-document'
import type { Operation } from '@/sandbox/operation'
import { operations } from '@/sandbox/operations'
import type { RequestOptions } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const sandboxes = {
  saas: startSandboxPerFile('--integration', 'saas'),
  marketplace: startSandboxPerFile('--integration', 'marketplace'),
  account: startSandboxPerFile('--integration', 'account'),
}

type HeaderRule = 'required' | 'optional' | 'forbidden'

/** Written by hand from the provider's description of the kinds of integration (provider-facts 1). */
const operationGroups: { saas: HeaderRule; marketplace: HeaderRule; ids: string[] }[] = [
  {
    saas: 'required',
    marketplace: 'forbidden',
    ids: [
      'customers.create',
      'bridge.initialize',
      'bridge.bank_account',
      'bridge.tan',
      'bridge.plaid',
      'bridge.quiltt',
      'bridge.speedchex',
    ],
  },
  {
    saas: 'optional',
    marketplace: 'forbidden',
    ids: [
      ...['list', 'get', 'update', 'delete', 'unmask', 'review', 'decide', 'refresh_review'].map(
        (verb) => `customers.${verb}`,
      ),
      ...['list', 'get', 'unmasked', 'reveal', 'review', 'decide', 'refresh_review'].map(
        (verb) => `paykeys.${verb}`,
      ),
      ...['refresh_balance', 'cancel', 'unblock'].map((verb) => `paykeys.${verb}`),
    ],
  },
  {
    saas: 'required',
    marketplace: 'required',
    ids: ['charges.create', 'payouts.create', 'funding_events.simulate'],
  },
  {
    saas: 'optional',
    marketplace: 'required',
    ids: [
      'charges.refund',
      'charges.resubmit',
      'charges.authorize',
      'payouts.resubmit',
      'payouts.authorize',
    ],
  },
  {
    saas: 'optional',
    marketplace: 'optional',
    ids: [
      ...['charges', 'payouts'].flatMap((type) =>
        ['get', 'unmask', 'update', 'hold', 'release', 'cancel'].map((verb) => `${type}.${verb}`),
      ),
      'payments.search',
      'funding_events.list',
      'funding_events.get',
      'funding_event_payments.list',
      'capability_requests.create',
      'capability_requests.list',
      'capability_requests.create_for_account',
      'capability_requests.list_for_account',
    ],
  },
  {
    saas: 'forbidden',
    marketplace: 'forbidden',
    ids: [
      ...['list', 'create', 'get', 'update', 'onboard', 'simulate'].map(
        (verb) => `accounts.${verb}`,
      ),
      'account_settings.get',
      ...['create', 'list', 'get'].map((verb) => `organizations.${verb}`),
      ...['create', 'list', 'get', 'update', 'unmask'].map((verb) => `representatives.${verb}`),
      ...['create', 'list', 'get', 'unmask', 'update', 'cancel'].map(
        (verb) => `linked_bank_accounts.${verb}`,
      ),
    ],
  },
]

/** A direct account has no platform, so it refuses these with or without the header. */
const platformOperationIds = [
  'accounts.create',
  'accounts.onboard',
  'accounts.simulate',
  'organizations.create',
  'organizations.list',
  'organizations.get',
]

type Outcome = 'accepted' | '400' | 'unknown account' | 'no platform'

const outcomesByRule: Record<HeaderRule, Record<'missing' | 'given' | 'unknown', Outcome>> = {
  required: { missing: '400', given: 'accepted', unknown: 'unknown account' },
  optional: { missing: 'accepted', given: 'accepted', unknown: 'unknown account' },
  forbidden: { missing: 'accepted', given: '400', unknown: '400' },
}

function getExpectedOutcomes(integration: Integration, id: string) {
  if (integration === 'account' && platformOperationIds.includes(id))
    return { missing: 'no platform', given: 'no platform', unknown: 'no platform' }
  const group = operationGroups.find(({ ids }) => ids.includes(id))
  if (!group) throw new Error(`${id} is in no group`)
  return outcomesByRule[integration === 'account' ? 'forbidden' : group[integration]]
}

/**
 * Sends a request with an empty body about an unknown object, so that it changes nothing, and
 * returns how the sandbox treated its account header.
 */
async function tryHeader(
  integration: Integration,
  { method, path }: Operation,
  accountId: string,
  headers: Record<string, string>,
): Promise<Outcome> {
  const options: RequestOptions = { method, headers }
  if (method !== 'GET') {
    options.body = '{}'
    options.headers = { ...headers, 'content-type': 'application/json' }
  }
  const requestPath = path.replace(':account_id', accountId).replace(/:\w+/, randomUUID())
  const { status, json } = await sandboxes[integration].client().ask(requestPath, options)
  const { detail, items } = (json.error ?? {}) as {
    detail?: string
    items?: { reference: string }[]
  }
  if (status === 403 && detail?.startsWith('A direct account has no platform')) return 'no platform'
  if (status === 400 && items?.[0]?.reference === 'Service-Account-Id') return '400'
  if (status === 404 && detail === 'No such account.') return 'unknown account'
  expect([200, 201, 404, 422]).toContain(status)
  return 'accepted'
}

type OpenapiDocument = {
  paths: Record<string, Record<string, { operationId: string; parameters: object[] }>>
}

const readDocumentedRules = ({ paths }: OpenapiDocument): string[][] =>
  Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, parameters }) => {
      const parametersText = JSON.stringify(parameters)
      if (parametersText.includes('/AccountOwner')) return [operationId, 'required']
      return [operationId, parametersText.includes('/AccountScope') ? 'optional' : 'forbidden']
    }),
  )

const listExpectedRules = (integration: Integration): string[][] =>
  operationGroups.flatMap((group) =>
    group.ids.map((id) => [id, integration === 'account' ? 'forbidden' : group[integration]]),
  )

test('every operation is in one group', () => {
  expect(operationGroups.flatMap(({ ids }) => ids).toSorted()).toEqual(
    operations.map(({ id }) => id).toSorted(),
  )
})

describe.each(integrations)('with the integration %s', (integration) => {
  let accountId = ''
  beforeAll(async () => {
    const { json } = await sandboxes[integration].client().ask('/v1/accounts?status=active')
    accountId = (json.data as { id: string }[])[0]?.id ?? ''
  })

  test.each(operations)(
    '$id requires, accepts or refuses the account header',
    async (operation) => {
      const client = sandboxes[integration].client()
      const outcomes = {
        missing: await tryHeader(integration, operation, accountId, {}),
        given: await tryHeader(integration, operation, accountId, client.accountHeaders(accountId)),
        unknown: await tryHeader(
          integration,
          operation,
          accountId,
          client.accountHeaders(randomUUID()),
        ),
      }
      expect(outcomes).toEqual(getExpectedOutcomes(integration, operation.id))
    },
  )

  test('the OpenAPI document shows the header as the sandbox reads it', async () => {
    const { url, fetch } = sandboxes[integration].process()
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenapiDocument
    expect(readDocumentedRules(document).toSorted()).toEqual(
      listExpectedRules(integration).toSorted(),
    )
  })

  test('the dialect of the provider refuses the header only for limit requests as well', () => {
    const provider = createDialect('provider', 0)
    const document = makeOpenapiDocument(operations, 'sandbox', provider, integration)
    const expectedRules = listExpectedRules(integration).flatMap(([id = '', rule]) => {
      const [resource, verb = ''] = id.split('.')
      if (resource !== 'capability_requests') return [[id, rule]]
      return verb.endsWith('_for_account') ? [[id, 'forbidden']] : []
    })
    expect(readDocumentedRules(document as OpenapiDocument).toSorted()).toEqual(
      expectedRules.toSorted(),
    )
  })
})
