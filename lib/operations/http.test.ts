import { describe, expect, test } from 'vitest'
import { addressed, toRequest } from './http'
import { operation, operationIds } from './operations'
import { matchOperation } from './registry'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const find = (method: string, path: string) => matchOperation(method, path.slice(1).split('/'))

describe('a request is laid out as the operation says', () => {
  test('a read sends its fields as query', () => {
    expect(toRequest('paykeys.list', { status: ['review', 'blocked'], page_size: 50, search_text: undefined })).toEqual({
      method: 'GET',
      path: '/paykeys',
      query: 'page_size=50&status=review%2Cblocked',
      body: undefined,
    })
  })

  test.each([
    ['comma', 'page_size=50&status=review%2Cblocked'],
    ['repeat', 'page_size=50&status=review&status=blocked'],
  ] as const)('a list in the style %s', (style, query) => {
    expect(toRequest('paykeys.list', { status: ['review', 'blocked'], source: [], page_size: 50 }, style).query).toBe(query)
  })

  test('a write sends its fields as a body', () => {
    expect(toRequest('customers.decide', { id, status: 'verified' })).toEqual({
      method: 'PATCH',
      path: `/customers/${id}/review`,
      query: '',
      body: { status: 'verified' },
    })
  })

  test('a write sends the fields its definition names as query, and not twice', () => {
    expect(toRequest('accounts.simulate', { id, final_status: 'active' })).toEqual({
      method: 'POST',
      path: `/accounts/${id}/simulate`,
      query: 'final_status=active',
      body: {},
    })
    expect(toRequest('accounts.simulate', { id })).toMatchObject({ query: '', body: {} })
  })

  test('the input is left as it was', () => {
    const input = { id, final_status: 'active' }
    toRequest('accounts.simulate', input)
    expect(input).toEqual({ id, final_status: 'active' })
  })

  test('a path field that is missing throws', () => {
    expect(() => toRequest('accounts.get', {})).toThrow('accounts.get needs id')
  })
})

describe('an operation is found by method and path', () => {
  const isInternal = (name: (typeof operationIds)[number]) => {
    const definition = operation(name)
    return definition.source === 'service' && definition.internal === true
  }
  const reached = operationIds.filter((name) => !isInternal(name))

  test.each(reached)('%s', (name) => {
    const { method, path, source } = operation(name)
    const segments = path.replace(':id', id).slice(1).split('/')
    expect(matchOperation(method, segments, source)).toMatchObject({ id: name })
    expect(matchOperation(method, segments, source === 'desk' ? 'service' : 'desk')).not.toMatchObject({ id: name })
  })

  test('a path without fields comes before one whose field would match it', () => {
    expect(find('GET', '/accounts/capability_requests')).toEqual({ id: 'capability_requests.list', params: {} })
    expect(find('GET', `/accounts/${id}`)).toEqual({ id: 'accounts.get', params: { id } })
  })

  test('what only the server asks is not found', () => {
    expect(find('GET', `/paykeys/${id}/reveal`)).toBeNull()
  })

  test('another method is told which ones there are', () => {
    expect(find('POST', `/customers/${id}`)).toEqual({ allowed: expect.arrayContaining(['GET', 'PUT', 'DELETE']) })
  })
})

describe('an operation has one address on our own API', () => {
  test('of the service', () => {
    const { url } = addressed('payouts.get', { id }, { environment: 'sandbox', account: `acct_${id}` })
    expect(url).toBe(`/api/sandbox/v1/payouts/${id}?account=acct_${id}`)
  })

  test('of Paydesk itself', () => {
    expect(addressed('views.list', { list: 'payments' }, { environment: 'production' })).toMatchObject({
      method: 'GET',
      url: '/api/production/desk/views?list=payments',
    })
    expect(addressed('views.update', { id, name: 'Mine' }, { environment: 'sandbox' })).toMatchObject({
      method: 'PUT',
      url: `/api/sandbox/desk/views/${id}`,
      body: { name: 'Mine' },
    })
  })
})
