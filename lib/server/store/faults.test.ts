import { expect, test } from 'vitest'
import { isStoreUnavailable } from './faults'

const withCode = (code: string) => Object.assign(new Error('some text'), { code })
const query = (cause: Error) => new Error('Failed query: select 1', { cause })

test.each([
  ['a refused connection', withCode('ECONNREFUSED')],
  ['no connection left', query(withCode('53300'))],
  ['a full disk', query(withCode('53100'))],
  ['a server that stops', query(withCode('57P01'))],
  ['a lock that took too long', query(withCode('55P03'))],
  ['a wait for the pool', query(new Error('timeout exceeded when trying to connect'))],
  ['a connection that ended', query(new Error('Connection terminated unexpectedly'))],
])('%s means that the store is away', (_name, error) => {
  expect(isStoreUnavailable(error)).toBe(true)
})

test.each([
  ['a table that is not there', query(withCode('42P01'))],
  ['a row that is there already', query(withCode('23505'))],
  ['an error of ours', new TypeError('undefined is not a function')],
  ['a text', 'ECONNREFUSED'],
])('%s does not mean that the store is away', (_name, error) => {
  expect(isStoreUnavailable(error)).toBe(false)
})
