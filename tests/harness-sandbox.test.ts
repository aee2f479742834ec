import { expect, test } from 'vitest'
import { startSandbox } from './harness/sandbox'

test('a sandbox that ends during its start throws at once, with its output', {
  timeout: 20_000,
}, async () => {
  await expect(startSandbox({ payments: 20 })).rejects.toThrow(
    /^the sandbox ended with 2: --payments Too small: expected number to be >=24/,
  )
})
