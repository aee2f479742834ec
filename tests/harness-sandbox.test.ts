import { expect, test } from 'vitest'
import { startSandbox } from './harness/sandbox'

test('a sandbox that ends while it starts is an error at once, with what it printed', { timeout: 20_000 }, async () => {
  await expect(startSandbox({ payments: 20 })).rejects.toThrow(
    /^the sandbox ended with 2: --payments Too small: expected number to be >=24/,
  )
})
