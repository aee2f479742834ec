import { expect, test } from 'vitest'
import { isStoreUnavailable } from './faults'

const createError = (code: string) => Object.assign(new Error('some text'), { code })
const createQueryError = (cause: Error) => new Error('Failed query: select 1', { cause })

test.each([
  ['a refused connection', createError('ECONNREFUSED')],
  ['no connection left', createQueryError(createError('53300'))],
  ['a full disk', createQueryError(createError('53100'))],
  ['a server that stops', createQueryError(createError('57P01'))],
  ['a lock that took too long', createQueryError(createError('55P03'))],
  ['a wait for the pool', createQueryError(new Error('timeout exceeded when trying to connect'))],
  ['a connection that ended', createQueryError(new Error('Connection terminated unexpectedly'))],
])('%s means that the store is away', (_name, error) => {
  expect(isStoreUnavailable(error)).toBe(true)
})

test.each([
  ['a table that is not there', createQueryError(createError('42P01'))],
  ['a row that is there already', createQueryError(createError('23505'))],
  ['an error of ours', new TypeError('undefined is not a function')],
  ['a text', 'ECONNREFUSED'],
])('%s does not mean that the store is away', (_name, error) => {
  expect(isStoreUnavailable(error)).toBe(false)
})
