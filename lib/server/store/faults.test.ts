import { expect, test } from 'vitest'
import { isStoreUnavailable } from './faults'

const createError = (code: string) => Object.assign(new Error('some text'), { code })
const query = (cause: Error) => new Error('Failed query: select 1', { cause })

test.each([
  ['a refused connection', createError('ECONNREFUSED')],
  ['no connection left', query(createError('53300'))],
  ['a full disk', query(createError('53100'))],
  ['a server that stops', query(createError('57P01'))],
  ['a lock that took too long', query(createError('55P03'))],
  ['a wait for the pool', query(new Error('timeout exceeded when trying to connect'))],
  ['a connection that ended', query(new Error('Connection terminated unexpectedly'))],
])('%s means that the store is away', (_name, error) => {
  expect(isStoreUnavailable(error)).toBe(true)
})

test.each([
  ['a table that is not there', query(createError('42P01'))],
  ['a row that is there already', query(createError('23505'))],
  ['an error of ours', new TypeError('undefined is not a function')],
  ['a text', 'ECONNREFUSED'],
])('%s does not mean that the store is away', (_name, error) => {
  expect(isStoreUnavailable(error)).toBe(false)
})
