import { expect, test } from 'vitest'
import { customerBody, findAccountWith } from '@/tests/sandbox/own-customer'
import { sandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = sandboxPerFile('--environment', 'production')

test('production accepts only the standard outcome, set or omitted', async () => {
  const { headers } = await findAccountWith(client())
  const create = (config: Record<string, unknown>) => client().post('/v1/customers', customerBody({ config }), headers)
  for (const sandbox_outcome of ['verified', 'review', 'rejected']) {
    const { status, json } = await create({ sandbox_outcome })
    expect([status, json.error]).toEqual([
      422,
      expect.objectContaining({ items: [expect.objectContaining({ reference: 'config.sandbox_outcome' })] }),
    ])
  }
  expect((await create({ sandbox_outcome: 'standard' })).status).toBe(201)
  expect((await create({})).status).toBe(201)
})
