import { expect, test } from 'vitest'
import { makeBadRequestProblem, makeUnauthorizedProblem } from '@/sandbox/http/problem'
import { operations } from '@/sandbox/operations'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { documentedDialect } from './dialect'
import { toDialectOperations } from './dialect-operation'

const { client } = startSandboxPerFile()

test('the default dialect is that of the interface document', async () => {
  expect(await client().control('dialect')).toEqual({ name: 'document', seed: null })
  expect(await client().control('dialect', { name: 'document', seed: 7 })).toEqual({
    name: 'document',
    seed: null,
  })
})

test.each([
  [{}, 'name'],
  [{ name: 'latin' }, 'name'],
  [{ name: 'document', seed: -1 }, 'seed'],
])('%j is rejected with the field name', async (body, field) => {
  const dialectResponse = await client().controlRaw('dialect', body)
  expect([dialectResponse.status, await dialectResponse.json()]).toEqual([
    400,
    expect.objectContaining({ fields: [expect.objectContaining({ field })] }),
  ])
})

test('the dialect of the interface document changes no operation, response, refusal or event', () => {
  const [data, about] = [
    { amount: '12345', code: null },
    { operation: 'payouts.get', answers: 'object' } as const,
  ]
  expect(toDialectOperations(documentedDialect, operations)).toEqual(operations)
  const { data: convertData, meta, envelope, refusal, event, contentType } = documentedDialect
  for (const convertedData of [
    convertData(data, about),
    meta(data, about),
    envelope(data, about),
    event(data, 'payout'),
  ])
    expect(convertedData).toBe(data)
  for (const problem of [makeUnauthorizedProblem('No.'), makeBadRequestProblem('No.')])
    expect(refusal(data, problem)).toBe(data)
  for (const accept of [undefined, 'text/plain', 'text/json'])
    expect(contentType(accept)).toBe('application/json; charset=utf-8')
})
