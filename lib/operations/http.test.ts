import { describe, expect, test } from 'vitest'
import { matchOperation, toRequest } from './http'
import { operationIds, rowOf } from './rows'

const id = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const find = (method: string, path: string) => matchOperation(method, path.slice(1).split('/'))

describe('a request is laid out as its row says', () => {
  test('a read sends its fields as query', () => {
    expect(toRequest('paykeys.list', { status: ['review', 'blocked'], page_size: 50, search_text: undefined })).toEqual({
      method: 'GET',
      path: '/paykeys',
      query: 'page_size=50&status=review%2Cblocked',
      body: undefined,
    })
  })

  test('a write sends its fields as a body', () => {
    expect(toRequest('customers.decide', { id, status: 'verified' })).toEqual({
      method: 'PATCH',
      path: `/customers/${id}/review`,
      query: '',
      body: { status: 'verified' },
    })
  })

  test('a write sends the fields its row names as query, and not twice', () => {
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
  const reached = operationIds.filter((operation) => !rowOf(operation).internal)

  test.each(reached)('%s', (operation) => {
    expect(find(rowOf(operation).method, rowOf(operation).path.replace(':id', id))).toMatchObject({ id: operation })
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
