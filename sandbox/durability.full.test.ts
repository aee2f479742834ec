import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { killRounds } from '@/tests/sandbox/durability/kill-rounds'
import { type OwnFolder, startOwnFolder } from '@/tests/sandbox/durability/start-own-folder'
import { newDataFolder } from '@/tests/sandbox/start-process'

const rounds = 5

const folder = newDataFolder()
let ownFolder: OwnFolder | undefined

afterAll(async () => {
  await ownFolder?.end()
  rmSync(folder, { recursive: true, force: true })
})

test('every acknowledged write survives kill -9 exactly once, and all data is consistent', async () => {
  ownFolder = await startOwnFolder(folder)
  const verdict = await killRounds({ ...ownFolder, rounds, seed: 20_240_611, perSecond: 200, longestMs: 800 })
  expect(verdict.violations).toEqual([])
  expect(verdict).toMatchObject({ rounds, kills: 2 * rounds + 2 })
  expect(verdict.replayed).toBe(verdict.sent)
  // The number of acknowledged writes depends on the machine. A round without any could not lose one.
  expect(verdict.acknowledged).toBeGreaterThanOrEqual(verdict.rounds)
}, 240_000)
