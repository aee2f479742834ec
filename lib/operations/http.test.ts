import { describe, expect, test } from 'vitest'
import { toApiRequestParts, toRequestParts } from './http'
import { getOperation, operationIds } from './operations'
import { matchOperation } from './registry'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const findOperation = (method: string, path: string) =>
  matchOperation(method, path.slice(1).split('/'))

describe('the request of an operation', () => {
  test('of a read sends its fields in the query', () => {
    expect(
      toRequestParts('paykeys.list', {
        status: ['review', 'blocked'],
        page_size: 50,
        search_text: undefined,
      }),
    ).toEqual({
      method: 'GET',
      path: '/paykeys',
      query: 'page_size=50&status=review%2Cblocked',
      body: undefined,
    })
  })

  test.each([
    ['comma', 'page_size=50&status=review%2Cblocked'],
    ['repeat', 'page_size=50&status=review&status=blocked'],
  ] as const)('has the list style %s', (style, query) => {
    expect(
      toRequestParts(
        'paykeys.list',
        { status: ['review', 'blocked'], source: [], page_size: 50 },
        style,
      ).query,
    ).toBe(query)
  })

  test('of a write sends its fields in the body', () => {
    expect(toRequestParts('customers.decide', { id, status: 'verified' })).toEqual({
      method: 'PATCH',
      path: `/customers/${id}/review`,
      query: '',
      body: { status: 'verified' },
    })
  })

  test('of a write sends the query fields of its definition only in the query', () => {
    expect(toRequestParts('accounts.simulate', { id, final_status: 'active' })).toEqual({
      method: 'POST',
      path: `/accounts/${id}/simulate`,
      query: 'final_status=active',
      body: {},
    })
    expect(toRequestParts('accounts.simulate', { id })).toMatchObject({ query: '', body: {} })
  })

  test('does not change the input', () => {
    const input = { id, final_status: 'active' }
    toRequestParts('accounts.simulate', input)
    expect(input).toEqual({ id, final_status: 'active' })
  })

  test('throws without a required path field', () => {
    expect(() => toRequestParts('accounts.get', {})).toThrow('accounts.get needs id')
  })
})

describe('an operation is found by method and path', () => {
  const isInternalOperation = (name: (typeof operationIds)[number]) => {
    const definition = getOperation(name)
    return definition.source === 'service' && definition.internal === true
  }
  const routedOperations = operationIds.filter((name) => !isInternalOperation(name))

  test.each(routedOperations)('%s', (name) => {
    const { method, path, source } = getOperation(name)
    const pathSegments = path.replace(':id', id).slice(1).split('/')
    expect(matchOperation(method, pathSegments, source)).toMatchObject({ id: name })
    expect(
      matchOperation(method, pathSegments, source === 'desk' ? 'service' : 'desk'),
    ).not.toMatchObject({ id: name })
  })

  test('a fixed path takes precedence over a path with a field', () => {
    expect(findOperation('GET', '/accounts/capability_requests')).toEqual({
      id: 'capability_requests.list',
      params: {},
    })
    expect(findOperation('GET', `/accounts/${id}`)).toEqual({ id: 'accounts.get', params: { id } })
  })

  test('an internal operation is not found', () => {
    expect(findOperation('GET', `/paykeys/${id}/reveal`)).toBeNull()
  })

  test('another method returns the allowed methods', () => {
    expect(findOperation('POST', `/customers/${id}`)).toEqual({
      allowed: expect.arrayContaining(['GET', 'PUT', 'DELETE']),
    })
  })
})

describe('the URL in Paydesk’s API', () => {
  test('of an operation of the service', () => {
    const { url } = toApiRequestParts(
      'payouts.get',
      { id },
      { environment: 'sandbox', account: `acct_${id}` },
    )
    expect(url).toBe(`/api/sandbox/v1/payouts/${id}?account=acct_${id}`)
  })

  test('of an operation of Paydesk', () => {
    expect(
      toApiRequestParts('views.list', { list: 'payments' }, { environment: 'production' }),
    ).toMatchObject({
      method: 'GET',
      url: '/api/production/desk/views?list=payments',
    })
    expect(
      toApiRequestParts('views.update', { id, name: 'Mine' }, { environment: 'sandbox' }),
    ).toMatchObject({
      method: 'PUT',
      url: `/api/sandbox/desk/views/${id}`,
      body: { name: 'Mine' },
    })
  })
})
